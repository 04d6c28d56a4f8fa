// Tests the contents of the event log, and its purged range.

import PrintModel
import Testing

@testable import PrintSpool

struct EventLogTests {
    let files = TestSpool()

    @Test func `an event contains the owner, the reasons and the page counts of the job`() async throws {
        let spool = try await files.open()
        let id = try await spool.submit("Letter", owner: "bob").id
        try await spool.change(id, .claimed)
        try await spool.change(id, .prepared(impressions: 4, sheets: 2, notice: nil))
        try await spool.change(id, .sent)
        try await spool.change(id, .progressed(impressions: 1, sheets: nil))
        let event = try #require(try await spool.events(after: 0, jobID: id).last)
        #expect((event.jobName, event.owner) == ("Letter", "bob"))
        #expect((event.impressions, event.impressionsCompleted) == (4, 1))
        #expect(event.reasons == ["job-printing"])
        #expect(event.printerState == nil)
        #expect(event.line == "job 1 (Letter) on laser: printing page 2 of 4")
    }

    @Test func `an event of a printer contains the printer's state at the time of the event`() async throws {
        let spool = try await files.open()
        try await spool.pausePrinter(named: "laser")
        try await spool.resumePrinter(named: "laser")
        let id = try await spool.submit().id
        try await spool.change(id, .claimed)
        try await spool.setAccepting(false, printer: "laser")
        let events = try await spool.events(after: 0).filter { $0.jobID == nil }
        #expect(events.map(\.kind) == ["printer-added"] + Array(repeating: "printer-state-changed", count: 3))
        #expect(events.map(\.printerState) == [.idle, .stopped, .idle, .processing])
        #expect(events.map(\.reasons) == [[], ["paused"], [], []])
        #expect(events.last?.isAccepting == false)
        #expect(events.allSatisfy { $0.state == nil })
    }

    @Test func `if a printer stops and continues during a job, each change of the printer's state adds one event`()
        async throws
    {
        let spool = try await files.open()
        let id = try await spool.submit().id
        let start = try await spool.latestEventSequence()
        try await spool.change(id, .claimed)
        try await spool.change(id, .printerStopped(message: "Out of paper"))
        try await spool.change(id, .printerStopped(message: "Out of toner"))
        try await spool.change(id, .printerResumed)
        try await spool.change(id, .printerStopped(message: "Jam"))
        try await spool.change(id, .canceledAtPrinter(message: ""))
        let events = try await spool.events(after: start).filter { $0.jobID == nil }
        #expect(events.map(\.line) == ["laser: out of paper", "laser: continues", "laser: jam", "laser: continues"])
        #expect(events.map(\.printerState) == [.stopped, .processing, .stopped, .idle])
    }

    @Test func `if a job is suspended, no event reports a stopped printer`() async throws {
        let spool = try await files.open()
        let id = try await spool.submit().id
        try await spool.change(id, .claimed)
        let start = try await spool.latestEventSequence()
        try await spool.change(id, .doubted(message: "?"))
        #expect(try await spool.events(after: start).map(\.jobID) == [id])
    }

    @Test func `the event log reports the purged range, and sequence numbers continue after a purge of all events`()
        async throws
    {
        let spool = try await files.open()
        for name in ["a", "b"] { try await spool.submit(name) }
        #expect(try await spool.eventPage(after: 0).purgedThrough == 0)
        try await spool.complete(1)
        let last = try await spool.latestEventSequence()
        #expect(try await spool.purge(keepJobs: 0) == [1])
        let page = try await spool.eventPage(after: 0)
        #expect(page.purgedThrough == last)
        #expect(page.events.map(\.jobID) == [nil, 2])

        try await spool.complete(2)
        files.clock.advance(by: 1_000_000)
        #expect(try await spool.purge(keepSeconds: 1) == [2])
        #expect(try await spool.eventPage(after: 0).events.isEmpty)
        let cut = try await spool.eventPage(after: 0).purgedThrough
        #expect(try await spool.latestEventSequence() == cut)
        try spool.close()

        let again = try await files.open()
        #expect(try await again.latestEventSequence() == cut)
        try await again.pausePrinter(named: "laser")
        let page2 = try await again.eventPage(after: cut)
        #expect(page2.events.map(\.sequence) == [cut + 1])
        #expect(page2.purgedThrough == cut)
    }

    @Test(.requiresSQLite("the test reads files of SQLite"))
    func `sequence numbers are not reused after a restart of the machine`() async throws {
        var spool = try await files.open()
        try await spool.submit()
        let last = try await spool.latestEventSequence()
        try spool.close()
        spool = try await files.open()
        #expect(try await spool.latestEventSequence() == last, "the machine has not been restarted")
        try spool.close()

        #expect(try Database(files).shell("UPDATE event_log SET boot = 'an earlier one'").isEmpty)
        spool = try await files.open()
        #expect(try await spool.latestEventSequence() == last + 100_000)
        try await spool.pausePrinter(named: "laser")
        let page = try await spool.eventPage(after: last + 3)
        #expect(page.events.map(\.sequence) == [last + 100_001])
        #expect(page.purgedThrough == 0)
        try spool.close()
        spool = try await files.open()
        #expect(try await spool.latestEventSequence() == last + 100_001)
    }

    @Test(.requiresSQLite("the test reads files of SQLite"), arguments: [false, true])
    func `queries for events use an index and do not scan the event log`(ofJob: Bool)
        async throws
    {
        _ = try await files.open()
        let sql = SQLiteTransaction.eventsQuery(ofJob: ofJob)
        let plan = try Database(files).shell("EXPLAIN QUERY PLAN \(sql)")
        #expect(
            plan.contains(ofJob ? "SEARCH events USING INDEX events_of_job" : "SEARCH events USING INTEGER PRIMARY KEY")
        )
        #expect(!plan.contains("SCAN"), "\(plan)")
        #expect(!plan.contains("TEMP B-TREE"), "\(plan)")
    }
}
