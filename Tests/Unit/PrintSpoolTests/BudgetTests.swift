import Foundation
import PrintModel
import PrintSpool
import Testing

struct BudgetTests {
    let files = TestSpool()

    private func open(_ budget: UserBudget) async throws -> Spool {
        let spool = try Spool(
            folder: files.folder, budget: budget, clock: { [clock = files.clock] in clock.now }, medium: files.medium())
        if try await spool.printers().isEmpty {
            try await spool.addPrinter(ConfiguredPrinter(name: "laser", deviceURI: "printsim:laser"))
        }
        return spool
    }

    @Test func `a user at the job limit cannot submit until a job ends, and other users can submit`() async throws {
        let spool = try await open(UserBudget(jobs: 3))
        for number in 1...3 { try await spool.submit("\(number)", owner: "ada") }
        #expect(await code { try await spool.submit("4", owner: "ada") } == .overBudget)
        let incoming = Submission(printer: "laser", owner: "ada", name: "5")
        #expect(await code { _ = try await spool.createJob(incoming) } == .overBudget)
        try await spool.submit("1", owner: "ben")
        try await spool.change(2, .cancelRequested(byOperator: false))
        try await spool.submit("6", owner: "ada")
        #expect(await code { try await spool.submit("7", owner: "ada") } == .overBudget)
        #expect(try await spool.jobs().count == 4)
    }

    @Test func `jobs and documents from before a restart count toward the limits of their owner`() async throws {
        let large = String(repeating: "x", count: 90_000)
        let budget = UserBudget(jobs: 3, documentBytes: 300_000)
        let before = try await open(budget)
        for number in 1...3 { try await before.submit("\(number)", owner: "ada") }
        for number in 1...2 { try await before.submit("\(number)", owner: "ben", text: large) }
        try before.close()
        let spool = try await open(budget)
        #expect(await code { try await spool.submit("4", owner: "ada") } == .overBudget)
        try await spool.submit("3", owner: "ben", text: large)
        try spool.close()
        let smaller = try await open(UserBudget(jobs: 9, documentBytes: 300_000))
        #expect(await code { try await smaller.submit("4", owner: "ben", text: large) } == .overBudget)
        try await smaller.submit("1", owner: "cid", text: large)
    }

    @Test func `a repeated submission does not count as a second job`() async throws {
        let spool = try await open(UserBudget(jobs: 1))
        let first = try await spool.submit(submissionID: "s")
        #expect(try await spool.submit(submissionID: "s").id == first.id)
    }

    @Test func `a document counts toward the user's size limit until the document is deleted`() async throws {
        let spool = try await open(UserBudget(documentBytes: 100_000))
        let large = String(repeating: "x", count: 90_000)
        try await spool.submit("1", text: large)
        #expect(await code { try await spool.submit("2", text: large) } == .overBudget)
        #expect(files.names(in: "incoming").isEmpty)
        try await spool.submit("3", owner: "ben", text: large)
        try await spool.complete(1)
        // The document is kept for reprinting and still counts toward the limit.
        #expect(await code { try await spool.submit("4", text: large) } == .overBudget)
        let again = Submission(printer: "laser", owner: "ada", name: "5")
        #expect(await code { _ = try await spool.resubmit(1, as: again) } == .overBudget)
        try await spool.dropDocuments(keepSeconds: -1)
        try await spool.submit("6", text: large)
    }

    @Test func `jobs that wait for documents have a separate limit for each user`() async throws {
        let spool = try await open(UserBudget(incomingJobs: 2))
        func create(_ owner: String) async throws -> Job {
            try await spool.createJob(Submission(printer: "laser", owner: owner, name: "empty"))
        }
        let first = try await create("ada")
        _ = try await create("ada")
        #expect(await code { _ = try await create("ada") } == .overBudget)
        _ = try await create("ben")
        _ = try await spool.addDocument(spool.document("x"), name: nil, format: .text, to: first.id, isLast: true)
        _ = try await create("ada")
    }

    @Test func `if a job ends with a document format error, the job's documents are deleted`() async throws {
        let spool = try await files.open()
        let job = try await spool.submit(text: String(repeating: "x", count: 90_000))
        #expect(files.names(in: "jobs") == ["job-000001"] || !files.names(in: "jobs").isEmpty)
        try await spool.change(job.id, .claimed)
        try await spool.change(job.id, .failed(.documentFormatError, message: "damaged"))
        #expect(try await !spool.keepsDocuments(of: job.id))
        #expect(try await spool.holdings().fileBytes == 0)
    }

    @Test func `a purge with a maximum number of jobs first removes jobs of the owner who has the most jobs`()
        async throws
    {
        let spool = try await files.open()
        for number in 1...3 {
            let job = try await spool.submit("real \(number)", owner: "ada")
            try await spool.complete(job.id)
            files.clock.advance(by: 1)
        }
        for _ in 1...30 {
            let job = try await spool.createJob(Submission(printer: "laser", owner: "eve", name: "empty"))
            try await spool.change(job.id, .cancelRequested(byOperator: false))
            files.clock.advance(by: 1)
        }
        #expect(try await spool.purge(keepJobs: 10).count == 23)
        let left = try await spool.jobs(JobFilter(.completed))
        #expect(left.filter { $0.owner == "ada" }.map(\.name) == ["real 3", "real 2", "real 1"])
        #expect(left.filter { $0.owner == "eve" }.map(\.id) == [33, 32, 31, 30, 29, 28, 27])
    }

    @Test func `if the ended jobs of one owner are purged, the jobs of all other owners are kept`() async throws {
        let spool = try await files.open(printers: ["laser", "photo"])
        for (owner, printer) in [("ada", "laser"), ("ben", "laser"), ("ada", "photo")] {
            let job = try await spool.submit(to: printer, owner: owner)
            try await spool.complete(job.id)
        }
        try await spool.forgetEndedJobs(printer: "photo", owner: "ada")
        #expect(try await spool.jobs(JobFilter(.completed)).map(\.id).sorted() == [1, 2])
        try await spool.forgetEndedJobs(owner: "ada")
        #expect(try await spool.jobs(JobFilter(.completed)).map(\.id) == [2])
    }

    @Test func `'newestEvents' returns the newest events of a job with many events`() async throws {
        let spool = try await files.open()
        let job = try await spool.submit()
        for round in 0..<30 {
            try await spool.change(job.id, round.isMultiple(of: 2) ? .holdRequested(until: nil) : .releaseRequested)
        }
        let all = try await spool.events(after: 0, jobID: job.id)
        #expect(all.count == 31)
        #expect(try await spool.newestEvents(ofJob: job.id, limit: 10) == all.suffix(10))
    }
}
