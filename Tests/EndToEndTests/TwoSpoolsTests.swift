// Tests that a system spooler and a private spool on one machine are not confused.

import Foundation
import Glibc
import PrintTestSupport
import ProcessLaunch
import Testing

/// Tests with a printd in the place of the system spooler, and a private spool.
///
/// `PRINTQ_SYSTEM_SOCKET` names the socket, because the tests do not change the machine.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TwoSpoolsTests {
    /// The printd in the place of the system spooler.
    private let system: TestSpooler
    /// The folder of the user with the private spool.
    private let user: TestSpooler

    init() throws {
        system = try TestSpooler()
        user = try TestSpooler()
    }

    private var privateSpool: String { user.folder.path("printq") }

    /// Runs printq as a user without `PRINTQ_SPOOL`.
    private func printq(_ arguments: String..., variables: [String: String] = [:]) async throws -> ProgramRun {
        try await user.run(
            user.program("printq"), arguments,
            environment: [
                "PRINTQ_SPOOL": "", "XDG_STATE_HOME": user.folder.path, "PRINTQ_SYSTEM_SOCKET": system.socket,
            ].merging(variables) { _, new in new })
    }

    @Test func `commands use the running system spooler unless PRINTQ_SPOOL selects a private spool`() async throws {
        try system.start()
        let status = try await printq("status")
        expect(status)
        #expect(status.lines.first == "spool       \(system.spool) (system spooler)", "\(status)")
        #expect(try await printq("submit", "--hold", try user.file("a.pdf", .numbered(pages: 1))).jobID == 1)
        #expect(try await system.printq("queue", "--json").output.contains("a.pdf"))
        #expect(!FileManager.default.fileExists(atPath: privateSpool))

        let created = try await printq("init")
        expect(created)
        #expect(
            created.lines == [
                "created the private spool '\(privateSpool)'", "  select it      export PRINTQ_SPOOL=\(privateSpool)",
                "  configuration  \(privateSpool)/printd.json5",
            ], "\(created)")
        #expect(user.processes(of: "printd").isEmpty)
        let chosen = ["PRINTQ_SPOOL": privateSpool]
        #expect(try await printq("queue", variables: chosen).output == "the queue is empty\n")
        let own = try await printq("status", variables: chosen)
        #expect(own.lines.first == "spool       \(privateSpool) (PRINTQ_SPOOL)", "\(own)")
        #expect(
            own.complaints.contains("the system spooler '/var/spool/printq' has unfinished jobs too"), "\(own)")
        let doctor = try await printq("doctor", variables: chosen)
        #expect(doctor.output.contains("ok: printq uses the spool '\(privateSpool)' (PRINTQ_SPOOL)\n"), "\(doctor)")
        #expect(
            doctor.output.contains("warning: the system spooler '/var/spool/printq' has unfinished jobs"), "\(doctor)")
        // The other way round.
        expect(try await printq("submit", "--hold", user.folder.path("a.pdf"), variables: chosen))
        let warned = try await printq("status")
        #expect(warned.complaints.contains("the private spool '\(privateSpool)' has unfinished jobs too"), "\(warned)")
        #expect(warned.lines.first == "spool       \(system.spool) (system spooler)", "\(warned)")
        // The same after a restart of the machine, when no printd of the private spool runs.
        for process in user.processes(of: "printd") { kill(process, SIGTERM) }
        try await eventually("the private printd has exited") { user.processes(of: "printd").isEmpty }
        #expect(try await printq("status").complaints == warned.complaints)
        try await eventually("nothing was started") { user.processes(of: "printd").isEmpty }
        expect(try await printq("cancel", "1", variables: chosen))
        for process in user.processes(of: "printd") { kill(process, SIGTERM) }
        try await eventually("the private printd has exited again") { user.processes(of: "printd").isEmpty }
        #expect(try await printq("status").complaints.isEmpty)
    }

    @Test func `'printq init' refuses a folder that is already a spool or contains unrelated files`() async throws {
        let folder = user.folder.path("mine")
        expect(try await printq("init", folder))
        let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        let again = try await printq("init", folder)
        expect(
            again, code: 1,
            says:
                "printq: '\(folder)' is already a spool, and was not changed; "
                + "'export PRINTQ_SPOOL=\(folder)' selects the spool"
        )
        expect(try await printq("init", user.folder.path), code: 64)
        expect(try await printq("init", "/var/spool/printq"), code: 64)
        expect(try await printq("queue", "--spool", folder))
    }

    @Test func `if the system spooler is not running, printq uses the private spool and reports the reason`()
        async throws
    {
        // The folder of the socket exists, as after 'systemctl stop printd.socket'.
        try FileManager.default.createDirectory(atPath: system.spool, withIntermediateDirectories: true)
        let run = try await printq("queue")
        expect(run)
        let lines = run.complaints.split(separator: "\n").map(String.init)
        #expect(
            lines == [
                "printq: the system spooler is not running, so printq uses the private spool '\(privateSpool)'; "
                    + "'systemctl start printd.socket' starts the system spooler",
                "printq: started printd, which listens on \(privateSpool)/printd.sock",
            ], "\(run)")
        let next = try await printq("doctor")
        #expect(next.output.contains("warning: the system spooler is not running"), "\(next)")
        #expect(next.output.contains("printq uses the private spool '\(privateSpool)'"), "\(next)")
    }

    @Test func `if the system spooler does not answer, commands fail, and no private printd starts`() async throws {
        try system.start()
        system.stop(SIGKILL)
        for arguments in [["queue"], ["status"]] {
            let run = try await user.run(
                user.program("printq"), arguments,
                environment: [
                    "PRINTQ_SPOOL": "", "XDG_STATE_HOME": user.folder.path, "PRINTQ_SYSTEM_SOCKET": system.socket,
                ])
            #expect(run.code == 69 && run.complaints.contains("systemctl start printd.socket"), "\(run)")
        }
        #expect(user.processes(of: "printd").isEmpty && !FileManager.default.fileExists(atPath: privateSpool))
    }
}
