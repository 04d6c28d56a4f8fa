import Foundation
import PrintTestSupport
import Testing

/// Tests of `printq log --follow` and `printq log --daemon`.
struct LogTests {
    /// Returns the next line of JSON; skips messages on standard error.
    private func nextObject(_ program: ChildProgram) -> [String: Any]? {
        while let line = program.readLine() {
            guard line.hasPrefix("{") else { continue }
            return (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any]
        }
        return nil
    }

    @Test func `'log --follow' shows each job when the job ends, even after printd is killed and restarted`()
        async throws
    {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        expect(try await spooler.printq("submit", "--wait", path))
        let follower = try ChildProgram(
            spooler.program("printq"), ["log", "--follow", "--json", "--spool", spooler.spool])
        #expect(nextObject(follower)?["job-id"] as? Int == 1)
        let held = try await spooler.submit(path, "--hold")
        expect(try await spooler.printq("cancel", "\(held)"))
        let canceled = nextObject(follower)
        #expect(canceled?["job-id"] as? Int == held && canceled?["job-state"] as? String == "canceled")
        spooler.stop(SIGKILL)
        try spooler.start()
        expect(try await spooler.printq("submit", "--wait", path))
        let last = nextObject(follower)
        #expect(last?["job-id"] as? Int == 3 && last?["job-state"] as? String == "completed", "\(last ?? [:])")
        follower.interrupt()
        #expect(try follower.finish().code == 130)
    }

    @Test func `'log --follow' shows a table with one heading and lists the newest job last`() async throws {
        let spooler = try TestSpooler()
        try spooler.start()
        let path = try spooler.file("a.pdf", .numbered(pages: 1))
        for _ in 1...2 { expect(try await spooler.printq("submit", "--wait", path)) }
        let follower = try ChildProgram(spooler.program("printq"), ["log", "-f", "--spool", spooler.spool])
        let rows = (1...3).map { _ in follower.readLine() ?? "" }
        #expect(rows[0].hasPrefix("JOB") && rows[1].hasPrefix("  1 ") && rows[2].hasPrefix("  2 "), "\(rows)")
        follower.interrupt()
        try follower.finish()
    }

    @Test func `'log --daemon' shows the log of printd without starting printd, and --job selects the lines of a job`()
        async throws
    {
        let spooler = try TestSpooler()
        let missing = try await spooler.printq("log", "--daemon")
        expect(missing, code: 66)
        #expect(missing.complaints.contains("there is no log"), "\(missing)")
        try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
        let start = "2026-11-23T15:48:18+0000 info printd:"
        try Data(
            """
            printd: listening on \(spooler.socket), no TCP port
            \(start) job=1 printer=office [PrintScheduler] job claimed
            \(start) job=12 printer=photo [PrintScheduler] job claimed

            """.utf8
        ).write(to: URL(filePath: "\(spooler.spool)/printd.log"))
        let all = try await spooler.printq("log", "--daemon")
        #expect(all.lines.count == 3 && all.lines[1].hasSuffix("info: job claimed (job 1, printer office)"), "\(all)")
        let one = try await spooler.printq("log", "--daemon", "--job", "12", "--json")
        #expect(one.lines.count == 1, "\(one)")
        let object = try JSONSerialization.jsonObject(with: Data(one.output.utf8)) as? [String: Any]
        #expect(object?["job-id"] as? Int == 12 && object?["printer-name"] as? String == "photo")
        #expect(try await spooler.printq("log", "--daemon", "--limit", "1").lines == [all.lines[2]])
        #expect(spooler.processes(of: "printd").isEmpty)

        let follower = try ChildProgram(
            spooler.program("printq"), ["log", "--daemon", "--follow", "--job", "7", "--spool", spooler.spool])
        let handle = try FileHandle(forWritingTo: URL(filePath: "\(spooler.spool)/printd.log"))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("\(start) job=1 [A] other\n\(start) job=7 [A] mine\n".utf8))
        #expect(follower.readLine()?.hasSuffix("info: mine (job 7)") == true)
    }

    @Test func `for the system spool, 'log --daemon' reads the log of printd from the systemd journal`() async throws {
        let spooler = try TestSpooler()
        let script = """
            #!/bin/sh
            echo "$@" > "\(spooler.folder.path("arguments"))"
            echo '{"MESSAGE":"job claimed","PRIORITY":"6","PRINTQ_JOB":"3","PRINTQ_PRINTER":"office"}'
            echo '{"MESSAGE":"job ended","PRIORITY":"6","PRINTQ_JOB":"4"}'

            """
        let program = try spooler.file("journalctl", Array(script.utf8))
        chmod(program, 0o755)
        let run = try await spooler.run(
            spooler.program("printq"), ["log", "--daemon", "--job", "3", "--spool", "/var/spool/printq"],
            environment: ["PATH": "\(spooler.folder.path("")):/usr/bin:/bin"])
        expect(run)
        #expect(run.output == "info: job claimed (job 3, printer office)\n")
        #expect(text(of: spooler.folder.path("arguments")).contains("--unit=printd"))
        #expect(text(of: spooler.folder.path("arguments")).contains("PRINTQ_JOB=3"))
        let without = try await spooler.run(
            spooler.program("printq"), ["log", "--daemon", "--spool", "/var/spool/printq"],
            environment: ["PATH": spooler.folder.path("nothing")])
        expect(without, code: 69)
        #expect(without.complaints.contains("cannot start 'journalctl'"), "\(without)")
    }
}
