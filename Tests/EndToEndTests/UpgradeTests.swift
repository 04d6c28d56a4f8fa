import Foundation
import PrintTestSupport
import ProcessLaunch
import Testing

/// Spools of other versions, and backups, with the real programs.
@Suite struct UpgradeTests {
    /// Returns the content and modification time of each file of a spool.
    private func fingerprint(_ folder: String) -> [String: String] {
        var result: [String: String] = [:]
        for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
            var status = stat()
            lstat("\(folder)/\(name)", &status)
            let content = try? Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
            result[name] =
                "\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec) \(content?.base64EncodedString() ?? "folder")"
        }
        return result
    }

    @Test func `printd and printq refuse a spool that a newer version has written, and change no file`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let letter = try spooler.file("letter.pdf", PDFBuilder.numbered(pages: 1))
        expect(try await spooler.printq("submit", "--wait", letter))
        spooler.stop()
        try await spooler.sql(
            "INSERT INTO schema_changes (schema, program, time) VALUES (99, '9.8.7', 0); PRAGMA user_version = 99; "
                + "CREATE TABLE later (x)")
        // A later version may also have settings that this version does not know.
        try "{laterSetting: true}".write(toFile: "\(spooler.spool)/printd.json5", atomically: false, encoding: .utf8)
        // `printq` appends to this file when it starts printd.
        try "".write(toFile: "\(spooler.spool)/printd.log", atomically: false, encoding: .utf8)
        let before = fingerprint(spooler.spool)
        let direct = try await spooler.run(spooler.program("printd"), ["--spool", spooler.spool])
        #expect(direct.code == 78)
        #expect(direct.complaints.contains("printq 9.8.7 has written the spool"))
        #expect(direct.complaints.contains("Nothing was changed"))
        let indirect = try await spooler.printq("queue")
        #expect(indirect.code == 69)
        #expect(indirect.complaints.contains("printq 9.8.7 has written the spool"))
        #expect(fingerprint(spooler.spool) == before)
    }

    @Test func `printd and printq refuse a spool of a build before printq 1.0.0, and change no file`() async throws {
        let spooler = try TestSpooler()
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        let tables = "CREATE TABLE jobs (id INTEGER PRIMARY KEY); PRAGMA user_version = 13"
        try await spooler.sql(tables)
        // `printq` appends to this file when it starts printd.
        try "".write(toFile: "\(spooler.spool)/printd.log", atomically: false, encoding: .utf8)
        let before = fingerprint(spooler.spool)
        let direct = try await spooler.run(spooler.program("printd"), ["--spool", spooler.spool])
        #expect(direct.code == 78)
        #expect(direct.complaints.contains("a build before printq 1.0.0 has written the spool '\(spooler.spool)"))
        #expect(direct.complaints.contains("move the files 'spool.sqlite*' and the folder 'jobs' to another folder"))
        let indirect = try await spooler.printq("queue")
        #expect(indirect.code == 69)
        #expect(indirect.complaints.contains("a build before printq 1.0.0 has written the spool"))
        #expect(fingerprint(spooler.spool) == before)
    }

    @Test func `a backup of a spool that is in use can be restored, and only administrators can make a backup`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start()
        let letter = try spooler.file("letter.pdf", PDFBuilder.numbered(pages: 2))
        expect(try await spooler.printq("submit", "--wait", letter))
        let file = spooler.folder.path("printq.tar")
        expect(try await spooler.printq("backup", file))
        var status = stat()
        #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)
        expect(
            try await spooler.printq("backup", file), code: 74,
            says: "printq: '\(file)' already exists; use --force to replace the file")
        expect(try await spooler.printq("backup", "--force", file))
        if getuid() == 0 {
            chmod(spooler.folder.path, 0o755)
            chmod(spooler.spool, 0o755)
            let stranger = try await spooler.runAsStranger(
                "curl", "-s", "--unix-socket", spooler.socket, "http://localhost/api/v1/backup")
            #expect(stranger.output.contains("only administrators may do this"))
        }
        let running = try await spooler.printq("restore", "--force", file)
        #expect(running.code == 75 && running.complaints.contains("printd is running"))
        spooler.stop()
        expect(try await spooler.printq("restore", file), code: 64)
        expect(try await spooler.printq("restore", "--force", file))
        try spooler.start()
        let queue = try await spooler.printq("log")
        #expect(queue.output.contains("letter.pdf"))
        expect(try await spooler.printq("submit", "--wait", letter))
    }

    @Test func `a backup contains the configuration file that was given to printd with --configuration`() async throws {
        let spooler = try TestSpooler()
        let configuration = spooler.folder.path("other.json5")
        try "{ keepJobs: 1234 }\n".write(toFile: configuration, atomically: true, encoding: .utf8)
        try spooler.start("--configuration", configuration)
        let file = spooler.folder.path("printq.tar")
        expect(try await spooler.printq("backup", file))
        let saved = try await spooler.run("tar", ["-xOf", file, "printq-backup/printd.json5"])
        #expect(saved.output == "{ keepJobs: 1234 }\n")
    }
}
