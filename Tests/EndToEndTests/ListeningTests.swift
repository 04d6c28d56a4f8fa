// Where printd listens, who is told, and what is left of it after a crash.

import Foundation
import Glibc
import PrintTestSupport
import ProcessLaunch
import Testing

@Suite(.serialized, .timeLimit(.minutes(3)))
struct ListeningTests {
    /// The document that `printq status --json` is.
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

    /// Runs a printd that is to end by itself.
    private func printd(_ spooler: TestSpooler, _ arguments: String...) async throws -> ProgramRun {
        try await spooler.run(spooler.program("printd"), ["--spool", spooler.spool] + arguments)
    }

    private func log(of spooler: TestSpooler) -> String { text(of: spooler.folder.path("printd.err")) }

    @Test func `printd says on standard error where it listens, and so do doctor and status`() async throws {
        let spooler = try TestSpooler()
        let ready = try spooler.start(listen: "localhost:0")
        let port = try #require(ready.tcp?.split(separator: ":").last)
        // A client that calls localhost tries both of its addresses.
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
        #expect(shown.lines.contains("jobs        1 waiting or held"), "\(shown)")
        #expect(shown.lines.contains { $0.contains("inkjet ") && $0.contains("paused") }, "\(shown)")
    }

    @Test func `status starts nothing`() async throws {
        let spooler = try TestSpooler()
        let run = try await spooler.printq("status")
        #expect(run.code == 69 && run.complaints.contains("printd is not running on the spool"), "\(run)")
        #expect(spooler.processes(of: "printd").isEmpty)
    }

    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a port that somebody else has is refused, also at one of the addresses of localhost`(host: String)
        async throws
    {
        let taken = try LoopbackPort()
        defer { close(taken.socket) }
        try taken.serve { _ in }
        let spooler = try TestSpooler()
        let run = try await printd(spooler, "--listen", "\(host):\(taken.number)")
        #expect(run.code == 69 && run.output.contains("\"ready\":false"), "\(run)")
        #expect(
            run.complaints.contains("cannot listen on 127.0.0.1:\(taken.number), which another program of"), "\(run)")
        #expect(run.complaints.contains("'lp -h \(host):\(taken.number)' would print there"), "\(run)")
        // The setting of the spool is refused as well, also when printq starts printd.
        try "{ listen: '\(host):\(taken.number)' }".write(
            toFile: "\(spooler.spool)/printd.json5", atomically: true, encoding: .utf8)
        let queue = try await spooler.printq("queue")
        #expect(queue.code == 69 && queue.complaints.contains("cannot listen on 127.0.0.1"), "\(queue)")
    }

    @Test func `after a kill, the printd that printq starts listens where the killed one did`() async throws {
        let spooler = try TestSpooler()
        let ready = try spooler.start(tcp: true)
        spooler.stop(SIGKILL)
        expect(try await spooler.printq("queue"))
        let again = try await status(of: spooler)
        #expect(again.listening == [spooler.socket, try #require(ready.tcp)])
        let listed = try await spooler.run("lpstat", ["-h", ready.host, "-d"])
        #expect(listed.output == "system default destination: color-laser\n", "\(listed)")
        // One that has ended in good order leaves nothing: the command line was for it alone.
        kill(again.process, SIGTERM)
        try await eventually("it is gone") { spooler.processes(of: "printd").isEmpty }
        expect(try await spooler.printq("queue"))
        #expect(try await status(of: spooler).listening == [spooler.socket])
    }

    @Test func `when its port is taken after a kill, the next one works without it, and says so`() async throws {
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
            queue.complaints.hasPrefix("printq: printd is started and listens on \(spooler.socket); cannot listen on "),
            "\(queue)")
        #expect(queue.complaints.contains("'lp -h 127.0.0.1:\(number)' would print there"), "\(queue)")
        let status = try await status(of: spooler)
        #expect(status.listening == [spooler.socket] && status.problem?.contains("127.0.0.1:\(number)") == true)
        let doctor = try await spooler.printq("doctor")
        #expect(doctor.output.contains("warning: it listens on no TCP port: cannot listen on 127.0.0.1"), "\(doctor)")
    }

    @Test func `options that were kept and make no sense are no options`() async throws {
        for text in ["{", "{\"idleExit\":0,\"noTCP\":false,\"listen\":\"0.0.0.0:0\"}"] {
            let spooler = try TestSpooler()
            try FileManager.default.createDirectory(atPath: spooler.spool, withIntermediateDirectories: true)
            try text.write(toFile: "\(spooler.spool)/running.json", atomically: true, encoding: .utf8)
            expect(try await spooler.printq("queue"))
            #expect(try await status(of: spooler).listening == [spooler.socket])
        }
    }
}
