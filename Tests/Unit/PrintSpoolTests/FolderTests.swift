import Foundation
import PrintModel
import PrintTestSupport
import Testing

@testable import PrintSpool

struct FolderTests {
    let files = TestSpool()

    @Test(.requiresSQLite("the test reads files of SQLite"))
    func `only the owner can read the files of a spool`() async throws {
        let spool = try await files.open()
        let large = spool.makeIncoming()
        try large.write([UInt8](repeating: 1, count: 70_000))
        try await spool.submit(
            Submission(printer: "laser", owner: "ada", name: "x"), documents: [(large, name: nil, format: .pdf)])
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: files.folder + "/" + path)[.posixPermissions] as? Int
        }
        for folder in ["", "incoming", "jobs", "output", "jobs/1"] { #expect(try mode(folder) == 0o700, "\(folder)") }
        for file in ["spool.sqlite", "spool.sqlite-wal", "lock", "jobs/1/document-1.pdf"] {
            #expect(try mode(file) == 0o600, "\(file)")
        }
    }

    @Test func `only the owner can read the file with the name of the spool's folder, and the name stays the same`()
        throws
    {
        let folder = try TemporaryFolder()
        let first = try HostProcess(host: "a", databasePath: folder.path("spool.sqlite"))
        #expect(try HostProcess(host: "a", databasePath: folder.path("spool.sqlite")).folder == first.folder)
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.path("host"))
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["host"])
    }

    @Test func `a spool cannot be opened twice at the same time`() async throws {
        let spool = try await files.open()
        #expect(await code { _ = try await files.open() } == .locked)
        try spool.close()
        #expect(await code { try await spool.submit() } == .closed)
        #expect(await code { _ = try await spool.jobs() } == .closed)
        #expect(await code { _ = try await files.open() } == nil)
    }

    @Test(.requiresSQLite("the database of PostgreSQL is not in the folder"))
    func `a reopened spool keeps its identity, and a new spool in the same folder has a new identity`()
        async throws
    {
        let first = try await files.open()
        let identity = first.identity
        #expect(identity.count == 32)
        try first.close()
        let again = try await files.open()
        #expect(again.identity == identity)
        try again.close()
        try FileManager.default.removeItem(atPath: files.folder)
        #expect(try await files.open().identity != identity)
    }

    @Test(.requiresSQLite("the test reads files of SQLite"))
    func `if spool.sqlite is not a database, opening the spool fails with an error that names the file`()
        async throws
    {
        try FileManager.default.createDirectory(atPath: files.folder, withIntermediateDirectories: true)
        try String(repeating: "no database at all ", count: 100).write(
            toFile: files.folder + "/spool.sqlite", atomically: true, encoding: .utf8)
        let error = await #expect(throws: SpoolError.self) { _ = try await files.open() }
        #expect(error?.code == .corrupt)
        #expect(error?.message.contains("spool.sqlite") == true)
    }

    @Test func `if the spool folder cannot be created, opening the spool fails`() async throws {
        #expect(await code { _ = try Spool(folder: "/dev/null/spool") } == .unwritable)
    }
}

/// Tests of a full disk, with a small file system that only root can mount.
@Suite(.requiresSQLite("the test fills the disk of the database"))
struct FullDiskTests {
    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small file system"))
    func `with a full disk, jobs are refused until space is free, and no accepted job is lost`() async throws {
        let disk = try SmallDisk(megabytes: 32)
        let files = TestSpool(in: disk.path)
        let spool = try await files.open()

        // A large document does not fit on the disk.
        let large = spool.makeIncoming()
        #expect(
            await code {
                for _ in 0..<400 { try large.write([UInt8](repeating: 0, count: 65_536)) }
            } == .noSpace)
        #expect(files.names(in: "incoming").isEmpty)

