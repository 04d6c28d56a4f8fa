import FoundationEssentials
import Glibc
import IPP
import IPPClient
import IPPNetworkClient
import PrintTestSupport
import PrinterSimulator
import ProcessLaunch
import Testing

/// Tests of documents by reference (Print-URI, Send-URI), with the real printsim and Python's HTTP server.
struct ReferenceTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Starts an HTTP server for this test's folder.
    private func httpServer() throws -> (program: ChildProgram, port: Int) {
        let program = try ChildProgram(
            "python3", ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", folder.path("web")])
        // The line is: Serving HTTP on 127.0.0.1 port 12345 (http://127.0.0.1:12345/) ...
        let line = try #require(program.readLine())
        let words = line.split(separator: " ")
        return (program, try #require(words.firstIndex(of: "port").flatMap { Int(words[$0 + 1]) }, "\(line)"))
    }

    /// Runs a test with a printer.
    private func serving(
        _ arguments: String..., test: (IPPClient, _ uri: String, _ output: String) async throws -> Void
    ) async throws {
        let printsim = try CompanionProcess(
            program: Programs.besideTests("printsim"),
            arguments: [
                "inkjet", "--speed", "instant", "--until-eof", "--output", folder.path("out"), "--simulators",
                "\(packageFolder)/Simulators",
            ] + arguments, log: folder.path("log"))
        let line = try #require(await printsim.readLine(within: .seconds(30)))
        let uri = try #require(line.split(separator: "\"").map(String.init).first { $0.hasPrefix("ipp://") })
        let port = try #require(uri.split(separator: "/")[1].split(separator: ":").last.flatMap { Int($0) })
        let client = IPPClient(address: .tcp(host: "127.0.0.1", port: port))
        do {
            try await test(client, uri, folder.path("out/inkjet"))
        } catch {
            Issue.record(error)
        }
        await client.close()
        #expect(await printsim.end() == 0)
    }

    private func ask(
        _ client: IPPClient, _ operation: IPP.Operation, _ uri: String, _ attributes: [Attribute] = []
    ) async throws -> Message {
        try await client.send(TestPrinters.request(operation, at: uri, attributes))
    }

    @Test func `Print-URI fetches a document for a new job, and Send-URI fetches a document for a waiting job`()
        async throws
    {
        try FileManager.default.createDirectory(atPath: folder.path("web"), withIntermediateDirectories: true)
        try PDFBuilder.numbered(pages: 2).write(to: folder.path("web/two pages.pdf"))
        let (server, port) = try httpServer()
        let document = Attribute("document-uri", .uri("http://127.0.0.1:\(port)/two%20pages.pdf"))
        try await serving("--allow-private-uri") { client, uri, output in
            let printer = try await ask(client, .getPrinterAttributes, uri)[.printer]
            #expect(printer?["reference-uri-schemes-supported"]?.values == [.uriScheme("http")])
            let operations = printer?["operations-supported"]?.values.compactMap(\.intValue) ?? []
            #expect(Set(operations).isSuperset(of: [3, 7]))

            let printed = try await ask(client, .printURI, uri, [Attribute("job-name", .name("named")), document])
            #expect(printed.status == .successfulOk && printed[.job]?.integer("job-id") == 1, "\(printed)")
            _ = try await ask(client, .createJob, uri)
            let sent = try await ask(
                client, .sendURI, uri,
                [Attribute("job-id", .integer(2)), document, Attribute("last-document", .boolean(true))])
            #expect(sent.status == .successfulOk, "\(sent)")
            let wait = try await ProgramRun(
                Programs.besideTests("printsim"), ["wait", "--jobs", "2"], environment: ["PRINTSIM_URI": uri],
                in: folder.path("."))
            #expect(wait.output == "job 1 (named): completed, 2 sides\njob 2 (Untitled): completed, 2 sides\n")
            #expect(try JobReport(folder: "\(output)/job-000002").pages.count == 2)

            let missing = try await ask(
                client, .printURI, uri, [Attribute("document-uri", .uri("http://127.0.0.1:\(port)/none.pdf"))])
            #expect(missing.status == .clientErrorDocumentAccessError)
            #expect(missing[.operation]?.string("document-access-error") == "404 Not Found")
            let file = Attribute("document-uri", .uri("file:///etc/passwd"))
            let strange = try await ask(client, .printURI, uri, [file])
            #expect(strange.status == .clientErrorURISchemeNotSupported)
            #expect(strange[.unsupported]?.attributes == [file])
            #expect(try await ask(client, .printURI, uri).status == .clientErrorBadRequest)
            let packed = Attribute("compression", .keyword("gzip"))
            #expect(
                try await ask(client, .printURI, uri, [packed, document]).status
                    == .clientErrorCompressionNotSupported)
            // The refused requests created no jobs.
            #expect(!FileManager.default.fileExists(atPath: "\(output)/job-000003"))
        }
        _ = server
    }

    @Test func `even with --allow-uri, a simulated printer fetches no documents from private addresses`() async throws {
        let secret = try LoopbackPort()
        try secret.serve { _ in Issue.record("a private server received a request") }
        defer { shutdown(secret.socket, Int32(SHUT_RDWR)) }
        let hosts = [
            "127.0.0.1", "localhost", "127.1", "2130706433", "0x7f000001", "0.0.0.0", "[::1]", "[::]",
            "[::ffff:127.0.0.1]", "10.0.0.1", "192.168.1.1", "169.254.169.254", "[fe80::1]", "[fd00::1]", "224.0.0.1",
        ]
        try await serving("--allow-uri") { client, uri, output in
            for host in hosts + [OwnAddress.ipv4].compactMap(\.self) {
                let document = Attribute("document-uri", .uri("http://\(host):\(secret.number)/secret.pdf"))
                let answer = try await ask(client, .printURI, uri, [document])
                #expect(answer.status == .clientErrorDocumentAccessError, "\(host): \(answer)")
                let words = answer[.operation]?.string("status-message") ?? ""
                #expect(
                    words.contains("is not a public internet address") && words.contains("--allow-private-uri")
                        || words.contains("cannot connect"), "\(host): \(words)")
            }
            let named = Attribute("document-uri", .uri("http://127.0.0.1:\(secret.number)/secret.pdf"))
            let words = try await ask(client, .printURI, uri, [named])[.operation]?.string("document-access-error")
            #expect(words?.contains("'127.0.0.1' is not a public internet address") == true)
            #expect(!FileManager.default.fileExists(atPath: "\(output)/job-000001"))
        }
    }

    @Test func `without --allow-uri, Print-URI and Send-URI are unsupported operations`() async throws {
        try await serving { client, uri, _ in
            let printer = try await ask(client, .getPrinterAttributes, uri)[.printer]
            #expect(printer?["reference-uri-schemes-supported"] == nil)
            let operations = printer?["operations-supported"]?.values.compactMap(\.intValue) ?? []
            #expect(Set(operations).isDisjoint(with: [3, 7]))
            for operation in [IPP.Operation.printURI, .sendURI] {
                let document = Attribute("document-uri", .uri("http://127.0.0.1/a.pdf"))
                #expect(
                    try await ask(client, operation, uri, [document]).status == .serverErrorOperationNotSupported)
            }
        }
    }
}
