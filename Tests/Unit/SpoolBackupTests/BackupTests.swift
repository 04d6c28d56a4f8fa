import Foundation
import PrintModel
import PrintSpool
import PrintTestSupport
import Synchronization
import Testing

@testable import SpoolBackup

/// Tests of backups and restored spools.
struct BackupTests {
    let folder: TemporaryFolder
    /// The path of the spool that is saved.
    var spoolPath: String { folder.path("spool") }
    /// The path of the spool that is restored.
    var newPath: String { folder.path("new") }

    init() throws { folder = try TemporaryFolder() }

    private func makeSpool() async throws -> Spool {
        let spool = try Spool(folder: spoolPath)
        try await spool.addPrinter(ConfiguredPrinter(name: "laser", deviceURI: "printsim:laser"))
        for name in ["access", "types"] {
            try FileManager.default.createDirectory(atPath: "\(spoolPath)/\(name)", withIntermediateDirectories: true)
        }
        try "{}".write(toFile: "\(spoolPath)/access/laser.json", atomically: false, encoding: .utf8)
        try "{keepJobs: 5}".write(toFile: "\(spoolPath)/printd.json5", atomically: false, encoding: .utf8)
        return spool
    }

    /// Submits a job with one document.
    @discardableResult
    private func submit(
        _ name: String, bytes: Int, to spool: Spool, held: HoldUntil? = nil
    ) async throws -> Job {
        let document = spool.makeIncoming()
        try document.write((0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        var ticket = JobTicket()
        ticket.holdUntil = held
        return try await spool.submit(
            Submission(printer: "laser", owner: "ada", name: name, ticket: ticket),
            documents: [(document, name: "\(name).pdf", format: .pdf)])
    }

    private func archive(of spool: Spool, includesSecrets: Bool = true) throws -> BackupArchive {
        try BackupArchive(of: spool, settingsFile: "\(spoolPath)/printd.json5", includesSecrets: includesSecrets)
    }

    private func bytes(of archive: BackupArchive) async throws -> [UInt8] {
        let bytes = Mutex<[UInt8]>([])
        try await archive.send { piece in bytes.withLock { $0 += piece } }
        return bytes.withLock { $0 }
    }

    @discardableResult
    private func restore(_ bytes: [UInt8], to path: String, replaces: Bool = false) async throws
        -> SpoolRestoration.Result
    {
        let file = folder.path(UUID().uuidString)
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let descriptor = open(file, O_RDONLY)
        defer { close(descriptor) }
        return try await SpoolRestoration(of: path, replaces: replaces).restore(from: descriptor)
    }

    private func names(in path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }

    // MARK: - Restoring

    @Test func `a restored spool has the jobs, documents, printers and settings of the backup`() async throws {
        let spool = try await makeSpool()
        let small = try await submit("small", bytes: 100, to: spool)
        let large = try await submit("large", bytes: 300_000, to: spool)
        let held = try await submit("held", bytes: 10, to: spool, held: .indefinite)
        let tomorrow = Spool.systemTime() + 86_400
        let timed = try await submit("timed", bytes: 10, to: spool, held: .time(tomorrow))
        for id in [small.id, large.id] { try await spool.change(id, .claimed) }
        try await spool.change(small.id, .delivered(warning: nil))
        let waiting = try await submit("waiting", bytes: 70_000, to: spool)
        let bytes = try await bytes(of: archive(of: spool))
        let later = try await submit("later", bytes: 10, to: spool)
        try spool.close()

        let result = try await restore(bytes, to: newPath)
        #expect(result.suspendedJobs == 2)
        #expect(result.manifest.program == Release.version && result.manifest.hasSecrets)
        #expect(!names(in: folder.path).contains { $0.contains("restoring") })
        let restored = try Spool(folder: newPath)
        #expect(restored.identity == spool.identity)
        #expect(try await restored.printers().map(\.name) == ["laser"])
        #expect(try await restored.job(small.id)?.state == .completed)
        #expect(try await restored.job(held.id)?.state == .pendingHeld)
        #expect(try await restored.job(timed.id)?.state == .pendingHeld)
        #expect(try await restored.job(timed.id)?.heldUntil == tomorrow)
        for id in [large.id, waiting.id] {
            let job = try #require(try await restored.job(id))
            #expect(job.reasons == [.jobSuspended])
            #expect(job.message.contains("restored from the backup of") && job.message.contains("printq resume \(id)"))
        }
        #expect(try await restored.claim(fromPrinters: ["laser"]) == nil)
        for job in [large, waiting] {
            let path = "jobs/\(job.id)/document-1.pdf"
            #expect(
                FileManager.default.contentsEqual(atPath: "\(spoolPath)/\(path)", andPath: "\(newPath)/\(path)"))
        }
        #expect(names(in: newPath + "/access") == ["laser.json"])
        #expect(try String(contentsOfFile: newPath + "/printd.json5", encoding: .utf8) == "{keepJobs: 5}")
        #expect(try await submit("new", bytes: 10, to: restored).id > later.id)
        try await restored.change(waiting.id, .releaseRequested)
        #expect(try await restored.claim(fromPrinters: ["laser"])?.id == waiting.id)
        try restored.close()
    }

    @Test func `tar extracts a backup, and sha256sum confirms the checksums of its files`() async throws {
        let spool = try await makeSpool()
        try await submit("large", bytes: 100_000, to: spool)
        try Data(try await bytes(of: archive(of: spool))).write(to: URL(fileURLWithPath: folder.path("backup.tar")))
        try spool.close()
        let tar = try ChildProgram("tar", ["-C", folder.path, "-xvf", folder.path("backup.tar")]).finish()
        #expect(tar.code == 0, "\(tar.output)")
        #expect(tar.output.contains("printq-backup/spool.sqlite"))
        let sums = try ChildProgram(
            "sh", ["-c", "cd '\(folder.path("printq-backup"))' && sha256sum --strict --check SHA256SUMS"]
        ).finish()
        #expect(sums.code == 0, "\(sums.output)")
        #expect(sums.output.contains("jobs/1/document-1.pdf: OK"))
    }

    @Test func `a backup without secrets contains no credentials of printers`() async throws {
        let spool = try await makeSpool()
        let bytes = try await bytes(of: archive(of: spool, includesSecrets: false))
        try spool.close()
        #expect(try await !restore(bytes, to: newPath).manifest.hasSecrets)
        #expect(names(in: newPath + "/access") == [])
    }

    @Test func `if documents are deleted during a backup, the documents remain on disk until the backup ends`()
        async throws
    {
        let spool = try await makeSpool()
        let job = try await submit("large", bytes: 100_000, to: spool)
        try await spool.change(job.id, .claimed)
        try await spool.change(job.id, .delivered(warning: nil))
        let archive = try archive(of: spool)
        try await spool.dropDocuments(keepSeconds: -1)
        try await spool.sweep()
        #expect(names(in: spoolPath + "/jobs/\(job.id)") == ["document-1.pdf"])
        let bytes = try await bytes(of: archive)
        #expect(names(in: spoolPath + "/jobs") == [], "the end of the backup removes the document")
        #expect(names(in: spoolPath + "/incoming") == [], "the copy of the database is removed")
        try spool.close()
        try await restore(bytes, to: newPath)
        #expect(names(in: newPath + "/jobs/\(job.id)") == ["document-1.pdf"])
    }

    @Test func `if a backup is discarded before its transfer, the spool no longer keeps documents for the backup`()
        async throws
    {
        let spool = try await makeSpool()
        do { _ = try archive(of: spool) }
        try await eventually("the copy of the database is removed", in: spoolPath + "/incoming") {
            names(in: spoolPath + "/incoming") == []
        }
        let job = try await submit("large", bytes: 100_000, to: spool)
        try await spool.change(job.id, .cancelRequested(byOperator: false))
        try await spool.dropDocuments(keepSeconds: -1)
        #expect(names(in: spoolPath + "/jobs") == [])
        try spool.close()
    }

    // MARK: - Existing spools

    @Test
    func `if 'replaces' is true, a restore renames the existing spool; otherwise a spool that is not empty is refused`()
        async throws
    {
        let spool = try await makeSpool()
        try await submit("old", bytes: 10, to: spool)
        let bytes = try await bytes(of: archive(of: spool))
        await #expect(throws: BackupError.self, "printd has the spool open") {
            try await restore(bytes, to: spoolPath, replaces: true)
        }
        try await submit("newer", bytes: 10, to: spool)
        try spool.close()
        await #expect {
            try await restore(bytes, to: spoolPath)
        } throws: { error in
            (error as? BackupError)?.code == .notEmpty
        }
        let result = try await restore(bytes, to: spoolPath, replaces: true)
        #expect(result.replaced == spoolPath + ".before-restore")
        let old = try Spool(folder: spoolPath + ".before-restore")
        #expect(try await old.jobs().map(\.name) == ["old", "newer"])
        try old.close()
        let new = try Spool(folder: spoolPath)
        #expect(try await new.jobs().map(\.name) == ["old"])
        #expect(try await submit("next", bytes: 10, to: new).id > 1000)
        try new.close()
    }

    @Test func `a restore into an existing empty folder succeeds`() async throws {
        let spool = try await makeSpool()
        try await submit("large", bytes: 100_000, to: spool)
        let bytes = try await bytes(of: archive(of: spool))
        try spool.close()
        try FileManager.default.createDirectory(atPath: newPath, withIntermediateDirectories: true)
        try await restore(bytes, to: newPath)
        let restored = try Spool(folder: newPath)
        #expect(try await restored.jobs().map(\.name) == ["large"])
        #expect(!names(in: newPath).contains { $0.contains("restoring") })
        try restored.close()
    }

    // MARK: - Hostile archives

    /// Expects that an archive is refused, and that no file remains.
    private func expectRefusal(
        _ bytes: [UInt8], _ what: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = names(in: folder.path)
        await #expect(throws: BackupError.self, "\(what)", sourceLocation: sourceLocation) {
            try await restore(bytes, to: newPath)
        }
        let added = Set(names(in: folder.path)).subtracting(before)
        #expect(added.count == 1, "only the archive of the test: \(added)", sourceLocation: sourceLocation)
        try? FileManager.default.removeItem(atPath: newPath)
    }

    private func backup() async throws -> [UInt8] {
        let spool = try await makeSpool()
        try await submit("large", bytes: 100_000, to: spool)
        defer { try? spool.close() }
        return try await bytes(of: archive(of: spool))
    }

    @Test func `an incomplete or changed backup is refused, and the restore leaves no files`() async throws {
        let bytes = try await backup()
        for part in [0, 100, 512, 3000, bytes.count / 2, bytes.count - 1024, bytes.count - 512] {
            try await expectRefusal(Array(bytes[..<part]), "the first \(part) bytes")
        }
        let content = try #require(bytes.indices.dropFirst(4096).first { bytes[$0] == 7 && bytes[$0 + 1] == 14 })
        for position in [0, 300, 700, content, bytes.count - 2000] {
            var changed = bytes
            changed[position] ^= 1
            try await expectRefusal(changed, "byte \(position)")
        }
    }

    @Test(arguments: [
        "../escape", "/tmp/escape", "printq-backup/../escape", "printq-backup/jobs/1/../../escape",
        "printq-backup/running.json", "printq-backup/lock", "other/printd.json5", "printq-backup/manifest.json",
    ])
    func `a backup is refused if it contains a file with an unknown path`(path: String) async throws {
        let bytes = try await backup()
        let manifest = 512 + (TarEntry.size(at: 0, in: bytes) + 511) / 512 * 512
        let entry =
            TarEntry(path: path, size: 3).header(time: 0) + Array("abc".utf8) + [UInt8](repeating: 0, count: 509)
        try await expectRefusal(Array(bytes[..<manifest]) + entry + Array(bytes[manifest...]), path)
        #expect(!FileManager.default.fileExists(atPath: folder.path("escape")))
        #expect(!FileManager.default.fileExists(atPath: "/tmp/escape"))
    }

    @Test
    func `if a backup contains a file that exceeds the free space, the backup is refused before the file is written`()
        async throws
    {
        let bytes = try await backup()
        let manifest = 512 + (TarEntry.size(at: 0, in: bytes) + 511) / 512 * 512
        let entry = TarEntry(path: "printq-backup/jobs/1/document-9.pdf", size: 1 << 60).header(time: 0)
        try await expectRefusal(Array(bytes[..<manifest]) + entry + Array(bytes[manifest...]), "an exbibyte")
    }

    @Test(arguments: [
        "CREATE TRIGGER evil AFTER INSERT ON jobs BEGIN DELETE FROM accounting; END",
        "CREATE VIEW evil AS SELECT * FROM jobs", "DROP INDEX jobs_queue", "PRAGMA user_version = 0",
        "PRAGMA user_version = 99", "PRAGMA application_id = 0",
    ])
    func `a backup is refused if its database has unknown tables, unknown triggers or another schema`(sql: String)
        async throws
    {
        let spool = try await makeSpool()
        try spool.close()
        let change = try ChildProgram("sqlite3", ["-batch", "\(spoolPath)/spool.sqlite", sql]).finish()
        #expect(change.code == 0, "\(change.output)")
        // An archive with correct checksums.
        let manifest = BackupManifest(schema: 1, time: 0, spool: "/s", identity: "i", hasSecrets: false)
        var (bytes, sums): ([UInt8], String) = ([], "")
        for (name, content) in [
            ("manifest.json", [UInt8](try JSONEncoder().encode(manifest))),
            ("spool.sqlite", [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(spoolPath)/spool.sqlite")))),
        ] {
            var digest = SHA256()
            digest.update(content)
            sums += "\(digest.digest())  \(name)\n"
            bytes += TarEntry.file(name, content)
        }
        try await expectRefusal(bytes + TarEntry.file("SHA256SUMS", Array(sums.utf8)) + TarEntry.end, sql)
    }

    @Test func `if a restored file cannot be moved into the folder, all files are moved back`() throws {
        let (target, staging) = (folder.path("target"), folder.path("target/restoring"))
        for path in [staging, "\(target)/spool.sqlite"] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        let names = ["jobs", "printd.json5", "spool.sqlite"]
        for name in names { try "".write(toFile: "\(staging)/\(name)", atomically: false, encoding: .utf8) }
        let error = #expect(throws: BackupError.self) { try SpoolRestoration.moveUp(from: staging, to: target) }
        #expect(error?.message.contains("\(target)/spool.sqlite") == true, "\(error?.message ?? "")")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: target).sorted() == ["restoring", "spool.sqlite"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: staging).sorted() == names)
    }
}

extension TarEntry {
    /// Returns the size in the header at a position.
    fileprivate static func size(at position: Int, in bytes: [UInt8]) -> Int {
        Int(String(decoding: bytes[(position + 124)..<(position + 135)], as: UTF8.self), radix: 8) ?? 0
    }

    /// Returns an entry of a backup with its content.
    fileprivate static func file(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let entry = TarEntry(path: "printq-backup/\(name)", size: content.count)
        return entry.header(time: 0) + content + [UInt8](repeating: 0, count: entry.padding)
    }
}
