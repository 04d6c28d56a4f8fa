// Tests that root's printd does not start in the folder of another user.

import Foundation
import Glibc
import PrintTestSupport
import Testing

@Suite(.enabled(if: geteuid() == 0, "only root changes owners"), .timeLimit(.minutes(2)))
struct ForeignSpoolTests {
    private let spooler: TestSpooler
    /// A file of root to which another user has made links.
    private let victim: String

    init() throws {
        spooler = try TestSpooler()
        victim = spooler.folder.path("of-root")
        try Data("important".utf8).write(to: URL(fileURLWithPath: victim))
        mkdir(spooler.spool, 0o755)
        for name in ["printd.log", "lock", "spool.sqlite", "printd.json5", "printsim.log"] {
            symlink(name == "printd.log" ? victim : "\(victim)-\(name)", "\(spooler.spool)/\(name)")
            lchown("\(spooler.spool)/\(name)", 12345, 12345)
        }
    }

    private func isUnchanged() throws -> Bool {
        let names = try FileManager.default.contentsOfDirectory(atPath: spooler.folder.path)
        return try Data(contentsOf: URL(fileURLWithPath: victim)) == Data("important".utf8)
            && names.allSatisfy { !$0.hasPrefix("of-root-") }
    }

    @Test(arguments: [true, false])
    func `root's printq and printd refuse a spool of another user with exit code 77, and change no file`(
        isOwnFolder: Bool
    ) async throws {
        if !isOwnFolder { chown(spooler.spool, 12345, 12345) }
        for command in [["queue"], ["submit", "--hold", try spooler.file("a.pdf", .numbered(pages: 1))]] {
            let run = try await spooler.run(spooler.program("printq"), command)
            #expect(run.code == 77, "\(command): \(run)")
            #expect(run.complaints.contains("belongs to the user with ID 12345"), "\(command): \(run)")
        }
        let daemon = try await spooler.run(spooler.program("printd"), ["--spool", spooler.spool])
        #expect(daemon.code == 77, "\(daemon)")
        #expect(daemon.output.contains("\"ready\":false") && daemon.complaints.contains("ID 12345"), "\(daemon)")
        #expect(try isUnchanged())
    }

    @Test func `root's printq migrates and restores a spool of another user without following links of that user`()
        async throws
    {
        chown(spooler.spool, 12345, 12345)
        let migration = try await spooler.printq("migrate", "--to", "postgresql://nobody@127.0.0.1:1/none")
        #expect(migration.code != 0, "\(migration)")
        #expect(try isUnchanged())

        // Without --force, the restoration works in the empty folder.
        let source = try TestSpooler()
        expect(try await source.printq("queue"))
        expect(try await source.printq("backup", source.folder.path("backup.tar")))
        for name in try FileManager.default.contentsOfDirectory(atPath: spooler.spool) {
            unlink("\(spooler.spool)/\(name)")
        }
        chmod(spooler.folder.path, 0o755)
        expect(try await spooler.printq("restore", source.folder.path("backup.tar")))
        let names = try FileManager.default.contentsOfDirectory(atPath: spooler.spool)
        #expect(names.contains("spool.sqlite"))
        for name in names {
            var status = stat()
            #expect(lstat("\(spooler.spool)/\(name)", &status) == 0 && status.st_uid == 12345, "\(name)")
        }
        #expect(try isUnchanged())
    }

    @Test(arguments: ["jobs", "incoming", "output", "access", "tls", "types"])
    func `root's printq and printd refuse a spool in whose folders another user can make links`(name: String)
        async throws
    {
        for name in ["printd.log", "lock", "spool.sqlite", "printd.json5", "printsim.log"] {
            unlink("\(spooler.spool)/\(name)")
        }
        let folder = "\(spooler.spool)/\(name)"
        mkdir(folder, 0o700)
        chmod(folder, 0o777)
        for (link, words) in [("key.pem", "other users can change '\(folder)'"), ("1", "belongs to the user with ID")] {
            symlink(link == "1" ? spooler.folder.path : victim, "\(folder)/\(link)")
            lchown("\(folder)/\(link)", 12345, 12345)
            for (program, command) in [("printq", ["queue"]), ("printd", ["--spool", spooler.spool])] {
                let run = try await spooler.run(spooler.program(program), command)
                #expect(run.code == 77 && run.complaints.contains(words), "\(program): \(run)")
            }
            // A link of another user is refused also if the folder was made safe later.
            chmod(folder, 0o700)
        }
        #expect(try isUnchanged())
    }

    @Test func `the mode and group of a linked document do not change`() async throws {
        for name in ["printd.log", "lock", "spool.sqlite", "printd.json5", "printsim.log"] {
            unlink("\(spooler.spool)/\(name)")
        }
        chmod(victim, 0o600)
        let text = [UInt8](repeating: UInt8(ascii: "x"), count: 2_000_000)
        expect(try await spooler.printq("submit", "--hold", try spooler.file("a.txt", text)))
        let document = try #require(
            FileManager.default.contentsOfDirectory(atPath: "\(spooler.spool)/jobs/1").first {
                $0.hasPrefix("document")
            })
        unlink("\(spooler.spool)/jobs/1/\(document)")
        symlink(victim, "\(spooler.spool)/jobs/1/\(document)")
        expect(try await spooler.printq("release", "1"))
        try await spooler.eventually("the job does not print") {
            try await spooler.job(1).message?.isEmpty == false
        }
        var status = stat()
        #expect(stat(victim, &status) == 0 && status.st_mode & 0o777 == 0o600 && status.st_gid == 0)
    }
}
