// Tests of the configuration: changes and reloads of a running printd, and who may change the settings.

import Foundation
import Glibc
import PrintTestSupport
import ProcessLaunch
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct ConfigurationTests {
    private let spooler: TestSpooler

    init() throws { spooler = try TestSpooler() }

    private var file: String { "\(spooler.spool)/printd.json5" }
    private var log: String { text(of: spooler.folder.path("printd.err")) }

    private func write(_ text: String) throws {
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    }

    /// The settings in the JSON of `printq config show`.
    private struct Shown: Decodable {
        struct Value: Decodable, Equatable {
            var text: String

            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                if let number = try? value.decode(Double.self) {
                    text = "\(number)"
                } else if let isOn = try? value.decode(Bool.self) {
                    text = "\(isOn)"
                } else {
                    text = (try? value.decode(String.self)) ?? "null"
                }
            }
        }

        struct Setting: Decodable {
            var key: String
            var value: Value
            var origin: String
            var line: Int?
            var afterRestart: Value?
            var afterReload: Value?

            enum CodingKeys: String, CodingKey {
                case key, value, origin, line
                case afterRestart = "after-restart"
                case afterReload = "after-reload"
            }
        }

        var file: String
        var settings: [Setting]
    }

    private func shown(_ key: String) async throws -> Shown.Setting {
        let run = try await spooler.printq("config", "show", "--json")
        expect(run)
        let all = try JSONDecoder().decode(Shown.self, from: Data(run.output.utf8))
        #expect(all.file == file)
        return try #require(all.settings.first { $0.key == key })
    }

    private func hangUp() async throws {
        let status = try await spooler.printq("status", "--json").output
        let process = try #require(status.firstMatch(of: /"printq-process": (\d+)/).flatMap { Int32($0.1) })
        #expect(kill(process, SIGHUP) == 0)
    }

    // MARK: - Changes

    @Test func `'config set' changes the configuration file and the settings of the running printd`() async throws {
        try write("// office\n{\n  keepJobs: 5, // few\n}\n")
        try spooler.start()
        let run = try await spooler.printq("config", "set", "keepDocuments", "false")
        expect(run)
        #expect(run.lines == ["keepDocuments = false (was true) in '\(file)'", "printd uses the value now"])
        #expect(text(of: file) == "// office\n{\n  keepJobs: 5, // few\n  keepDocuments: false,\n}\n")
        let setting = try await shown("keepDocuments")
        #expect(setting.value.text == "false" && setting.origin == "file" && setting.line == 4)
        expect(try await spooler.printq("submit", "--wait", try spooler.file("a.pdf", .numbered(pages: 1))))
        let reprint = try await spooler.printq("reprint", "1")
        expect(reprint, code: 1)
        #expect(reprint.complaints.contains("was not kept"), "\(reprint)")
    }

    @Test func `a change is shown as pending if it requires a restart, and command-line options override settings`()
        async throws
    {
        try spooler.start()
        let run = try await spooler.printq("config", "set", "tls", "false")
        expect(run)
        #expect(run.lines.last?.hasPrefix("printd uses the value after a restart; ") == true, "\(run)")
        let tls = try await shown("tls")
        #expect(tls.value.text == "true" && tls.afterRestart?.text == "false" && tls.origin == "default")
        #expect(log.contains("the new value of tls takes effect when printd starts again"), "\(log)")
        let listen = try await spooler.printq("config", "set", "listen", "127.0.0.1:0")
        expect(listen)
        #expect(listen.lines.last == "the command line of printd (--listen) overrides the value", "\(listen)")
        #expect(try await shown("listen").origin == "command-line")
        let speed = try await shown("simulatorSpeed")
        #expect(speed.value.text == "instant" && speed.origin == "command-line")
    }

    @Test func `errors suggest a similar key for an unknown key, and show the allowed range for an invalid value`()
        async throws
    {
        let key = try await spooler.printq("config", "set", "keepJob", "5")
        expect(key, code: 64, says: "printq: unknown setting 'keepJob'; did you mean 'keepJobs'?")
        let value = try await spooler.printq("config", "set", "keepDays", "many")
        expect(value, code: 64, says: "printq: invalid value 'many' for keepDays: must be 0 to 36500")
        try write("{\n  keepJob: 5,\n  keepDays: 'x',\n}\n")
        let check = try await spooler.printq("config", "check")
        expect(check, code: 78, says: "printq: 2 problems in '\(file)'")
        #expect(
            check.complaints.hasPrefix("\(file):2: unknown setting 'keepJob'; did you mean 'keepJobs'?\n\(file):3: "))
        let start = try await spooler.run(spooler.program("printd"), ["--spool", spooler.spool, "--no-tcp"])
        #expect(
            start.code == 78 && start.complaints.contains("(and 1 more; 'printq config check' lists all problems)"),
            "\(start)")
        let other = try spooler.file("other.json5", Array("{ keepJobs: 5 }".utf8))
        #expect(try await spooler.printq("config", "check", other).output == "ok: '\(other)' sets 1 setting\n")
        expect(try await spooler.printq("config", "check", "/nowhere.json5"), code: 66)
        #expect(spooler.processes(of: "printd").isEmpty)
    }

    @Test
    func `'--configuration' requires an existing file, and types are read from the folder 'types' beside the file`()
        async throws
    {
        let folder = try TemporaryFolder()
        let missing = try await spooler.run(
            spooler.program("printd"), ["--spool", spooler.spool, "--configuration", folder.path("printd.json5")])
        #expect(
            missing.code == 78 && missing.complaints.contains("the configuration file does not exist"), "\(missing)")
        try Data("{ keepJobs: 5 }".utf8).write(to: URL(fileURLWithPath: folder.path("printd.json5")))
        try spooler.start("--configuration", folder.path("printd.json5"))
        let run = try await spooler.printq("config", "show", "keepJobs")
        expect(run)
        #expect(run.output.contains("value    5\n  origin   \(folder.path("printd.json5")):1\n"), "\(run)")
        let refused = try await spooler.printq("config", "set", "keepJobs", "6")
        #expect(refused.code == 64 && refused.complaints.contains("add --configuration"), "\(refused)")
        expect(
            try await spooler.printq(
                "config", "set", "keepJobs", "6", "--configuration", folder.path("printd.json5")))
        let types = folder.path("types")
        try FileManager.default.createDirectory(
            atPath: types, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        try Data(
            """
            { name: "Test type", identifier: "org.example.test", formats: ["application/x-test"], extensions: ["tst"],
              program: ["/usr/bin/true", "{input}", "{output}"] }
            """.utf8
        ).write(to: URL(fileURLWithPath: "\(types)/test.json5"))
        #expect(try await !spooler.printq("types").output.contains("Test type"))
        expect(try await spooler.printq("config", "reload"))
        #expect(try await spooler.printq("types").output.contains("Test type"))
    }

    // MARK: - Reload

    @Test func `SIGHUP applies valid settings, and keeps the old settings if the file is invalid`() async throws {
        try write("{ perUser: { jobs: 1000 } }")
        try spooler.start()
        try write("{ perUser: { jobs: 1 } }")
        try await hangUp()
        try await eventually("printd has reloaded", in: spooler.folder.path) {
            log.contains("changed=perUser.jobs = 1")
        }
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        expect(try await spooler.printq("submit", "--hold", path))
        let refused = try await spooler.printq("submit", "--hold", path)
        #expect(refused.code == 75 && refused.complaints.contains("the limit of 1 unfinished jobs"), "\(refused)")
        try write("{ perUser: { jobs: 1000 }, keepJob: 1 }")
        try await hangUp()
        try await eventually("printd reports the problem", in: spooler.folder.path) {
            log.contains("the old settings stay in effect: \(file):1: unknown setting 'keepJob'")
        }
        #expect(try await spooler.printq("submit", "--hold", path).code == 75)
        let reload = try await spooler.printq("config", "reload")
        #expect(reload.code == 1 && reload.complaints.contains("did you mean 'keepJobs'?"), "\(reload)")
    }

    @Test func `if the settings are reloaded during submissions, no job, event or connection is lost`() async throws {
        try write("{ keepJobs: 500, worker: { wallSeconds: 300 } }")
        try spooler.start()
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        let watcher = try await spooler.watching()
        let count = 24
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<count / 3 { expect(try await spooler.printq("submit", path)) }
                }
            }
            group.addTask {
                for number in 1...12 {
                    try write("{ keepJobs: \(500 + number), worker: { wallSeconds: \(300 + number) } }")
                    if number.isMultiple(of: 2) {
                        try await hangUp()
                    } else {
                        expect(try await spooler.printq("config", "reload"))
                    }
                }
            }
            try await group.waitForAll()
        }
        for id in 1...count {
            try await watcher.eventually("the watch shows that job \(id) is completed") {
                watcher.lines.contains { $0.contains("job \(id) (") && $0.contains(": completed") }
            }
        }
        #expect(watcher.complaints.isEmpty, "\(watcher.complaints)")
        #expect(await watcher.end() == 130)
        try await eventually("printd has reloaded the last change", in: spooler.folder.path) {
            log.contains("keepJobs = 512")
        }
        #expect(try await shown("keepJobs").value.text == "512.0")
    }

    // MARK: - Users

    @Test(.enabled(if: geteuid() == 0, "only root can run programs as other users"))
    func `another user can neither change nor reload the settings`() async throws {
        // The user can reach the socket and read the file, as with the system spooler.
        chmod(spooler.folder.path, 0o755)
        try write("{ keepJobs: 5 }")
        try spooler.start()
        chmod(spooler.spool, 0o755)
        chmod(file, 0o644)
        try FileManager.default.copyItem(atPath: spooler.program("printq"), toPath: spooler.folder.path("printq"))
        let program = spooler.folder.path("printq")
        let set = try await spooler.runAsStranger(program, "config", "set", "keepJobs", "6")
        #expect(set.code == 77 && set.complaints.contains("cannot write '\(file)': Permission denied"), "\(set)")
        #expect(text(of: file) == "{ keepJobs: 5 }")
        let reload = try await spooler.runAsStranger(program, "config", "reload")
        #expect(reload.code == 77, "\(reload)")
        #expect(!log.contains("configuration reloaded"))
        let show = try await spooler.runAsStranger(program, "config", "show", "keepJobs")
        #expect(show.code == 0 && show.output.contains("value    5\n"), "\(show)")
    }

    // MARK: - A restart after a crash

    @Test func `if printq starts printd, printd uses the settings in the configuration file`() async throws {
        try write("{ listen: '127.0.0.1:0', idleExitSeconds: 300 }")
        expect(try await spooler.printq("queue"))
        let (listen, idle) = (try await shown("listen"), try await shown("idleExitSeconds"))
        #expect(listen.value.text == "127.0.0.1:0" && listen.origin == "file")
        #expect(idle.value.text == "300.0" && idle.origin == "file")
        #expect(try await spooler.printq("status").lines.contains { $0.contains(" 127.0.0.1:") })
    }

    @Test func `if printd is killed, printq starts the next printd with the same command-line options`() async throws {
        try spooler.start(speed: "x50")
        spooler.stop(SIGKILL)
        expect(try await spooler.printq("queue"))
        let (speed, idle) = (try await shown("simulatorSpeed"), try await shown("idleExitSeconds"))
        #expect(speed.value.text == "x50" && speed.origin == "command-line")
        #expect(idle.value.text == "0.0" && idle.origin == "command-line")
        // A printd that printq starts for a new spool exits when it is idle.
        let other = try TestSpooler()
        let shown = try await other.printq("config", "show", "idleExitSeconds")
        #expect(shown.output.contains("value    0\n  origin   default\n"), "\(shown)")
        expect(try await other.printq("queue"))
        let now = try await other.printq("config", "show", "idleExitSeconds")
        #expect(now.output.contains("value    600\n  origin   started by printq\n"), "\(now)")
    }
}