        // Small documents fill the disk, many at the same time.
        let text = String(repeating: "x", count: 60_000)
        var accepted: Set<Int> = []
        var refusals: [SpoolError.Code] = []
        while refusals.isEmpty {
            let results = await withTaskGroup(of: Result<Int, any Error>.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        do { return .success(try await spool.submit(text: text).id) } catch { return .failure(error) }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for result in results {
                switch result {
                case .success(let id): accepted.insert(id)
                case .failure(let error): refusals.append((error as? SpoolError)?.code ?? .inconsistent)
                }
            }
        }
        #expect(refusals.allSatisfy { $0 == .noSpace })
        #expect(accepted.count > 10)
        #expect(try await Set(spool.jobs().map(\.id)) == accepted)

        // With free space, the queue continues, and contains every job after a restart.
        try disk.resize(megabytes: 48)
        accepted.insert(try await spool.submit(text: text).id)
        try spool.close()
        #expect(try await Set(files.open().jobs().map(\.id)) == accepted)
    }

    /// Submits jobs until the disk is full, and then fills the rest of the disk.
    private func fill(_ disk: SmallDisk, with spool: Spool) async throws -> [Int] {
        var accepted: [Int] = []
        for text in [String(repeating: "x", count: 60_000), "x"] {
            while await code(of: { accepted.append(try await spool.submit(text: text).id) }) == nil {}
        }
        try disk.fill()
        return accepted
    }

    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small file system"))
    func `with a full disk, jobs can be canceled and deleted, and printers can be changed`() async throws {
        let disk = try SmallDisk(megabytes: 40)
        let files = TestSpool(in: disk.path)
        let spool = try await files.open()
        let accepted = try await fill(disk, with: spool)
        #expect(accepted.count > 20)

        try await spool.pausePrinter(named: "laser")
        try await spool.resumePrinter(named: "laser")
        try await spool.update(accepted[0], name: "changed")
        try await withThrowingTaskGroup { group in
            for id in accepted { group.addTask { _ = try await spool.change(id, .cancelRequested(byOperator: false)) } }
            try await group.waitForAll()
        }
        try await spool.forgetEndedJobs()
        #expect(try await spool.jobs(JobFilter(.all)).isEmpty)

        // The space of the log completes the reserve, so that new jobs are accepted.
        try await spool.submit()
        try disk.fill()
        // New jobs would use the reserve.
        #expect(await code { try await spool.submit() } == .noSpace)
        #expect(
            await code {
                try spool.makeIncoming().write([UInt8](repeating: 0, count: 65_537))
            } == .noSpace)
        disk.empty()
        try await spool.submit()
        try await spool.renewReserve()
        var status = stat()
        #expect(stat(files.folder + "/reserve", &status) == 0 && status.st_size == 16 << 20)
        try spool.close()
    }

    @Test(.enabled(if: SmallDisk.isPossible, "only root can mount a small file system"))
    func `a spool is opened on a full disk, and its jobs can be canceled`() async throws {
        let disk = try SmallDisk(megabytes: 40)
        let files = TestSpool(in: disk.path)
        let spool = try await files.open()
        let accepted = try await fill(disk, with: spool)
        try spool.close()
        try disk.fill()

        let again = try await files.open()
        #expect(try await again.jobs().map(\.id).sorted() == accepted)
        for id in accepted { try await again.change(id, .cancelRequested(byOperator: false)) }
        try again.close()
    }
}

/// A file system in memory that is mounted for one test.
final class SmallDisk: Sendable {
    let path = NSTemporaryDirectory() + "/printq-disk-" + UUID().uuidString

    /// Whether this process may mount a file system.
    static let isPossible: Bool = {
        guard getuid() == 0, let disk = try? SmallDisk(megabytes: 1) else { return false }
        return FileManager.default.fileExists(atPath: disk.path)
    }()

    init(megabytes: Int) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard try run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "tmpfs", path) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    deinit {
        _ = try? run("umount", "--lazy", path)
        try? FileManager.default.removeItem(atPath: path)
    }

    func resize(megabytes: Int) throws {
        _ = try run("mount", "-o", "remount,size=\(megabytes)m", path)
    }

    /// Fills the file system, as another program could.
    func fill() throws {
        let file = open(ballast, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw CocoaError(.fileWriteUnknown) }
        defer { close(file) }
        for size in [1 << 20, 4096] {
            let bytes = [UInt8](repeating: 0, count: size)
            while write(file, bytes, bytes.count) > 0 {}
        }
    }

    /// Frees the space that `fill` has used.
    func empty() { unlink(ballast) }

    private var ballast: String { "\(path)/ballast" }

    private func run(_ name: String, _ arguments: String...) throws -> Int32 {
        try ChildProgram(name, arguments).finish().code
    }
}
