import Foundation
import PrintModel
import PrintSpool
import Testing

struct SpoolAccountingTests {
    let files = TestSpool()

    @Test func `an accounting entry is added when a job ends, and is kept after the job is purged`() async throws {
        let spool = try await files.open()
        let id = try await spool.submit("letter").id
        #expect(try await spool.accounting().isEmpty)
        try await spool.change(id, .claimed)
        let plan = SheetPlan(
            media: "iso_a4_210x297mm", isColor: false, copies: 2, sheetsPerCopy: 2, blankBacks: [1])
        try await spool.change(id, .prepared(impressions: 8, sheets: 4, notice: nil, plan: plan))
        try await spool.change(id, .sent)
        try await spool.change(id, .progressed(impressions: 4, sheets: 2))
        try await spool.change(id, .failed(.abortedBySystem, message: "broken"))
        try await spool.purge(keepJobs: 0)
        #expect(try await spool.job(id) == nil)

        let entry = try #require(try await spool.accounting().first)
        #expect(entry.jobID == id && entry.title == "letter" && entry.state == .aborted)
        #expect(entry.printed == PrintedSides(impressions: 3, blanks: 1, sheets: 2))
        #expect(entry.copies == 2 && entry.isColor == false && entry.media == "iso_a4_210x297mm")

        try await spool.purgeAccounting(keepSeconds: 1, now: entry.endedAt)
        #expect(try await spool.accounting().count == 1)
        try await spool.purgeAccounting(keepSeconds: 1, now: entry.endedAt + 2)
        #expect(try await spool.accounting().isEmpty)
    }

    @Test func `if a job is canceled before its preparation, the job has an accounting entry without pages`()
        async throws
    {
        let spool = try await files.open()
        let id = try await spool.submit("letter").id
        try await spool.change(id, .cancelRequested(byOperator: false))
        let entry = try #require(try await spool.accounting().first)
        #expect(entry.state == .canceled && entry.printed == PrintedSides() && entry.isColor == nil)
    }

    @Test func `a query for accounting entries can have a limit and can select a user, a printer and a time`()
        async throws
    {
        let spool = try await files.open(printers: ["laser", "photo"])
        for number in 1...7 {
            let id = try await spool.submit("\(number)", to: number % 2 == 0 ? "photo" : "laser").id
            try await spool.change(id, .cancelRequested(byOperator: false))
        }
        var (seen, place): ([Int], AccountingEntry.Place?) = ([], nil)
        repeat {
            let page = try await spool.accounting(AccountingQuery(after: place, limit: 3))
            seen += page.map(\.jobID)
            place = page.last?.place
        } while place != nil
        #expect(seen == Array(1...7))
        #expect(try await spool.accounting(AccountingQuery(printer: "photo")).map(\.jobID) == [2, 4, 6])
        #expect(try await spool.accounting(AccountingQuery(user: "nobody")).isEmpty)
        let all = try await spool.accounting()
        #expect(try await spool.accounting(AccountingQuery(since: all[0].endedAt)).count == 7)
        #expect(try await spool.accounting(AccountingQuery(until: all[0].endedAt)).isEmpty)
    }

    @Test func `accounting entries are kept when the ended jobs are purged`() async throws {
        let spool = try await files.open(printers: ["laser", "photo"])
        for printer in ["laser", "photo", "laser"] {
            let id = try await spool.submit("a", to: printer).id
            try await spool.change(id, .cancelRequested(byOperator: false))
        }
        let waiting = try await spool.submit("b").id
        try await spool.forgetEndedJobs(printer: "laser")
        #expect(try await spool.jobs(JobFilter(.all)).map(\.id) == [waiting, 2])
        try await spool.forgetEndedJobs(printer: nil)
        #expect(try await spool.jobs(JobFilter(.all)).map(\.id) == [waiting])
        #expect(try await spool.accounting().count == 3)
    }

    @Test func `the policy of a printer is stored`() async throws {
        let spool = try await files.open()
        var change = PrinterChange()
        change.policyLists = [
            .submitters: .allowed(["anna", "@staff"]), PolicyList(.look, .networks): .denied(["192.0.2.0/24"]),
        ]
        try await spool.addOrModifyPrinter(named: "laser", change)
        let policy = try #require(try await spool.printer(named: "laser")).policy
        #expect(policy[.submitters] == .allowed(["anna", "@staff"]))
        #expect(policy[PolicyList(.look, .networks)] == .denied(["192.0.2.0/24"]))
        #expect(policy[PolicyList(.manage, .users)] == .nobody)
    }
}
