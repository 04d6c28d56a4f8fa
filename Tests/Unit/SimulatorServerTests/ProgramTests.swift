import FoundationEssentials
import Glibc
import IPP
import IPPClient
import IPPNetworkClient
import PrintTestSupport
import PrinterSimulator
import ProcessLaunch
import Testing

/// Tests of the real printsim with the real print-worker.
struct ProgramTests {
    private let folder: TemporaryFolder
    private var socket: String { folder.path("s") }

    init() throws { folder = try TemporaryFolder() }

    /// The line that printsim writes when it is ready.
    private struct Ready: Decodable {
        struct Printer: Decodable {
            var name: String
            var uri: String
            var ippsURI: String?
            var output: String
        }
        var ready: Bool
        var printers: [Printer]
        var socket: String?
    }

    private func start(_ arguments: [String], log: String = "log") throws -> DetachedProcess {
        try DetachedProcess(
            program: Programs.besideTests("printsim"),
            arguments: [
                "--simulators", "\(packageFolder)/Simulators", "--output", folder.path("output"), "--no-dns-sd",
            ] + arguments,
            log: folder.path(log))
    }

    private func ready(_ process: DetachedProcess) throws -> Ready {
        let line = try #require(process.readLine(deadline: 30), "\(log())")
        return try JSONDecoder().decode(Ready.self, from: Data(line.utf8))
    }

    private func log(_ name: String = "log") -> String {
        (try? String(contentsOfFile: folder.path(name), encoding: .utf8)) ?? ""
    }

