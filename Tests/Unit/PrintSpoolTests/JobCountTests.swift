// Tests the filters and the counts of lists of jobs.

import PrintModel
import PrintSpool
import Testing

struct JobCountTests {
    private let files = TestSpool()

    private func names(_ spool: Spool, _ change: (inout JobFilter) -> Void) async throws -> [String] {
        var filter = JobFilter(.all)
        change(&filter)
        return try await spool.jobs(filter, in: .all).map(\.name)
    }

    @Test func `a search finds text in job names, owners and printers, regardless of case`() async throws {
        let spool = try await files.open(printers: ["laser", "photo"])
        try await spool.submit("Energy report", owner: "ada")
        try await spool.submit("100%_done", to: "photo", owner: "ben")
        #expect(try await names(spool) { $0.search = JobSearch("REPORT", reader: nil) } == ["Energy report"])
        #expect(try await names(spool) { $0.search = JobSearch("be", reader: nil) } == ["100%_done"])
        #expect(try await names(spool) { $0.search = JobSearch("phot", reader: nil) } == ["100%_done"])
        #expect(try await names(spool) { $0.search = JobSearch("%_", reader: nil) } == ["100%_done"])
        #expect(try await names(spool) { $0.search = JobSearch("0_", reader: nil) } == [])
        for name in ["Überweisung", "STRASSENKARTE", "ΟΔΥΣΣΕΥΣ", "Ёлка", "請求書", "50 % Größe_x"] {
            try await spool.submit(name, owner: "Žofia")
        }
        for (text, name) in [
            ("über", "Überweisung"), ("ÜBERWEIS", "Überweisung"), ("straßen", "STRASSENKARTE"),
            ("οδυσσευς", "ΟΔΥΣΣΕΥΣ"), ("ёлка", "Ёлка"), ("請求", "請求書"),
            ("% GRÖSSE_", "50 % Größe_x"), ("ö%", nil),
        ] {
            #expect(
                try await names(spool) { $0.search = JobSearch(text, reader: nil) } == [name].compactMap(\.self),
                "\(text)")
        }
        #expect(try await names(spool) { $0.search = JobSearch("žOFIA", reader: nil) }.count == 6)
        #expect(try await names(spool) { $0.search = JobSearch("žofia", reader: "ada") } == [])
        var filter = JobFilter(.all)
        filter.search = JobSearch("über", reader: nil)
        #expect(try await spool.countJobs(filter, troubledPrinters: []).all == 1)
    }

    @Test func `a search by an ordinary user finds other users' jobs only by the printer name`() async throws {
        let spool = try await files.open()
        try await spool.submit("secret", owner: "ada")
        #expect(try await names(spool) { $0.search = JobSearch("secret", reader: "ada") } == ["secret"])
        #expect(try await names(spool) { $0.search = JobSearch("secret", reader: "ben") } == [])
        #expect(try await names(spool) { $0.search = JobSearch("ada", reader: "ben") } == [])
        #expect(try await names(spool) { $0.search = JobSearch("laser", reader: "ben") } == ["secret"])
    }

    @Test func `held jobs and jobs that need attention are listed and counted`() async throws {
        let spool = try await files.open(printers: ["laser", "photo"])
        for name in ["a", "b", "c", "d"] { try await spool.submit(name, to: name == "d" ? "photo" : "laser") }
        try await spool.change(2, .holdRequested(until: nil))
        try await spool.change(3, .cancelRequested(byOperator: false))
        #expect(try await names(spool) { $0.isHeld = true } == ["b"])
        #expect(try await names(spool) { ($0.which, $0.isHeld) = (.notCompleted, false) } == ["a", "d"])
        #expect(try await names(spool) { ($0.which, $0.troubledPrinters) = (.notCompleted, []) } == [])
        #expect(try await names(spool) { ($0.which, $0.troubledPrinters) = (.notCompleted, ["laser"]) } == ["a"])
        let counts = try await spool.countJobs(JobFilter(.all), troubledPrinters: ["laser"])
        #expect(counts.active == 2 && counts.held == 1 && counts.ended == 1 && counts.attention == 1)
        #expect(counts.queue == 3 && counts.all == 4 && counts.queuedByPrinter == ["laser": 2, "photo": 1])
        let ofPrinter = try await spool.countJobs(JobFilter(.all, printer: "photo"), troubledPrinters: [])
        #expect(ofPrinter.all == 1 && ofPrinter.attention == 0)
    }

    @Test func `a job list and a job query report the same number of jobs ahead of a job`() async throws {
        let spool = try await files.open(printers: ["laser", "photo"])
        for number in 0..<60 {
            try await spool.submit(
                "\(number)", to: number % 3 == 0 ? "photo" : "laser", priority: [50, 10, 90, 50][number % 4])
        }
        for id in stride(from: 5, to: 60, by: 7) { try await spool.change(id, .holdRequested(until: nil)) }
        let all = try await spool.jobs(JobFilter(.notCompleted), in: .all)
        for jobs in [all, Array(all.dropFirst(7).prefix(20)), Array(all.reversed()), all.filter { $0.id % 5 == 0 }] {
            let counts = try await spool.countWaitingBefore(jobs)
            #expect(counts.count == jobs.count)
            for job in jobs {
                let expected = try await spool.countWaitingBefore(job.id)
                #expect(counts[job.id] == expected, "job \(job.id)")
            }
        }
    }
}
