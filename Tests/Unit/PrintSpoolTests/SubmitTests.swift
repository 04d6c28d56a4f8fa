import Foundation
import PrintModel
import PrintSpool
import Testing

struct SubmitTests {
    let files = TestSpool()

    @Test func `a submitted job keeps its ticket and document when the spool is closed and reopened`() async throws {
        let spool = try await files.open()
        var ticket = JobTicket()
        ticket.copies = 3
        ticket.duplex = .longEdge
        ticket.priority = 70
        let submission = Submission(
            printer: "laser", owner: "ada", name: "Brief an Jürgen 🖨", ticket: ticket, submissionID: "one")
        let job = try await spool.submit(
            submission, documents: [(spool.document("Hallo"), name: "brief.txt", format: .text)])
        try spool.close()

        let reopened = try await files.open()
        let found = try #require(try await reopened.job(job.id))
        #expect(found == job)
        #expect(found.ticket == ticket)
        #expect(found.priority == 70)
        #expect(found.state == .pending)
        #expect(found.uuid.hasPrefix("urn:uuid:"))
        #expect(found.documents == [JobDocument(number: 1, name: "brief.txt", format: .text, bytes: 5)])
        let path = try #require(try await reopened.documents(of: job.id).first?.path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "Hallo")
    }

    @Test(.requiresSQLite("the test reads files of SQLite"))
    func `if the process is killed right after the response, every accepted job is stored`() async throws {
        let spool = try await files.open()
        let large = spool.makeIncoming()
        try large.write([UInt8](repeating: 7, count: 200_000))
        let first = try await spool.submit(
            Submission(printer: "laser", owner: "ada", name: "large"), documents: [(large, name: nil, format: .pdf)])
        let second = try await spool.submit("small", text: "tiny")

        let copy = try files.copyAsKilled()
        let survivor = try await copy.open()
        #expect(try await survivor.jobs() == [first, second])
        let paths = try await survivor.documents(of: first.id).map(\.path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: paths[0])).count == 200_000)
        let third = try await survivor.submit("next")
        #expect(third.id == second.id + 1)
    }

    @Test(.requiresSQLite("the test reads files of SQLite"))
    func `a large document is stored as a file, and a small document is stored in the database`() async throws {
        let spool = try await files.open()
        let large = spool.makeIncoming()
        try large.write([UInt8](repeating: 1, count: 65_536))
        #expect(files.names(in: "incoming").isEmpty)
        try large.write([2])
        #expect(files.names(in: "incoming").count == 1)
        let job = try await spool.submit(
            Submission(printer: "laser", owner: "ada", name: "both"),
            documents: [
                (large, name: nil, format: .pdf), (spool.document("small"), name: nil, format: .text),
            ])
        #expect(files.names(in: "incoming").isEmpty)
        #expect(files.names(in: "jobs/\(job.id)") == ["document-1.pdf"])
        let rows = try Database(files).rows("SELECT file, content IS NULL FROM documents ORDER BY number")
        #expect(rows == [["document-1.pdf", "1"], ["NULL", "0"]])
        #expect(job.documents.map(\.bytes) == [65_537, 5])

        let documents = try await spool.documents(of: job.id)
        #expect(documents.map(\.format) == [.pdf, .text])
        #expect(files.names(in: "jobs/\(job.id)") == ["document-1.pdf", "document-2.txt"])
        #expect(try Data(contentsOf: URL(fileURLWithPath: documents[0].path)).last == 2)
    }

    @Test func `a submission with an empty document is accepted`() async throws {
        let spool = try await files.open()
        let job = try await spool.submit("empty", text: "")
        #expect(job.documents.map(\.bytes) == [0])
        let path = try await spool.documents(of: job.id)[0].path
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
    }

    @Test func `the property 'head' of a document contains the first 1,024 bytes, regardless of the chunk sizes`()
        throws
    {
        let document = try Spool(folder: files.folder, clock: Spool.systemTime, medium: files.medium()).makeIncoming()
        for byte in 0..<2000 { try document.write([UInt8(byte % 251)]) }
        #expect(document.head == (0..<1024).map { UInt8($0 % 251) })
        #expect(document.bytes == 2000)
    }

    @Test func `a repeated submission by the same owner creates one job, even if the submissions are concurrent`()
        async throws
    {
        let spool = try await files.open()
        let first = try await spool.submit(owner: "ada", submissionID: "x")
        #expect(try await spool.submit(owner: "ada", submissionID: "x").id == first.id)
        #expect(try await spool.submit(owner: "bob", submissionID: "x").id != first.id)

        let ids = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    let large = spool.makeIncoming()
                    try large.write([UInt8](repeating: 0, count: 70_000))
                    let submission = Submission(printer: "laser", owner: "eve", name: "again", submissionID: "y")
                    return try await spool.submit(submission, documents: [(large, name: nil, format: .pdf)]).id
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try await spool.jobs(JobFilter(owner: "eve")).count == 1)
        #expect(files.names(in: "incoming").isEmpty)
        #expect(files.names(in: "jobs") == ["\(ids.first!)"])
    }

    @Test(.requiresSQLite("the test reads files of SQLite"))
    func `200 concurrent submissions share commits and have distinct IDs in the order of the event log`()
        async throws
    {
        let spool = try await files.open()
        let before = try Database(files).commits()
        let ids = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<200 { group.addTask { try await spool.submit("\(index)").id } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ids.sorted() == Array(1...200))
        #expect(try await spool.jobs().map(\.id) == Array(1...200))
        let events = try await spool.events(after: 0).filter { $0.kind == "job-created" }
        #expect(events.map(\.jobID) == Array(1...200))
        let commits = try Database(files).commits() - before
        #expect(commits < 150, "\(commits) commits for 200 jobs")
    }

    @Test(.requiresSQLite("the test reads files of SQLite"))
    func `a single submission causes only one database commit`() async throws {
        let spool = try await files.open()
        let before = try Database(files).commits()
        try await spool.submit()
        #expect(try Database(files).commits() == before + 1)
    }

    @Test func `a refused submission does not affect the other jobs of the same commit`() async throws {
        let spool = try await files.open()
        let outcomes = await withTaskGroup(of: SpoolError.Code?.self) { group in
            for index in 0..<60 {
                group.addTask {
                    await code { try await spool.submit("\(index)", to: index.isMultiple(of: 3) ? "nowhere" : "laser") }
                }
            }
            return await group.reduce(into: [SpoolError.Code?]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .noSuchPrinter } == 20)
        #expect(outcomes.count { $0 == nil } == 40)
        #expect(try await spool.jobs().count == 40)
    }

    @Test func `a job for a printer that is not accepting jobs is refused`() async throws {
        let spool = try await files.open()
        try await spool.setAccepting(false, printer: "laser")
        #expect(await code { try await spool.submit() } == .notAccepting)
        try await spool.setAccepting(true, printer: "laser")
        #expect(await code { try await spool.submit() } == nil)
    }

    @Test func `an incoming document leaves no file if the document is not submitted`() async throws {
        let spool = try await files.open()
        do {
            let document = spool.makeIncoming()
            try document.write([UInt8](repeating: 0, count: 100_000))
            #expect(files.names(in: "incoming").count == 1)
        }
        #expect(files.names(in: "incoming").isEmpty)
    }
}

