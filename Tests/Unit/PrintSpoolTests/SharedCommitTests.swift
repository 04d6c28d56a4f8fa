import Foundation
import PrintModel
import PrintSpool
import Synchronization
import Testing

struct SharedCommitTests {
    let files = TestSpool()

    private static func bytes(_ number: Int) -> [UInt8] { [UInt8](repeating: UInt8(number), count: 70_000) }

    @Test func `if a submission fails, the documents of other submissions in the same commit are not affected`()
        async throws
    {
        let spool = try await files.open()
        let outcomes = try await withThrowingTaskGroup(of: (number: Int, id: Int?).self) { group in
            for number in 0..<40 {
                group.addTask {
                    let large = spool.makeIncoming()
                    try large.write(Self.bytes(number))
                    var documents: [(IncomingDocument, name: String?, format: DocumentFormat)] = [(large, nil, .pdf)]
                    // The table refuses a document without a format. The first document is already in the job folder.
                    let isGood = number.isMultiple(of: 2)
                    if !isGood { documents.append((try spool.document(""), nil, DocumentFormat(rawValue: ""))) }
                    let submission = Submission(printer: "laser", owner: "ada", name: "\(number)")
                    let job = try? await spool.submit(submission, documents: documents)
                    return (number, job?.id)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for (number, id) in outcomes {
            #expect((id != nil) == number.isMultiple(of: 2))
            guard let id else { continue }
            let path = try await spool.documents(of: id)[0].path
            #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) == Self.bytes(number))
        }
        let ids = try await spool.jobs().map(\.id)
        // The ids of refused submissions are not used again.
        #expect(ids.count == 20 && ids == ids.sorted())
        #expect(files.names(in: "incoming").isEmpty)
        if !TestStore.isPostgreSQL { #expect(files.names(in: "jobs").compactMap { Int($0) }.sorted() == ids) }
    }

    @Test func `if a write fails after it has changed a row, other writes in the same commit are not affected`()
        async throws
    {
        let spool = try await files.open()
        let large = spool.makeIncoming()
        try large.write([UInt8](repeating: 1, count: 70_000))
        let gone = try await spool.submit(
            Submission(printer: "laser", owner: "ada", name: "gone"), documents: [(large, name: nil, format: .pdf)])
        try FileManager.default.removeItem(atPath: files.folder + "/jobs/\(gone.id)")
        // A resubmission inserts a row before it detects that a document is missing.
        let outcomes = await withTaskGroup(of: SpoolError.Code?.self) { group in
            for index in 0..<60 {
                group.addTask {
                    await code {
                        guard index.isMultiple(of: 3) else { return _ = try await spool.submit("\(index)") }
                        let again = Submission(printer: "laser", owner: "ada", name: "again")
                        _ = try await spool.resubmit(gone.id, as: again)
                    }
                }
            }
            return await group.reduce(into: [SpoolError.Code?]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 40)
        #expect(try await spool.jobs().map(\.id) == Array(1...41))
        let created = try await spool.events(after: 0).filter { $0.kind == "job-created" }
        #expect(created.map(\.jobID) == Array(1...41))
    }

    @Test func `writes to the spool take effect in the order of the calls`() async throws {
        let spool = try await files.open()
        let id = try await spool.submit().id
        try await spool.change(id, .claimed)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for page in 1...50 {
                group.addTask { try await spool.change(id, .progressed(impressions: page, sheets: page)) }
            }
            try await group.waitForAll()
        }
        try await spool.change(id, .delivered(warning: nil))
        let events = try await spool.events(after: 0, jobID: id)
        #expect(events.first?.kind == "job-created")
        #expect(events.last?.kind == "job-completed")
        #expect(try await spool.job(id)?.impressionsCompleted == 50)
    }

    @Test(.requiresSQLite("the test reads files of SQLite"))
    func `events are synced to disk if they prevent double printing after a power failure`() async throws {
        let statements = Mutex<[String]>([])
        let spool = try await files.open(trace: { sql in statements.withLock { $0.append(sql) } })
        let id = try await spool.submit().id
        /// Applies an event, and returns the pragma of the commit.
        func level(_ news: JobStateMachine.Event) async throws -> String? {
            try await spool.change(id, news)
            return statements.withLock { $0.last { $0.hasPrefix("PRAGMA synchronous = ") } }
        }
        let (forced, ordered) = ("PRAGMA synchronous = FULL", "PRAGMA synchronous = NORMAL")
        #expect(try await level(.claimed) == ordered)
        #expect(try await level(.prepared(impressions: 2, sheets: 2, notice: nil)) == ordered)
        #expect(try await level(.createdAtPrinter(RemoteJob(id: 7, uuid: nil))) == forced)
        #expect(try await level(.sent) == ordered)
        #expect(try await level(.progressed(impressions: 1, sheets: 1)) == ordered)
        #expect(try await level(.printerStopped(message: "No paper")) == ordered)
        #expect(try await level(.printerResumed) == ordered)
        #expect(try await level(.delivered(warning: nil)) == forced)
        try await spool.submit()
        #expect(try await spool.synchronousLevel() == 2)
    }

    @Test(.requiresSQLite("the test reads files of SQLite"))
    func `the stored progress of a job is kept after the spool is closed and after the process is killed`() async throws
    {
        let spool = try await files.open()
        let id = try await spool.submit().id
        try await spool.change(id, .claimed)
        try await spool.change(id, .progressed(impressions: 3, sheets: 2))
        let killed = try await files.copyAsKilled().open()
        #expect(try await killed.job(id)?.impressionsCompleted == 3)
        try spool.close()
        #expect(try await files.open().job(id)?.sheetsCompleted == 2)
    }
}