    /// Waits for the end of a process, and returns its exit code.
    private func end(of process: DetachedProcess) -> Int32 {
        var status: Int32 = 0
        waitpid(process.pid, &status, 0)
        return status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f)
    }

    private func request(_ operation: IPP.Operation, _ uri: String, _ more: [Attribute] = []) -> Message {
        Message(
            operation: operation, requestID: 1,
            groups: [
                .operation(
                    [Attribute("printer-uri", .uri(uri)), Attribute("requesting-user-name", .name("ann"))] + more)
            ])
    }

    @Test func `after a timeout, 'printsim wait' names what it waited for and what the printer does`() async throws {
        let process = try start(["mono-laser", "--fault", "media-jam at page 1"])
        let uri = try #require(try ready(process).printers.first?.uri)
        func wait(_ arguments: String...) async throws -> ProgramRun {
            try await ProgramRun(
                Programs.besideTests("printsim"), ["wait", "--at", uri, "--timeout", "0.1"] + arguments,
                environment: ["PATH": "/usr/bin:/bin"], in: folder.path("."))
        }
        let none = try await wait()
        #expect(none.code == 75)
        #expect(
            none.complaints == "printsim: timed out after 0.1 seconds waiting for a job to end: mono-laser: idle; "
                + "ended jobs: 0; no other job has arrived\n")
        #expect(
            try await wait("--job", "7").complaints.hasSuffix(
                "waiting for job 7 to end: mono-laser: idle; the printer has no job 7\n"))
        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.fill(.red, x: 100, y: 100, width: 100, height: 100) }
        let client = try IPPClient(address: .tcp(host: "127.0.0.1", port: #require(URL(string: uri)?.port)))
        let print = request(.printJob, uri, [Attribute("job-name", .name("Letter"))])
        #expect(try await client.send(print, document: .bytes(pdf.bytes)).status == .successfulOk)
        try await eventually("the printer is jammed") {
            try await client.send(request(.getPrinterAttributes, uri))[.printer]?.integer("printer-state") == 5
        }
        await client.close()
        let jammed = try await wait("--jobs", "2")
        #expect(jammed.complaints.contains("waiting for 2 jobs to end: mono-laser: stopped (media-jam"), "\(jammed)")
        #expect(jammed.complaints.contains("job 1 (Letter) is stopped, 0 sides printed: "), "\(jammed)")
        kill(process.pid, SIGTERM)
        #expect(end(of: process) == 0)
    }

    @Test func `printsim stores the pages of a submitted document as images, and exits on SIGTERM`() async throws {
        let process = try start(["--socket", socket, "--speed", "instant"])
        let ready = try ready(process)
        #expect(
            ready.printers.map(\.name) == [
                "color-laser", "inkjet", "inkjet-duplex", "label", "mono-laser", "photo", "roll",
            ])
        #expect(ready.socket == socket)
        let printer = try #require(ready.printers.first { $0.name == "mono-laser" })
        #expect(printer.uri.hasPrefix("ipp://localhost:"))
        #expect(printer.output == folder.path("output/mono-laser"))

        var pdf = PDFBuilder()
        pdf.addPage(.a4) { $0.fill(.red, x: 100, y: 100, width: 100, height: 100) }
        pdf.addPage(.a4) { $0.fill(.blue, x: 0, y: 100, width: 100, height: 100) }
        let client = IPPClient(address: .unix(path: socket))
        var print = request(.printJob, printer.uri)
        print.groups.append(AttributeGroup(.subscription, [Attribute("notify-pull-method", .keyword("ippget"))]))
        let printed = try await client.send(print, document: .bytes(pdf.bytes))
        #expect(printed.status == .successfulOk)
        // Send the signal only after the job has ended, because a printing job could be lost.
        let subscription = try #require(printed[.subscription]?["notify-subscription-id"])
        let news = request(
            .getNotifications, printer.uri,
            [Attribute("notify-subscription-ids", subscription.values), Attribute("notify-wait", .boolean(true))])
        #expect(try await client.send(news).status == .successfulOkEventsComplete)
        let reply = try await client.send(request(.getJobAttributes, printer.uri, [Attribute("job-id", .integer(1))]))
        #expect(reply[.job]?.integer("job-state") == 9)
        #expect(reply[.job]?.string("job-state-message") == "content clipped at the left margin on page 2")
        for name in ["original.pdf", "page-0001.png", "page-0002.png", "sheets.pdf", "job.json"] {
            #expect(FileManager.default.fileExists(atPath: "\(printer.output)/job-000001/\(name)"), "\(name)")
        }
        let waited = try await ProgramRun(
            Programs.besideTests("printsim"), ["wait", "--job", "1"], environment: ["PRINTSIM_URI": printer.uri],
            in: folder.path("."))
        #expect(waited.code == 0)
        #expect(waited.output == "job 1 (Untitled): completed, 2 sides: content clipped at the left margin on page 2\n")
        await client.close()
        kill(process.pid, SIGTERM)
        #expect(end(of: process) == 0)
        #expect(!FileManager.default.fileExists(atPath: socket))
        #expect(log() == "")
    }

    @Test func `the web page and the icons of a simulated printer are available at the URIs that the printer reports`()
        async throws
    {
        let process = try start(["inkjet", "--speed", "instant"])
        let uri = try #require(try ready(process).printers.first?.uri)
        let port = try #require(uri.split(separator: "/")[1].split(separator: ":").last.flatMap { UInt16($0) })
        let client = IPPClient(address: .tcp(host: "127.0.0.1", port: Int(port)))
        let printer = try #require(try await client.send(request(.getPrinterAttributes, uri))[.printer])
        let name = Attribute("job-name", .name("secret letter"))
        #expect(try await client.send(request(.createJob, uri, [name])).status == .successfulOk)
        let authority = "http://localhost:\(port)"
        func get(_ uri: String) throws -> (head: String, body: [UInt8]) {
            try #require(uri.hasPrefix(authority))
            return try HTTPAnswer.get(String(uri.dropFirst(authority.count)), port: port)
        }
        let page = try get(try #require(printer.string("printer-more-info")))
        #expect(page.head.hasPrefix("HTTP/1.1 200"))
        let html = String(decoding: page.body, as: UTF8.self)
        #expect(html.contains("<h1>Inkjet (simulated)</h1>") && html.contains("<td>Cyan ink</td><td>85 %</td>"))
        // Everyone can read the page.
        #expect(html.contains("<td>1</td>") && !html.contains("secret letter") && !html.contains(">ann<"), "\(html)")
        #expect(try get(try #require(printer.string("printer-supply-info-uri"))).head.hasPrefix("HTTP/1.1 200"))
        let icons = printer.strings("printer-icons")
        #expect(icons.count == 3)
        for (icon, size) in zip(icons, [48, 128, 512]) {
            let picture = try get(icon)
            #expect(picture.head.contains("image/png"))
            #expect(picture.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
            #expect(
                picture.body[16..<24].elementsEqual([
                    0, 0, UInt8(size >> 8), UInt8(size & 255), 0, 0, UInt8(size >> 8), UInt8(size & 255),
                ]))
        }
        await client.close()
        kill(process.pid, SIGTERM)
        #expect(end(of: process) == 0)
    }

    @Test func `a second process can clear a paper jam in printsim, and with --once, printsim exits after the job`()
        async throws
    {
        let process = try start(["mono-laser", "--speed", "instant", "--fault", "media-jam at page 2", "--once"])
        let printer = try #require(try ready(process).printers.first)
        func printsim(_ arguments: String...) async throws -> ProgramRun {
            try await ProgramRun(
                Programs.besideTests("printsim"), arguments, environment: ["PRINTSIM_URI": printer.uri],
                in: folder.path("."))
        }
        let port = try #require(printer.uri.split(separator: "/")[1].split(separator: ":").last.flatMap { Int($0) })
        let client = IPPClient(address: .tcp(host: "127.0.0.1", port: port))
        let wish = [
            Attribute("notify-pull-method", .keyword("ippget")), Attribute("notify-events", .keyword("job-stopped")),
        ]
        var print = request(.printJob, printer.uri)
        print.groups.append(AttributeGroup(.subscription, wish))
        let printed = try await client.send(print, document: .bytes(PDFBuilder.numbered(pages: 3).bytes))
        let subscription = try #require(printed[.subscription]?["notify-subscription-id"])
        let news = request(
            .getNotifications, printer.uri,
            [Attribute("notify-subscription-ids", subscription.values), Attribute("notify-wait", .boolean(true))])
        #expect(try await client.send(news)[.eventNotification]?.integer("job-state") == 6)
        await client.close()

        let status = try await printsim("status")
        #expect(
            status.output
                == """
                mono-laser: stopped (media-jam-error): Paper jam; clear the jam
                  tray: tray-1: any, endless
                  tray: manual: any, endless
                  fault: media-jam at page 2 until cleared (now)

                """,
            "\(status.complaints)")
        let wrong = try await printsim("fault", "fire")
        #expect(wrong.code == EX_USAGE && wrong.complaints.contains("unknown fault 'fire'"))
        #expect(try await printsim("clear", "media-jam").code == 0)
        #expect(end(of: process) == 0)
        let report = try String(contentsOfFile: "\(printer.output)/job-000001/job.json", encoding: .utf8)
        #expect(report.contains("\"impressionsCompleted\" : 3"), "\(report)")
    }

    @Test func `printsim clones a printer from a URI and from an ipptool dump, and serves the clone`() async throws {
        let process = try start(["inkjet", "--port", "0"])
        let printer = try #require(try ready(process).printers.first)
        func run(_ program: String, _ arguments: [String], input: String = "") async throws -> ProgramRun {
            try await ProgramRun(
                program, arguments, environment: ["PATH": "/usr/bin"], in: folder.path("."), input: input)
        }
        let printsim = Programs.besideTests("printsim")
        let clone = try await run(printsim, ["clone", printer.uri, "--name", "desk"])
        #expect(clone.code == 0 && clone.complaints.isEmpty, "\(clone)")
        let secure = try await run(printsim, ["clone", try #require(printer.ippsURI), "--name", "desk"])
        #expect(secure.output.split(separator: "\n").dropFirst() == clone.output.split(separator: "\n").dropFirst())
        let dump = try await run("/usr/bin/ipptool", ["-tv", printer.uri, "get-printer-attributes.test"])
        let read = try await run(printsim, ["clone", "--dump", "-", "--name", "desk"], input: dump.output)
        #expect(read.code == 0, "\(read)")
        #expect(read.output.split(separator: "\n").dropFirst() == clone.output.split(separator: "\n").dropFirst())
        try FileManager.default.createDirectory(atPath: folder.path("own"), withIntermediateDirectories: true)
        try clone.output.write(toFile: folder.path("own/desk.json5"), atomically: true, encoding: .utf8)
        let copy = try start(["--simulators", folder.path("own"), "desk", "--port", "0"], log: "copy")
        #expect(try ready(copy).printers.map(\.name) == ["desk"])
        for process in [process, copy] {
            kill(process.pid, SIGTERM)
            #expect(end(of: process) == 0)
        }
    }

    @Test(arguments: [
        (["clone", "lpd://printer"], EX_USAGE, "invalid printer URI 'lpd://printer'"),
        (["clone", "ipp://127.0.0.1:1/ipp/print"], EX_UNAVAILABLE, "no IPP server responds at 127.0.0.1:1"),
        (["clone", "--dump", "/nonexistent"], EX_NOINPUT, "cannot read '/nonexistent'"),
        (["clone", "--dump", "/etc/passwd"], EX_DATAERR, "'/etc/passwd' has no attributes"),
        (["clone"], EX_USAGE, "give either a printer's URI, or --dump"),
        (["clone", "ipp://x", "--name", "a b"], EX_USAGE, "invalid value 'a b' for --name"),
    ])
    func `'printsim clone' refuses invalid input with a message`(arguments: [String], code: Int32, words: String)
        async throws
    {
        let run = try await ProgramRun(
            Programs.besideTests("printsim"), arguments, environment: [:], in: folder.path("."))
        #expect(run.code == code && run.output.isEmpty)
        #expect(run.complaints.contains(words), "\(run.complaints)")
    }

    @Test func `'printsim wait' exits at the timeout if no job ends`() async throws {
        let process = try start(["inkjet"])
        let printer = try #require(try ready(process).printers.first)
        let wait = try await ProgramRun(
            Programs.besideTests("printsim"), ["wait", "--timeout", "0.2"],
            environment: ["PRINTSIM_URI": printer.uri], in: folder.path("."))
        #expect(
            wait.code == EX_TEMPFAIL
                && wait.complaints.hasPrefix("printsim: timed out after 0.2 seconds waiting for a job to end: "))
        kill(process.pid, SIGTERM)
        #expect(end(of: process) == 0)
    }

    @Test func `with equal seeds, printsim writes identical job.json files`() async throws {
        var reports: [String] = []
        for run in ["a", "b"] {
            let output = folder.path(run)
            let process = try start([
                "inkjet", "--socket", folder.path("s\(run)"), "--no-tcp", "--seed", "7", "--once", "--output", output,
                "--fault", "slow x3 with chance 50% for 2 seconds",
            ])
            let uri = try #require(try ready(process).printers.first?.uri)
            let client = IPPClient(address: .unix(path: folder.path("s\(run)")))
            let document = PDFBuilder.numbered(pages: 4).bytes
            #expect(try await client.send(request(.printJob, uri), document: .bytes(document)).status == .successfulOk)
            await client.close()
            #expect(end(of: process) == 0)
            reports.append(try String(contentsOfFile: "\(output)/inkjet/job-000001/job.json", encoding: .utf8))
        }
        #expect(reports[0] == reports[1])
        #expect(reports[0].contains("2026-01-01T00:00:"))
    }

    @Test
    func `if a second printsim uses the same socket or printer, only the second printsim exits, with an error message`()
        throws
    {
        let first = try start(["inkjet", "--socket", socket, "--no-tcp"])
        #expect(try ready(first).printers.map(\.uri) == ["ipp://localhost/ipp/print/inkjet"])
        let second = try start(["mono-laser", "--socket", socket, "--no-tcp"], log: "second")
        #expect(end(of: second) == EX_TEMPFAIL)
        #expect(
            log("second")
                == "printsim: \(socket): address already in use; stop the other process or choose another address\n"
        )
        let third = try start(["inkjet", "--port", "0"], log: "third")
        #expect(end(of: third) == EX_TEMPFAIL)
        #expect(log("third").contains("another printsim uses the printer 'inkjet'"))
        kill(first.pid, SIGTERM)
        #expect(end(of: first) == 0)
    }

    @Test func `an idle printsim exits after the time in the option --idle-exit`() throws {
        let process = try start(["inkjet", "--idle-exit", "0.2"])
        #expect(try ready(process).ready)
        #expect(end(of: process) == 0)
    }

    @Test(arguments: [
        (["plotter"], EX_USAGE, "unknown printer 'plotter'"),
        (["color-lasr"], EX_USAGE, "did you mean 'color-laser'?"), (["statsu"], EX_USAGE, "did you mean 'status'?"),
        (["--prot", "0"], EX_USAGE, "printsim: unknown option '--prot'; did you mean '--port'?"),
        (["--port", "x"], EX_USAGE, "printsim: invalid value 'x' for --port; expected a number; see 'printsim serve"),
        (["--fault", "media-jm"], EX_USAGE, "unknown fault 'media-jm'; did you mean 'media-jam'?"),
        (["--no-tcp"], EX_USAGE, "--no-tcp requires --socket"),
        (["--speed", "fast"], EX_USAGE, "invalid value 'fast' for --speed; expected instant, or a factor"),
        (["--listen", "192.0.2.77"], EX_USAGE, "expected a numeric address of this machine"),
        (["--worker", "/nonexistent/worker"], EX_UNAVAILABLE, "cannot run the worker program '/nonexistent/worker'"),
        (["--simulators", "/nonexistent"], EX_NOINPUT, "no folder '/nonexistent'"),
        (["--output", "/proc/nowhere"], EX_CANTCREAT, "/proc/nowhere"),
    ])
    func `printsim refuses invalid options with a message and an exit code`(
        arguments: [String], code: Int32, words: String
    ) throws {
        let process = try start(arguments)
        #expect(end(of: process) == code)
        #expect(log().contains(words), "\(log())")
    }
}

/// An HTTP GET client for this machine.
enum HTTPAnswer {
    static func get(_ path: String, port: UInt16) throws -> (head: String, body: [UInt8]) {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(connected == 0)
        let request = Array("GET \(path) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\r\n".utf8)
        try #require(write(socket, request, request.count) == request.count)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(socket, &piece, piece.count), count > 0 { bytes += piece[..<count] }
        let end = try #require(bytes.indices.first { bytes[$0...].starts(with: [13, 10, 13, 10]) })
        return (String(decoding: bytes[..<end], as: UTF8.self), Array(bytes[(end + 4)...]))
    }
}

extension Programs {
    /// Returns the path of a program that was built with the tests.
    static func besideTests(_ name: String) -> String {
        // The test runner may be in a different folder. The programs are in the folder of the test bundle.
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        let bundle = maps.split(separator: "\n").first { $0.hasSuffix(".xctest") }?.split(separator: " ").last
        guard let bundle, let slash = bundle.lastIndex(of: "/") else { return beside(name) }
        return "\(bundle[..<slash])/\(name)"
    }
}
