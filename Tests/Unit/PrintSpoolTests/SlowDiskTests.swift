import AsyncPrimitives
import Dispatch
import PrintModel
import PrintTestSupport
import Synchronization
import Testing

@testable import PrintSpool

/// Tests of a disk that takes very long to store the names of files and to remove files.
@Suite(.timeLimit(.minutes(1)))
struct SlowDiskTests {
    private let folder: TemporaryFolder
    private let disk = StalledFolders()

    init() throws { folder = try TemporaryFolder() }

    private func open() async throws -> Spool {
        let disk = SpoolMedium.disk
        let medium = SpoolMedium(
            files: self.disk, checkDatabase: disk.checkDatabase, openDatabase: disk.openDatabase,
            makeName: disk.makeName)
        let spool = try Spool(folder: folder.path("spool"), clock: Spool.systemTime, medium: medium)
        try await spool.addPrinter(ConfiguredPrinter(name: "laser", deviceURI: "test:laser"))
        return spool
    }

    private func submitLarge(to spool: Spool) async throws -> Int {
        let large = spool.makeIncoming()
        try large.write([UInt8](repeating: 9, count: 70_000))
        return try await spool.submit(
            Submission(printer: "laser", owner: "ada", name: "large"), documents: [(large, name: nil, format: .pdf)]
        ).id
    }

    /// Checks that jobs can be submitted and canceled while `slow` waits for the disk.
    private func check(_ spool: Spool, while slow: @escaping @Sendable () async throws -> Int) async throws {
        disk.stall()
        async let id = slow()
        await disk.untilStalled()
        let isDone = Signal()
        let others = Task {
            defer { isDone.give() }
            let job = try await spool.submit("small")
            try await spool.change(job.id, .cancelRequested(byOperator: false))
            return job.id
        }
        let isInTime = await outcome(within: .seconds(20)) {
            await isDone.wait()
            return !Task.isCancelled
        }
        // A sweep finds the folder of a job that is not in the database yet.
        let removed = isInTime == true ? try await spool.sweep() : 0
        disk.go()
        #expect(isInTime == true, "other writes wait for the disk")
        #expect(removed == 0)
        let ids = (slow: try await id, small: try await others.value)
        #expect(ids.slow != ids.small)
        #expect(try await spool.documents(of: ids.slow).count == 1)
        #expect(try await spool.jobs().map(\.id) == [ids.slow])
    }

    @Test func `while the disk stores the name of a large document, other jobs are submitted and canceled`()
        async throws
    {
        let spool = try await open()
        try await check(spool) { try await submitLarge(to: spool) }
    }

    @Test func `while the disk stores the name of a further large document, other jobs are submitted and canceled`()
        async throws
    {
        let spool = try await open()
        let job = try await spool.createJob(Submission(printer: "laser", owner: "ada", name: "parts"))
        try await check(spool) {
            let large = spool.makeIncoming(for: job.id)
            try large.write([UInt8](repeating: 9, count: 70_000))
            return try await spool.addDocument(large, name: nil, format: .pdf, to: job.id, isLast: true).id
        }
    }

    @Test func `while the disk stores the name of a reprinted document, other jobs are submitted and canceled`()
        async throws
    {
        let spool = try await open()
        let old = try await submitLarge(to: spool)
        try await spool.complete(old)
        try await check(spool) {
            try await spool.resubmit(old, as: Submission(printer: "laser", owner: "ada", name: "again")).id
        }
    }

    @Test func `a job ends and is removed while the disk removes its files`() async throws {
        let spool = try await open()
        let (canceled, second) = (try await submitLarge(to: spool), try await submitLarge(to: spool))
        for id in [canceled, second] { _ = try await spool.documents(of: id) }
        disk.stall()
        try await spool.change(canceled, .cancelRequested(byOperator: false))
        try await spool.change([(second, .cancelRequested(byOperator: false))])
        try await spool.forgetEndedJobs()
        #expect(try await spool.jobs(JobFilter(.all)).isEmpty)
        await disk.untilStalled()
        let names = { disk.names(in: folder.path("spool/jobs")).sorted() }
        #expect(names() == ["\(canceled)", "\(second)"])
        disk.go()
        await spool.finishRemovals()
        #expect(names() == [])
    }

    @Test func `the documents of an ended job are read after the removal of its files`() async throws {
        let spool = try await open()
        let job = try await spool.submit("small")
        _ = try await spool.documents(of: job.id)
        disk.stall()
        try await spool.change(job.id, .cancelRequested(byOperator: false))
        await disk.untilStalled()
        async let documents = spool.documents(of: job.id)
        disk.go()
        let path = try await documents[0].path
        await spool.finishRemovals()
        #expect(disk.isReadable(path))
    }

    @Test func `two large documents of a job that arrive together are both kept`() async throws {
        let spool = try await open()
        let job = try await spool.createJob(Submission(printer: "laser", owner: "ada", name: "parts"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...8 {
                group.addTask {
                    let large = spool.makeIncoming(for: job.id)
                    try large.write([UInt8](repeating: UInt8(number), count: 70_000))
                    _ = try await spool.addDocument(
                        large, name: "\(number)", format: .pdf, to: job.id, isLast: false)
                }
            }
            try await group.waitForAll()
        }
        #expect(try await spool.closeJob(job.id).documents.count == 8)
        for document in try await spool.documents(of: job.id) {
            let number = try #require(document.name.flatMap { UInt8($0) })
            #expect(text(of: document.path).utf8.elementsEqual(repeatElement(number, count: 70_000)))
        }
    }
}

/// The file system of the machine, on which the syncs and the removals of the folders of jobs can be stalled.
private final class StalledFolders: FileSystem {
    private let system = POSIXFileSystem()
    private let isStalling = Atomic(false)
    private let isOpen = DispatchSemaphore(value: 0)
    private let isStalled = Signal()

    func stall() { isStalling.store(true, ordering: .relaxed) }
    func untilStalled() async { await isStalled.wait() }

    func go() {
        isStalling.store(false, ordering: .relaxed)
        isOpen.signal()
    }

    private func wait(for path: String) {
        if path.contains("/jobs/"), isStalling.load(ordering: .relaxed) {
            isStalled.give()
            isOpen.wait()
            isOpen.signal()
        }
    }

    func syncFolder(_ path: String) throws(SystemCallError) {
        wait(for: path)
        try system.syncFolder(path)
    }

    func remove(_ path: String) {
        wait(for: path)
        system.remove(path)
    }

    func create(_ path: String) throws(SystemCallError) -> Int32 { try system.create(path) }
    func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemCallError) {
        try system.write(bytes, to: descriptor)
    }
    func sync(_ descriptor: Int32) throws(SystemCallError) { try system.sync(descriptor) }
    func close(_ descriptor: Int32) { system.close(descriptor) }
    func rename(_ path: String, to newPath: String) throws(SystemCallError) { try system.rename(path, to: newPath) }
    func link(_ path: String, to newPath: String) throws(SystemCallError) { try system.link(path, to: newPath) }
    func makeFolder(_ path: String) throws(SystemCallError) { try system.makeFolder(path) }
    func makeFolders(_ path: String) throws { try system.makeFolders(path) }
    func names(in folder: String) -> [String] { system.names(in: folder) }
    func isReadable(_ path: String) -> Bool { system.isReadable(path) }
    func lock(_ path: String) throws(SystemCallError) -> Int32? { try system.lock(path) }
    func unlock(_ descriptor: Int32) { system.unlock(descriptor) }
    func perform(_ work: @escaping @Sendable () -> Void) { system.perform(work) }
}
