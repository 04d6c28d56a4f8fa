import FoundationEssentials
import Glibc
import IPP
import IPPClient
import PrintTestSupport
import PrinterSimulator
import ProcessLaunch
import Testing

/// The real printsim with the real print-worker.
struct ProgramTests {
    private let folder: TemporaryFolder
    private var socket: String { folder.path("s") }

    init() throws { folder = try TemporaryFolder() }

    /// What printsim says when it is ready.
    private struct Ready: Decodable {
        struct Printer: Decodable {
            var name: String
            var uri: String
            var output: String
        }
        var ready: Bool
        var printers: [Printer]
        var socket: String?
    }

    private func start(_ arguments: [String], log: String = "log") throws -> DetachedProcess {
        try DetachedProcess(
            program: Programs.besideTests("printsim"),
            arguments: ["--simulators", "\(packageFolder)/Simulators", "--output", folder.path("output")] + arguments,
            log: folder.path(log))
    }

    private func ready(_ process: DetachedProcess) throws -> Ready {
        let line = try #require(process.readLine(deadline: 30), "\(log())")
        return try JSONDecoder().decode(Ready.self, from: Data(line.utf8))
    }

    private func log(_ name: String = "log") -> String {
        (try? String(contentsOfFile: folder.path(name), encoding: .utf8)) ?? ""
    }

    /// Waits for the end of a process; its exit code.
    private func end(of process: DetachedProcess) -> Int32 {
        var status: Int32 = 0
        waitpid(process.pid, &status, 0)
        return status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f)
    }

    private func request(_ operation: IPP.Operation, _ uri: String, _ more: [Attribute] = []) -> Message {
        Message(
            operation: operation, requestID: 1,
            groups: [
                AttributeGroup(
                    .operation,
                    [
                        Attribute("attributes-charset", .charset("utf-8")),
                        Attribute("attributes-natural-language", .naturalLanguage("en")),
                        Attribute("printer-uri", .uri(uri)), Attribute("requesting-user-name", .name("ann")),
                    ] + more)
            ])
    }

    @Test func `a document sent to a printer becomes page images, and the printer ends when told to`() async throws {
        let process = try start(["--socket", socket, "--speed", "instant"])
        let ready = try ready(process)
        #expect(ready.printers.map(\.name) == ["color-laser", "inkjet", "mono-laser"])
        #expect(ready.socket == socket)
        let printer = try #require(ready.printers.last)
        #expect(printer.uri.hasPrefix("ipp://localhost:"))
        #expect(printer.output == folder.path("output/mono-laser"))

        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.fill(.red, x: 100, y: 100, width: 100, height: 100) }
        pdf.addPage(.a4) { $0.fill(.blue, x: 0, y: 100, width: 100, height: 100) }
        let client = IPPClient(address: .unix(path: socket))
        let printed = try await client.send(request(.printJob, printer.uri), document: .bytes(pdf.bytes))
        #expect(printed.status == .successfulOk)
        // The printer ends, as told, only after the job: what is being printed may be lost otherwise.
        var state: Int32 = 0
        var reply = printed
        while state < 7 {
            let ask = request(.getJobAttributes, printer.uri, [Attribute("job-id", .integer(1))])
            reply = try await client.send(ask)
            state = try #require(reply[.job]?.integer("job-state"))
            // Nothing tells a client without subscriptions; it looks again after a while, as clients do.
            if state < 7 { try await Task.sleep(for: .milliseconds(30)) }
        }
        #expect(state == 9)
        #expect(reply[.job]?.string("job-state-message") == "content clipped at the left margin on page 2")
        for name in ["original.pdf", "page-0001.png", "page-0002.png", "sheets.pdf", "job.json"] {
            #expect(FileManager.default.fileExists(atPath: "\(printer.output)/job-000001/\(name)"), "\(name)")
        }
        await client.close()
        kill(process.pid, SIGTERM)
        #expect(end(of: process) == 0)
        #expect(!FileManager.default.fileExists(atPath: socket))
        #expect(log() == "")
    }

    @Test func `a second printsim on the same socket says so and changes nothing`() throws {
        let first = try start(["inkjet", "--socket", socket, "--no-tcp"])
        #expect(try ready(first).printers.map(\.uri) == ["ipp://localhost/ipp/print/inkjet"])
        let second = try start(["mono-laser", "--socket", socket, "--no-tcp"], log: "second")
        #expect(end(of: second) == EX_TEMPFAIL)
        #expect(
            log("second")
                == "printsim: \(socket) is served by another process already; stop that one or choose another address\n"
        )
        let third = try start(["inkjet", "--port", "0"], log: "third")
        #expect(end(of: third) == EX_TEMPFAIL)
        #expect(log("third").contains("another printsim runs the printer 'inkjet'"))
        kill(first.pid, SIGTERM)
        #expect(end(of: first) == 0)
    }

    @Test func `a printsim that is not needed leaves by itself`() throws {
        let process = try start(["inkjet", "--idle-exit", "0.2"])
        #expect(try ready(process).ready)
        #expect(end(of: process) == 0)
    }

    @Test(arguments: [
        (["plotter"], EX_USAGE, "there is no printer 'plotter'"), (["--no-tcp"], EX_USAGE, "leaves no address"),
        (["--speed", "fast"], EX_USAGE, "takes instant, or a factor"),
        (["--worker", "/nonexistent/worker"], EX_UNAVAILABLE, "'/nonexistent/worker', cannot be run"),
        (["--simulators", "/nonexistent"], EX_NOINPUT, "there is no folder '/nonexistent'"),
        (["--output", "/proc/nowhere"], EX_CANTCREAT, "/proc/nowhere"),
    ])
    func `what cannot be is refused in a sentence and with its exit code`(
        arguments: [String], code: Int32, words: String
    ) throws {
        let process = try start(arguments)
        #expect(end(of: process) == code)
        #expect(log().contains(words), "\(log())")
    }
}

extension Programs {
    /// The path of a program that was built with the tests.
    static func besideTests(_ name: String) -> String {
        // The test runner may be elsewhere; the products lie where the test bundle was loaded from.
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        let bundle = maps.split(separator: "\n").first { $0.hasSuffix(".xctest") }?.split(separator: " ").last
        guard let bundle, let slash = bundle.lastIndex(of: "/") else { return beside(name) }
        return "\(bundle[..<slash])/\(name)"
    }
}
