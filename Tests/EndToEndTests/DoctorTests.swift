import Foundation
import PrintTestSupport
import Testing

/// Tests of `printq doctor` without a running printd, and of its support bundle.
struct DoctorTests {
    private struct Report: Decodable {
        struct Check: Decodable {
            var group: String
            var check: String
            var state: String
            var message: String
            var advice: String?
        }
        var checks: [Check]
        var summary: [String: Int]

        subscript(check: String) -> Check? { checks.first { $0.check == check } }
    }

    private func report(_ spooler: TestSpooler, code: Int32 = 0) async throws -> Report {
        let run = try await spooler.printq("doctor", "--json")
        expect(run, code: code)
        return try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
    }

    @Test func `without a running printd, 'printq doctor' checks the machine and starts no printd`() async throws {
        let spooler = try TestSpooler()
        let report = try await report(spooler)
        #expect(spooler.processes(of: "printd").isEmpty && !FileManager.default.fileExists(atPath: spooler.spool))
        for check in [
            "spool-folder", "disk-space", "other-spools", "programs", "clock", "administrators", "worker-system-calls",
            "worker-files", "html-engine", "document-types",
        ] {
            #expect(report[check] != nil, "\(check): \(report)")
        }
        #expect(report["programs"]?.state == "ok" && report["worker-system-calls"]?.state == "ok", "\(report)")
        #expect(report["printd"]?.state == "warning" && report["printd"]?.advice?.contains("printq queue") == true)
        #expect(report.summary["checks"] == report.checks.count && report.summary["error"] == 0, "\(report)")
        let text = try await spooler.printq("doctor")
        #expect(text.lines.last?.contains(/^\d+ checks: \d+ ok, \d+ warnings?$/) == true, "\(text)")
    }

    @Test
    func `'printq doctor' reports a spool folder that other users can read, and invalid values in the configuration`()
        async throws
    {
        let spooler = try TestSpooler()
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        chmod(spooler.spool, 0o755)
        try Data("{keepJobs: 'many'}".utf8).write(to: URL(filePath: "\(spooler.spool)/printd.json5"))
        let report = try await report(spooler, code: 1)
        #expect(report["spool-folder"]?.state == "warning", "\(report)")
        #expect(report["spool-folder"]?.advice == "chmod 700 '\(spooler.spool)'")
        #expect(report["settings"]?.state == "error" && report["settings"]?.message.contains("keepJobs") == true)
    }

    @Test func `'printq doctor' shows the path of the spool and the reason why printq uses this spool`() async throws {
        let spooler = try TestSpooler()
        let check = try await report(spooler)["spool-selection"]
        #expect(check?.message == "printq uses the spool '\(spooler.spool)' (PRINTQ_SPOOL)", "\(check as Any)")
        #expect(check?.state == "ok")
    }

    // MARK: - Support bundle

    /// Plants secrets in a spool, and returns them.
    private func plantSecrets(in spooler: TestSpooler) async throws -> [String] {
        try FileManager.default.createDirectory(
            atPath: spooler.spool, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try Data("{/* comment-secret */ keepJobs: 77}".utf8).write(to: URL(filePath: "\(spooler.spool)/printd.json5"))
        try spooler.start(tcp: true)
        let path = try spooler.file("dismissal-letter.txt", Array("document-text-of-the-letter\n".utf8))
        let lp = try await spooler.run(
            "lp", ["-h", spooler.socket, "-U", "berta-owner", "-t", "dismissal of Berta", "-H", "indefinite", path])
        expect(lp)
        expect(
            try await spooler.printq(
                "printers", "add", "office", "ipp://127.0.0.1:9/ipp/print", "--no-check", "--location",
                "room of berta-owner"))
        expect(
            try await spooler.printq(
                "printers", "login", "office", "--user", "berta-at-printer", input: "printer-password\n"))
        let center = try await spooler.printq("center", "--print")
        expect(center)
        let address = center.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let token = try #require(address.split(separator: "=").last.map(String.init))
        _ = try await spooler.run("curl", ["-s", "-o", "/dev/null", "-c", spooler.folder.path("jar"), address])
        let cookie = text(of: spooler.folder.path("jar")).split(whereSeparator: \.isWhitespace).last.map(String.init)
        try Data(
            """
            2030-01-01T10:00:00+0000 info printd: job=1 user=berta-owner [PrintScheduler] claimed dismissal of Berta
            2030-01-01T10:00:00+0000 error printd: error=cannot reach ipp://who:uri-password@host/x [A] failed
            printd: opened /open?token=\(token) with password=printer-password in /home/berta/x

            """.utf8
        ).write(to: URL(filePath: "\(spooler.spool)/printd.log"))
        return [
            "comment-secret", "document-text", "berta-owner", "dismissal", "berta-at-printer", "printer-password",
            "uri-password", "/home/berta", token,
        ] + [cookie].compactMap { $0 }.filter { $0.count > 15 }
    }

    /// Unpacks an archive, and returns the names and the texts of its files.
    private func unpack(_ archive: String, _ spooler: TestSpooler) async throws -> [String: String] {
        let folder = spooler.folder.path("unpacked-\(UUID().uuidString)")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        expect(try await spooler.run("tar", ["-xzf", archive, "-C", folder]))
        var texts: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder) where path.contains(".") {
            let name = path.split(separator: "/").last.map(String.init) ?? ""
            if let data = FileManager.default.contents(atPath: "\(folder)/\(path)") {
                texts[name] = String(decoding: data, as: UTF8.self)
            }
        }
        return texts
    }

