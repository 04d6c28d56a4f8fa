import Foundation
import Glibc
import PrintTestSupport
import Testing

/// Tests of a printd without privileges whose workers run as another user, as in the service.
@Suite(.enabled(if: geteuid() == 0, "only root can start printd and the workers as two other users"))
struct WorkerUserTests {
    private static let printd: UInt32 = 3_000_000_001

    private let spooler: TestSpooler
    private let service: WorkerService

    init() throws {
        spooler = try TestSpooler()
        let folder = spooler.folder.path
        chmod(folder, 0o755)
        mkdir(spooler.spool, 0o700)
        chown(spooler.spool, Self.printd, Self.printd)
        service = try WorkerService(in: folder, launcher: spooler.program("print-launcher"))
    }

    /// Starts printd as a user that is a member of the workers' group.
    private func start() throws {
        let launcher = spooler.folder.path("launch")
        let line =
            "exec setpriv --reuid \(Self.printd) --regid \(Self.printd) --groups \(service.user) "
            + "env PRINTQ_WORKER_SOCKET='\(service.socket)' TMPDIR='\(spooler.spool)' \"$@\""
        try "#!/bin/sh\numask 077\n\(line)\n".write(toFile: launcher, atomically: false, encoding: .utf8)
        chmod(launcher, 0o755)
        try spooler.start(launcher: launcher)
    }

    private func owners(of folder: String) -> Set<UInt32> {
        var users: Set<UInt32> = []
        for name in FileManager.default.enumerator(atPath: folder)?.compactMap({ $0 as? String }) ?? [] {
            var status = stat()
            if lstat("\(folder)/\(name)", &status) == 0 { users.insert(status.st_uid) }
        }
        return users
    }

    @Test func `a PDF, an image and pixels are printed by workers of another user`() async throws {
        try start()
        let pdf = try spooler.file("a.pdf", .numbered(pages: 2))
        let image = spooler.folder.path("a.png")
        let png = try await spooler.run("python3", ["-c", Self.makePNG, image])
        #expect(png.code == 0, "\(png)")
        for (document, printer) in [(pdf, "color-laser"), (image, "color-laser"), (pdf, "inkjet"), (pdf, "photo")] {
            let run = try await spooler.printq("submit", "--wait", "-d", printer, document)
            #expect(run.code == 0, "\(run)")
        }
        #expect(service.nextHost() != nil)
        #expect(owners(of: spooler.spool) == [Self.printd])
    }

    @Test func `without the service of the workers, documents wait and the reason is reported`() async throws {
        unlink(service.socket)
        try start()
        let document = try spooler.file("a.pdf", .numbered(pages: 1))
        let run = try await spooler.printq("submit", "-d", "color-laser", document)
        #expect(run.code == 0, "\(run)")
        try await spooler.eventually("the reason is reported") {
            let why = try await spooler.printq("why", "1")
            return why.output.contains("worker")
        }
    }

    private static let makePNG = """
        import struct, sys, zlib
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        rows = b"".join(b"\\0" + bytes([200, 30, 30] * 40) for _ in range(40))
        head = struct.pack(">IIBBBBB", 40, 40, 8, 2, 0, 0, 0)
        data = b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
        open(sys.argv[1], "wb").write(data)
        """
}
