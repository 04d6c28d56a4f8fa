import Foundation
import Glibc
import PrintIPP
import PrintModel
import PrintTestSupport
import Testing

/// Tests of programs whose reader ends first, as in `printq queue | head`.
struct ClosedOutputTests {
    /// Runs a program after the reader of its standard output has ended, and returns the exit code of the shell.
    private func run(_ program: String, _ arguments: String, in spool: TestSpool) async throws -> ProgramRun {
        // A parent such as Python's subprocess can ignore SIGPIPE; printq then sees only the failed write.
        let script = """
            trap '' PIPE
            mkfifo go
            (read -r _ <go; exec "$0" \(arguments)) | (exec <&-; echo >go; exec true)
            echo "${PIPESTATUS[0]}"
            rm go
            """
        return try await spool.run(["-c", script, program], program: "/bin/bash")
    }

    @Test(arguments: [
        "queue", "queue --json", "queue --all", "log", "show 1", "printers", "types", "--help", "help queue",
    ])
    func `if the reader of its output has ended, a command of printq ends like 'ls'`(arguments: String) async throws {
        let queue = FakeQueue()
        await queue.add(
            Job(
                id: 1, uuid: "urn:uuid:1", printer: "office", owner: "ann", name: "a.pdf", createdAt: 1_700_000_000))
        try await withSpool(queue) { spool in
            let run = try await run(printqPath, arguments, in: spool)
            #expect(run.output == "\(128 + SIGPIPE)\n" && run.complaints.isEmpty, "\(run)")
        }
    }

    @Test(arguments: ["--help", "help run", "compare . ."])
    func `if the reader of its output has ended, a command of printsim ends like 'ls'`(arguments: String) async throws {
        let spool = TestSpool(folder: try TemporaryFolder())
        let run = try await run(printqPath.dropLast("printq".count) + "printsim", arguments, in: spool)
        #expect(run.output == "\(128 + SIGPIPE)\n" && run.complaints.isEmpty, "\(run)")
    }
}
