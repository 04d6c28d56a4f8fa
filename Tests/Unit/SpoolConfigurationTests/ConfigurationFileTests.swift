// Tests of configuration files: problems with lines, origins, changes, and the sample file of the package.

import Foundation
import PrintTestSupport
import Testing

@testable import SpoolConfiguration

struct ConfigurationFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ text: String) throws -> ConfigurationFile {
        let path = folder.path("printd.json5")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return ConfigurationFile(path: path)
    }

    private func text(of file: ConfigurationFile) throws -> String {
        try String(contentsOfFile: file.path, encoding: .utf8)
    }

    @Test func `each problem of a configuration file is reported with its line number`() throws {
        let file = try file(
            """
            {
              keepJob: 5,
              keepDays: 'a week',
              worker: { memoryMiB: 1, wallSecond: 5 },
              memoryMiB: 512,
              perUser: 7,
              keepJobs: 1,
              keepJobs: 2,
              tls: { certificate: '/nowhere.pem' },
            }
            """)
        let lines = file.problems.map { $0.description.replacingOccurrences(of: "\(file.path):", with: "") }
        #expect(
            lines == [
                "2: unknown setting 'keepJob'; did you mean 'keepJobs'?",
                "3: invalid value 'a week' for keepDays: must be 0 to 36500",
                "4: invalid value 1 for worker.memoryMiB: must be 256 to 1048576",
                "4: unknown setting 'wallSecond'; did you mean 'wallSeconds'?",
                "5: unknown setting 'memoryMiB'; did you mean 'worker.memoryMiB'?",
                "6: invalid value for perUser: must be an object with jobs, incomingJobs, documentsMiB",
                "8: the setting 'keepJobs' is also on line 7; remove one of the two settings",
                "9: cannot read the file '/nowhere.pem' in tls.certificate: No such file or directory",
                "9: cannot read the file '/nowhere.pem' in tls.key: No such file or directory",
            ])
    }

    @Test func `a missing or empty configuration file, or a file with only comments, sets no values`() throws {
        let missing = ConfigurationFile(path: folder.path("none.json5"))
        #expect(!missing.exists && missing.problems.isEmpty && missing.values.isEmpty)
        for text in ["", "\n \n", "{}", "// nothing\n{ /* nothing */ }"] {
            let file = try file(text)
            #expect(file.exists && file.problems.isEmpty && file.values.isEmpty, "\(text)")
        }
    }

    @Test func `if the configuration is a folder or a JSON5 array, a problem is reported`() throws {
        let problems = ConfigurationFile(path: folder.path).problems
        #expect(problems.map(\.message) == ["cannot read the configuration: not a regular file"])
        #expect(try file("[1]").problems.map(\.message) == ["the file must contain one object: { keepJobs: 1000, … }"])
    }

    @Test func `each setting reports its origin, and the command line has precedence over the file`() throws {
        let file = try file("{\n  keepJobs: 5,\n  listen: 'localhost:1',\n  idleExitSeconds: 9\n}")
        let configuration = Configuration(
            file, standards: [.idleExitSeconds: .integer(600)], commandLine: [.listen: SettingValue.none])
        #expect(configuration.settings.keepJobs == 5 && configuration.settings.listen == nil)
        #expect(configuration.settings.idleExitSeconds == 9)
        #expect(configuration.origin(of: .keepJobs) == .file(file.path, line: 2))
        #expect(configuration.origin(of: .listen) == .commandLine && configuration.origin(of: .tls) == .standard)
        let onDemand = Configuration(try self.file("{}"), standards: [.idleExitSeconds: .integer(600)])
        #expect(onDemand.settings.idleExitSeconds == 600 && onDemand.origin(of: .idleExitSeconds) == .onDemand)
    }

    @Test func `a reload applies settings that can change at run time, and keeps settings that require a restart`()
        throws
    {
        let old = Configuration(try file("{ keepJobs: 5, listen: 'localhost:1' }"))
        let new = Configuration(try file("{\n keepJobs: 6, listen: 'localhost:2', queueOrder: 'strict' }"))
        let (configuration, changed, waiting) = old.reloaded(from: new)
        #expect(changed == [.queueOrder, .keepJobs] && waiting == [.listen])
        #expect(configuration.settings.keepJobs == 6 && configuration.settings.listen?.port == 1)
        let again = configuration.reloaded(from: Configuration(try file("{ listen: 'localhost:1' }")))
        #expect(again.waiting.isEmpty && again.configuration.settings.keepJobs == 1000)
    }

    @Test func `relative paths are resolved against the folder of the configuration file`() throws {
        let file = try file("{ tls: { certificate: 'c.pem' }, tlsAuthorities: '/etc/a.pem' }")
        #expect(
            file.values[.tls]?.value
                == .files(certificate: folder.path("c.pem"), key: folder.path("c.pem")))
        #expect(file.values[.tlsAuthorities]?.value == .text("/etc/a.pem"))
    }

    @Test func `if a setting is changed, the configuration file keeps its mode, and no temporary file is left`() throws
    {
        let file = try file("// mine\n{ keepJobs: 5 } // few\n")
        chmod(file.path, 0o640)
        try file.write(try file.setting(.keepJobs, to: .integer(6)))
        #expect(try text(of: file) == "// mine\n{ keepJobs: 6 } // few\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["printd.json5"])
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    @Test func `if a setting is changed, the configuration file keeps its access list and its attributes`()
        async throws
    {
        var file = try file("{ keepJobs: 5 }")
        func python(_ code: String) async throws -> String {
            let run = try await ProgramRun(
                "/usr/bin/python3", ["-c", "import os, struct, sys; f = sys.argv[1]; \(code)", file.path],
                environment: [:], in: folder.path)
            #expect(run.code == 0, "\(run)")
            return run.output
        }
        let list = "print({n: os.getxattr(f, n).hex() for n in sorted(os.listxattr(f))})"
        // The user 12345 may read the file, as 'setfacl -m u:12345:r' sets it (acl(5)).
        let before = try await python(
            """
            rows = [(1, 6, -1), (2, 4, 12345), (4, 0, -1), (16, 4, -1), (32, 0, -1)]
            acl = struct.pack('<I', 2) + b''.join(struct.pack('<HHi', *row) for row in rows)
            os.setxattr(f, 'system.posix_acl_access', acl); os.setxattr(f, 'user.note', b'x'); \(list)
            """.replacingOccurrences(of: "\n", with: "; "))
        #expect(before.contains("posix_acl_access"))
        try file.write(try file.setting(.keepJobs, to: .integer(6)))
        #expect(try await python(list) == before)
        // A file without an access list does not get the default list of the folder.
        file = try self.file("{ keepJobs: 5 }")
        _ = try await python(
            """
            rows = [(1, 7, -1), (2, 4, 12345), (4, 0, -1), (16, 4, -1), (32, 0, -1)]
            acl = struct.pack('<I', 2) + b''.join(struct.pack('<HHi', *row) for row in rows)
            os.setxattr(os.path.dirname(f), 'system.posix_acl_default', acl)
            [os.removexattr(f, n) for n in os.listxattr(f)]
            """.replacingOccurrences(of: "\n", with: "; "))
        try file.write(try file.setting(.keepJobs, to: .integer(6)))
        #expect(try await python(list) == "{}\n")
    }

    @Test func `a new configuration file contains the text of the sample file and the changed setting`() throws {
        let file = ConfigurationFile(path: folder.path("printd.json5"))
        try file.write(try file.setting(.perUserJobs, to: .integer(7)))
        let read = ConfigurationFile(path: file.path)
        #expect(read.problems.isEmpty && read.values[.perUserJobs]?.value == .integer(7) && read.values.count == 1)
        #expect(try text(of: read).contains("    //jobs: 50000,\n    jobs: 7,\n"))
    }

    @Test
    func `a setting with an invalid value can be changed, but a file with an unknown key cannot be changed`()
        throws
    {
        let broken = try file("{ keepJob: 5 }")
        let error = try #require(throws: ConfigurationFile.ChangeError.self) {
            try broken.setting(.keepDays, to: .integer(1))
        }
        #expect(error.isInvalid && error.description.hasSuffix("did you mean 'keepJobs'?; correct the file first"))
        let wrong = try file("{\n  keepDays: 'x',\n}")
        #expect(try wrong.setting(.keepDays, to: .integer(1)) == "{\n  keepDays: 1,\n}")
    }

    @Test func `a configuration file is not overwritten if a different process has changed the file`() throws {
        let file = try file("{ keepJobs: 5 }")
        let text = try file.setting(.keepJobs, to: .integer(6))
        let other = try self.file("{ keepJobs: 7 }")
        let error = try #require(throws: ConfigurationFile.ChangeError.self) { try file.write(text) }
        #expect(error.isOutdated)
        #expect(try self.text(of: other) == "{ keepJobs: 7 }")
    }

    @Test func `a configuration file is not replaced if it is a symbolic link`() throws {
        let target = try file("{ keepJobs: 5 }")
        let link = folder.path("link.json5")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target.path)
        let file = ConfigurationFile(path: link)
        #expect(throws: ConfigurationFile.ChangeError.self) { try file.write("{}") }
        #expect(try text(of: target) == "{ keepJobs: 5 }")
    }

    // MARK: - The sample file and the documentation

    private func repositoryFile(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent(name)
    }

    private var isWriting: Bool { ProcessInfo.processInfo.environment["PRINTQ_WRITE_SETTINGS"] != nil }

    @Test func `the sample file sets every setting to the default if the comment markers are removed`() throws {
        let lines = Setting.sampleFile.split(separator: "\n").map { line -> String in
            let start = line.drop { $0 == " " }
            return start.hasPrefix("//") && !start.hasPrefix("// ") && start != "//"
                ? String(start.dropFirst(2)) : String(line)
        }
        let file = try file(lines.joined(separator: "\n"))
        #expect(file.problems.isEmpty, "\(file.problems)")
        for setting in Setting.all { #expect(file.document?.node(at: setting.path) != nil, "\(setting.key)") }
        #expect(Configuration(file).settings == SpoolSettings())
        #expect(try self.file(Setting.sampleFile).values.isEmpty)
    }

    @Test func `scripts/packaging/printd.json5 is equal to the generated sample file`() throws {
        let path = repositoryFile("scripts/packaging/printd.json5")
        if isWriting { try Setting.sampleFile.write(to: path, atomically: true, encoding: .utf8) }
        #expect(
            try String(contentsOf: path, encoding: .utf8) == Setting.sampleFile,
            "update the file with: PRINTQ_WRITE_SETTINGS=1 scripts/test --filter ConfigurationFileTests")
    }

    @Test func `Spool/README.md contains the generated table of settings`() throws {
        let path = repositoryFile("Spool/README.md")
        var text = try String(contentsOf: path, encoding: .utf8)
        if isWriting {
            let start = try #require(text.range(of: "| Key | "))
            let end = try #require(text.range(of: "\n\n", range: start.lowerBound..<text.endIndex))
            text.replaceSubrange(start.lowerBound...end.lowerBound, with: Setting.markdownTable)
            try text.write(to: path, atomically: true, encoding: .utf8)
        }
        #expect(
            text.contains(Setting.markdownTable),
            "update the table with: PRINTQ_WRITE_SETTINGS=1 scripts/test --filter ConfigurationFileTests")
    }
}

extension Setting {
    /// The table of all settings in Markdown, with a heading.
    fileprivate static var markdownTable: String {
        var lines = ["| Key | Values | Default | Meaning |", "|---|---|---|---|"]
        for setting in all {
            let unit = setting.unit.isEmpty ? "" : " \(setting.unit)"
            let restart = setting.needsRestart ? " *Takes effect when `printd` starts.*" : ""
            lines.append(
                "| `\(setting.key)` | \(setting.range)\(unit) | \(setting.defaultText) | \(setting.meaning)\(restart) |"
            )
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