struct CreateJobTests {
    let files = TestSpool()

    @Test func `a job with several documents is not printed before the last document arrives`() async throws {
        let spool = try await files.open()
        let job = try await spool.createJob(Submission(printer: "laser", owner: "ada", name: "two"))
        #expect(job.state == .pendingHeld)
        #expect(job.reasons == [.jobIncoming])
        #expect(try await spool.claim(fromPrinters: ["laser"]) == nil)
        let half = try await spool.addDocument(
            spool.document("one"), name: "a", format: .text, to: job.id, isLast: false)
        #expect(half.state == .pendingHeld)
        let large = spool.makeIncoming()
        try large.write([UInt8](repeating: 3, count: 70_000))
        let whole = try await spool.addDocument(large, name: "b", format: .pdf, to: job.id, isLast: true)
        #expect(whole.state == .pending)
        #expect(whole.documents.map(\.number) == [1, 2])
        #expect(files.names(in: "jobs/\(job.id)").count == 1)
        #expect(
            await code {
                _ = try await spool.addDocument(
                    spool.document("late"), name: nil, format: .text, to: job.id, isLast: true)
            } == .notPossible)
        #expect(try await spool.nextDueTime() == nil)
    }

    @Test func `a repeated document with the same number is added once, and no number is left out`() async throws {
        let spool = try await files.open()
        let job = try await spool.createJob(Submission(printer: "laser", owner: "ada", name: "two", submissionID: "x"))
        func add(_ number: Int, isLast: Bool = false) async throws -> Job {
            try await spool.addDocument(
                spool.document("\(number)"), name: nil, format: .text, to: job.id, number: number, isLast: isLast)
        }
        #expect(await code { _ = try await add(2) } == .notPossible)
        _ = try await add(1)
        #expect(try await add(1).documents.count == 1)
        let large = spool.makeIncoming()
        try large.write([UInt8](repeating: 3, count: 70_000))
        #expect(
            try await spool.addDocument(large, name: "b", format: .pdf, to: job.id, number: 1, isLast: false)
                .documents.count == 1)
        #expect(files.names(in: "jobs/\(job.id)").isEmpty, "a repeated large document is removed")
        #expect(try await add(2, isLast: true).state == .pending)
        let again = try await add(2, isLast: true)
        #expect(again.state == .pending && again.documents.count == 2)
        #expect(await code { _ = try await add(3) } == .notPossible)
    }

    @Test func `after a job is closed, the job no longer waits for documents, but a held job remains held`()
        async throws
    {
        let spool = try await files.open()
        var ticket = JobTicket()
        ticket.holdUntil = .indefinite
        let job = try await spool.createJob(Submission(printer: "laser", owner: "ada", name: "held", ticket: ticket))
        #expect(job.reasons == [.jobIncoming, .jobHoldUntilSpecified])
        _ = try await spool.addDocument(spool.document("x"), name: nil, format: .text, to: job.id, isLast: false)
        let closed = try await spool.closeJob(job.id)
        #expect(closed.state == .pendingHeld)
        #expect(closed.reasons == [.jobHoldUntilSpecified])
        #expect(try await spool.change(job.id, .releaseRequested).job.state == .pending)
    }

    @Test
    func `if a job is closed without a document, it is aborted, and a second attempt to close the job is refused`()
        async throws
    {
        let spool = try await files.open()
        let job = try await spool.createJob(Submission(printer: "laser", owner: "ada", name: "empty"))
        let closed = try await spool.closeJob(job.id)
        #expect(closed.state == .aborted)
        #expect(closed.reasons == [.errorsDetected, .abortedBySystem])
        #expect(closed.message.contains("no document"))
        #expect(try await spool.nextDueTime() == nil)
        #expect(await code { _ = try await spool.closeJob(job.id) } == .notPossible)
        #expect(try await spool.job(job.id) == closed)
    }

    @Test func `a job is aborted if no document arrives before the timeout, and each document extends the timeout`()
        async throws
    {
        let spool = try await files.open()
        let job = try await spool.createJob(Submission(printer: "laser", owner: "ada", name: "late"))
        #expect(try await spool.nextDueTime() == files.clock.now + 300)
        files.clock.advance(by: 299)
        #expect(try await spool.releaseDueJobs().isEmpty)
        _ = try await spool.addDocument(spool.document("x"), name: nil, format: .text, to: job.id, isLast: false)
        files.clock.advance(by: 299)
        #expect(try await spool.releaseDueJobs().isEmpty)
        files.clock.advance(by: 1)
        let ended = try await spool.releaseDueJobs()
        #expect(ended.map(\.state) == [.aborted])
        #expect(ended[0].reasons.contains(.multipleOperationTimeOut))
        #expect(try await spool.nextDueTime() == nil)
    }

    @Test func `an upload in progress extends the timeout of its job`() async throws {
        let spool = try await files.open()
        let job = try await spool.createJob(Submission(printer: "laser", owner: "ada", name: "slow"))
        let document = spool.makeIncoming(for: job.id)
        files.clock.advance(by: 301)
        #expect(try await spool.releaseDueJobs().isEmpty)
        #expect(try await spool.nextDueTime() == files.clock.now + 300)
        document.discard()
        files.clock.advance(by: 301)
        #expect(try await spool.releaseDueJobs().map(\.state) == [.aborted])
    }
}