    @Test func `a support bundle contains no secrets and no documents, and contains names only with --with-names`()
        async throws
    {
        let spooler = try TestSpooler()
        let secrets = try await plantSecrets(in: spooler)
        let archive = spooler.folder.path("bundle.tar.gz")
        let run = try await spooler.printq("doctor", "--bundle", archive)
        expect(run)
        #expect(run.output.contains("wrote \(archive), which contains:\n  README.txt"), "\(run)")
        var status = stat()
        #expect(stat(archive, &status) == 0 && status.st_mode & 0o777 == 0o600)

        let files = try await unpack(archive, spooler)
        #expect(
            Set(files.keys) == [
                "README.txt", "doctor.json", "system.json", "settings.json", "status.json", "printers.json",
                "events.jsonl", "printd.log",
            ])
        for (name, text) in files {
            for secret in secrets { #expect(!text.contains(secret), "\(name) contains \(secret)") }
        }
        #expect(files["settings.json"]?.contains(#""keepJobs": 77"#) == true)
        #expect(files["printers.json"]?.contains("ipp://127.0.0.1:9/ipp/print") == true)
        #expect(files["printd.log"]?.contains("error: failed (error cannot reach ipp://host/x)") == true, "\(files)")
        #expect(files["system.json"]?.contains(#""schema-version": "9"#) == true, "\(files["system.json"] ?? "")")
        #expect(files["events.jsonl"]?.contains("\"printq-event-number\"") == true)
        for name in files.keys where name.hasSuffix(".json") {
            let json = try? JSONSerialization.jsonObject(with: Data((files[name] ?? "").utf8))
            #expect(json != nil, "\(name)")
        }

        let named = spooler.folder.path("named.tar.gz")
        expect(try await spooler.printq("doctor", "--bundle", named, "--with-names"))
        let all = try await unpack(named, spooler).values.joined()
        #expect(all.contains("berta-owner"))
        for secret in ["document-text", "printer-password", "uri-password", "comment-secret"] {
            #expect(!all.contains(secret), "\(secret)")
        }
    }

    @Test func `a support bundle can be written without printd, and never replaces a file`() async throws {
        let spooler = try TestSpooler()
        let path = try spooler.file("mine", Array("mine".utf8))
        let refused = try await spooler.printq("doctor", "--bundle", path)
        expect(refused, code: 74)
        #expect(refused.complaints.contains("'\(path)' already exists") && text(of: path) == "mine", "\(refused)")
        symlink(spooler.folder.path("target"), spooler.folder.path("link"))
        expect(try await spooler.printq("doctor", "--bundle", spooler.folder.path("link")), code: 74)
        #expect(!FileManager.default.fileExists(atPath: spooler.folder.path("target")))
        let run = try await spooler.printq("doctor", "--bundle", "--json")
        expect(run)
        let written = try #require(
            try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
        let name = try #require(written["bundle"] as? String)
        #expect(name.hasPrefix("printq-support-") && name.hasSuffix(".tar.gz"))
        let files = try await unpack(spooler.folder.path(name), spooler)
        #expect(files["doctor.json"]?.contains("worker-files") == true && files["status.json"] == nil)
        #expect(spooler.processes(of: "printd").isEmpty)
    }
}
