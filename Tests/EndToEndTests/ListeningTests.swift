// Tests the TCP addresses of printd, how they are reported, and what remains of them after a crash.

import Foundation
import Glibc
import PrintTestSupport
import ProcessLaunch
import Testing

@Suite(.serialized, .timeLimit(.minutes(3)))
struct ListeningTests {
    /// The JSON of `printq status --json`.
    private struct Status: Decodable {
        var spool: String
        var process: Int32
        var listening: [String]
        var security: [String]
        var problem: String?

        enum CodingKeys: String, CodingKey {
            case spool = "printq-spool"
            case process = "printq-process"
            case listening = "printq-listening"
            case security = "printq-listening-security"
            case problem = "printq-listening-problem"
        }
    }

    private func status(of spooler: TestSpooler) async throws -> Status {
        let run = try await spooler.printq("status", "--json")
        expect(run)
        return try JSONDecoder().decode(Status.self, from: Data(run.output.utf8))
    }

    /// Runs a printd that is expected to exit by itself.
    private func printd(_ spooler: TestSpooler, _ arguments: String...) async throws -> ProgramRun {
        try await spooler.run(spooler.program("printd"), ["--spool", spooler.spool] + arguments)
    }

    private func log(of spooler: TestSpooler) -> String { text(of: spooler.folder.path("printd.err")) }

    @Test func `printd, 'printq doctor' and 'printq status' report the addresses on which printd listens`() async throws
    {
        let spooler = try TestSpooler()
        let ready = try spooler.start(listen: "localhost:0")
        let port = try #require(ready.tcp?.split(separator: ":").last)
        // A client that connects to localhost tries both of its addresses.
        let hasIPv6 = ["127.0.0.1:\(port)", "[::1]:\(port)"] == ready.addresses
        #expect(hasIPv6 || ready.addresses == ["127.0.0.1:\(port)"], "\(ready)")
        let places = ([spooler.socket] + (ready.addresses ?? [])).joined(separator: " and ")
        #expect(log(of: spooler).contains("printd: listening on \(places) (ipp: and ipps:)\n"), "\(log(of: spooler))")
        let doctor = try await spooler.printq("doctor")
        let line = doctor.lines.first { $0.contains("lp and other clients") }
        #expect(line?.hasPrefix("ok: ") == true && line?.contains("127.0.0.1:\(port)") == true, "\(doctor)")
        #expect(line?.contains("ipps:") == true)

        let status = try await status(of: spooler)
        #expect(status.spool == spooler.spool && spooler.processes(of: "printd") == [status.process])
        #expect(status.listening == [spooler.socket] + (ready.addresses ?? []))
        #expect(status.security == ["none", "tls"] && status.problem == nil)
        expect(try await spooler.printq("printers", "pause", "inkjet"))
        expect(try await spooler.printq("submit", "-d", "inkjet", try spooler.file("a.pdf", .numbered(pages: 1))))
        let shown = try await spooler.printq("status")
        expect(shown)
        #expect(shown.lines.contains("listens on  \(spooler.socket)"), "\(shown)")
        #expect(shown.lines.contains("            127.0.0.1:\(port) (ipp: and ipps:)"), "\(shown)")
        #expect(shown.lines.contains("jobs        1 waiting"), "\(shown)")
        #expect(shown.lines.contains { $0.contains("inkjet ") && $0.contains("paused") }, "\(shown)")
    }

    @Test func `'printq status' does not start printd if printd is not running`() async throws {
        let spooler = try TestSpooler()
        let run = try await spooler.printq("status")
        #expect(run.code == 69 && run.complaints.contains("printd is not running for the spool"), "\(run)")
        #expect(spooler.processes(of: "printd").isEmpty)
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `printd refuses a port that another program uses on any address of localhost`(host: String)
        async throws
    {
        let taken = try LoopbackPort()
        defer { close(taken.socket) }
        try taken.serve { _ in }
        let spooler = try TestSpooler()
        let run = try await printd(spooler, "--listen", "\(host):\(taken.number)")
        #expect(run.code == 69 && run.output.contains("\"ready\":false"), "\(run)")
        #expect(
            run.complaints.contains(
                "cannot listen on 127.0.0.1:\(taken.number): address already in use by another program of"), "\(run)")
        #expect(run.complaints.contains("'lp -h \(host):\(taken.number)' would send jobs to that program"), "\(run)")
        // The same port in printd.json5 is also refused when printq starts printd.
        try "{ listen: '\(host):\(taken.number)' }".write(
            toFile: "\(spooler.spool)/printd.json5", atomically: true, encoding: .utf8)
        let queue = try await spooler.printq("queue")
        #expect(queue.code == 69 && queue.complaints.contains("cannot listen on 127.0.0.1"), "\(queue)")
    }

    @Test func `after printd is killed, printq starts a printd that listens on the same port`() async throws {
        let spooler = try TestSpooler()
        let ready = try spooler.start(tcp: true)
        spooler.stop(SIGKILL)
        expect(try await spooler.printq("queue"))
        let again = try await status(of: spooler)
        #expect(again.listening == [spooler.socket, try #require(ready.tcp)])
        let listed = try await spooler.run("lpstat", ["-h", ready.host, "-d"])
        #expect(listed.output == "system default destination: color-laser\n", "\(listed)")
        // After a normal exit, the options of the command line are not reused.
        kill(again.process, SIGTERM)
        try await eventually("printd has exited") { spooler.processes(of: "printd").isEmpty }
        expect(try await spooler.printq("queue"))
        #expect(try await status(of: spooler).listening == [spooler.socket])
    }

    @Test func `if the port of a killed printd is in use, the next printd runs without TCP and reports the problem`()
        async throws
    {
        let spooler = try TestSpooler()
        let ready = try spooler.start(tcp: true)
        let number = try #require(ready.tcp?.split(separator: ":").last.flatMap { Int($0) })
        spooler.stop(SIGKILL)
        let taken = try LoopbackPort(isShared: true, number: number)
        defer { close(taken.socket) }
        try taken.serve { _ in }
        let queue = try await spooler.printq("queue")
        expect(queue)
        #expect(
            queue.complaints.hasPrefix("printq: started printd, which listens on \(spooler.socket); cannot listen on "),
            "\(queue)")
        #expect(queue.complaints.contains("'lp -h 127.0.0.1:\(number)' would send jobs to that program"), "\(queue)")
        let status = try await status(of: spooler)
        #expect(status.listening == [spooler.socket] && status.problem?.contains("127.0.0.1:\(number)") == true)
        let doctor = try await spooler.printq("doctor")
        #expect(doctor.output.contains("warning: printd has no TCP port: cannot listen on 127.0.0.1"), "\(doctor)")
    }

    @Test func `printd ignores invalid options that an earlier printd has stored`() async throws {
        for text in ["{", "{\"idleExit\":0,\"noTCP\":false,\"listen\":\"0.0.0.0:0\"}"] {
            let spooler = try TestSpooler()
            try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
            try text.write(toFile: "\(spooler.spool)/running.json", atomically: true, encoding: .utf8)
            expect(try await spooler.printq("queue"))
            #expect(try await status(of: spooler).listening == [spooler.socket])
        }
    }
}
