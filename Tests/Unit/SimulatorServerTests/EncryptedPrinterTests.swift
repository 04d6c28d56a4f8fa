import FoundationEssentials
import Glibc
import IPP
import PrintTestSupport
import ProcessLaunch
import Testing

/// Tests of printsim's TLS with the real ipptool, lp, curl and openssl.
@Suite(.timeLimit(.minutes(2))) struct EncryptedPrinterTests {
    private let folder: TemporaryFolder
    private var certificate: String { folder.path("output/certificate.pem") }

    init() throws { folder = try TemporaryFolder() }

    private struct Ready: Decodable {
        struct Printer: Decodable {
            var uri: String
            var ippsURI: String?
        }
        var printers: [Printer]
        var port: Int { Int(printers[0].uri.split(separator: "/")[1].split(separator: ":")[1]) ?? 0 }
    }

    private func serving(_ arguments: String..., test: (Ready) async throws -> Void) async throws {
        let process = try DetachedProcess(
            program: Programs.besideTests("printsim"),
            arguments: [
                "mono-laser", "--simulators", "\(packageFolder)/Simulators", "--output", folder.path("output"),
                "--speed", "instant",
            ] + arguments, log: folder.path("log"))
        let line = try #require(process.readLine(deadline: 30), "\(log)")
        do {
            try await test(try JSONDecoder().decode(Ready.self, from: Data(line.utf8)))
        } catch {
            Issue.record(error)
        }
        kill(process.pid, SIGTERM)
        var status: Int32 = 0
        waitpid(process.pid, &status, 0)
        #expect(status == 0, "\(log)")
    }

    private var log: String { (try? String(contentsOfFile: folder.path("log"), encoding: .utf8)) ?? "" }

    private func program(_ path: String, _ arguments: [String], _ more: [String: String] = [:]) async throws
        -> ProgramRun
    {
        let environment = ["PATH": "/usr/bin:/bin", "HOME": folder.path].merging(more) { $1 }
        return try await ProgramRun(path, arguments, environment: environment, in: folder.path)
    }

    private func printsim(_ arguments: String...) async throws -> ProgramRun {
        try await program(Programs.besideTests("printsim"), arguments)
    }

    private func curl(_ ready: Ready) async throws -> ProgramRun {
        let uri = "https://localhost:\(ready.port)/printers/mono-laser"
        return try await program("/usr/bin/curl", ["-sS", "-o", "/dev/null", "--cacert", certificate, uri])
    }

    private func expectTrust(_ ready: Ready) async throws {
        let run = try await curl(ready)
        #expect(run.code == 0, "\(run)")
    }

    private func document() throws -> String {
        let path = folder.path("letter.pdf")
        try PDFBuilder.numbered(pages: 2).write(to: path)
        return path
    }

    private func page(_ job: Int, _ page: Int) -> Bool {
        FileManager.default.fileExists(atPath: folder.path("output/mono-laser/job-00000\(job)/page-000\(page).png"))
    }

    // MARK: - Clients

    @Test func `ipptool prints over ipps, and printer-uri-supported starts with the URI of the request`() async throws {
        try await serving { ready in
            let (plain, secure) = (ready.printers[0].uri, try #require(ready.printers[0].ippsURI))
            #expect(secure == plain.replacing("ipp://", with: "ipps://"))
            for (uri, other, words) in [(plain, secure, "none,tls"), (secure, plain, "tls,none")] {
                let asked = try await program("/usr/bin/ipptool", ["-tv", uri, "get-printer-attributes.test"])
                #expect(asked.code == 0, "\(asked)")
                #expect(asked.output.contains("printer-uri-supported (1setOf uri) = \(uri),\(other)\n"))
                #expect(asked.output.contains("uri-security-supported (1setOf keyword) = \(words)\n"))
                #expect(
                    asked.output.contains(
                        "uri-authentication-supported (1setOf keyword) = requesting-user-name,requesting-user-name\n"))
                let page = "http\(uri == secure ? "s" : "")://localhost:\(ready.port)/printers/mono-laser"
                #expect(asked.output.contains("printer-more-info (uri) = \(page)\n"))
            }
            let printed = try await program(
                "/usr/bin/ipptool", ["-tv", "-f", try document(), secure, "print-job.test"])
            #expect(printed.code == 0, "\(printed)")
            #expect(printed.output.contains("job-uri (uri) = \(secure)/jobs/1\n"), "\(printed)")
            #expect(try await printsim("wait", "--at", plain).output.contains("completed, 2 sides"))
            #expect(page(1, 2))
        }
    }

    @Test func `lp prints with TLS from the start and with an upgrade to TLS, with and without 'printsim --tls-only'`()
        async throws
    {
        let document = try document()
        for (number, only) in [(0, []), (1, ["--tls-only"])] {
            try await serving(only.first ?? "--socket", only.isEmpty ? folder.path("s") : "--speed=instant") { ready in
                let server = ["CUPS_SERVER": "localhost:\(ready.port)"]
                let upgraded = try await program("/usr/bin/lp", ["-E", "-d", "mono-laser", document], server)
                #expect(upgraded.code == 0, "\(upgraded)")
                let always = server.merging(["CUPS_ENCRYPTION": "Always"]) { $1 }
                #expect(try await program("/usr/bin/lp", [document], always).code == 0)
                let plain = try await program("/usr/bin/lp", [document], server)
                #expect(plain.code == 0, "\(plain)")
                // With --tls-only, printsim wait also uses TLS.
                let waited = try await printsim("wait", "--jobs", "\(3 * number + 3)", "--at", ready.printers[0].uri)
                #expect(waited.code == 0 && waited.output.split(separator: "\n").count == 3 * number + 3, "\(waited)")
            }
        }
        #expect(page(6, 2))
    }

    @Test func `a TLS-only printer refuses plain HTTP with status 426, and a printer without TLS lists no ipps URI`()
        async throws
    {
        try await serving("--tls-only") { ready in
            #expect(ready.printers[0].uri.hasPrefix("ipps://") && ready.printers[0].ippsURI == ready.printers[0].uri)
            let plain = "ipp://localhost:\(ready.port)/ipp/print/mono-laser"
            let asked = try await program(
                "/usr/bin/curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", "http://localhost:\(ready.port)/"])
            #expect(asked.output == "426")
            // After an upgrade to TLS, ipptool sends the URI from its command line. The response contains the URI that
            // the printer offers.
            let upgraded = try await program("/usr/bin/ipptool", ["-E", "-tv", plain, "get-printer-attributes.test"])
            #expect(upgraded.code == 0, "\(upgraded)")
            #expect(upgraded.output.contains("printer-uri-supported (uri) = \(ready.printers[0].uri)\n"))
            #expect(upgraded.output.contains("uri-security-supported (keyword) = tls\n"))
            #expect(try await printsim("status", "--at", ready.printers[0].uri).code == 0)
        }
        try await serving("--no-tls") { ready in
            #expect(ready.printers[0].ippsURI == nil)
            #expect(try await curl(ready).code == 35)
            let asked = try await program(
                "/usr/bin/ipptool", ["-tv", ready.printers[0].uri, "get-printer-attributes.test"])
            #expect(asked.output.contains("uri-security-supported (keyword) = none\n"))
        }
    }

    // MARK: - Certificates

    @Test
    func `printsim keeps its certificate after a restart, and --certificate and --key select another certificate`()
        async throws
    {
        try await serving { try await expectTrust($0) }
        let first = try Data(contentsOf: URL(filePath: certificate))
        try await serving { try await expectTrust($0) }
        #expect(try Data(contentsOf: URL(filePath: certificate)) == first)
        let made = try await program(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "own.key", "-out", "own.crt", "-subj",
                "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
            ])
        #expect(made.code == 0, "\(made)")
        try await serving("--certificate", folder.path("own.crt"), "--key", folder.path("own.key")) { ready in
            #expect(try await curl(ready).code == 60)
            let own = try await program(
                "/usr/bin/curl",
                [
                    "-sS", "-o", "/dev/null", "--cacert", folder.path("own.crt"),
                    "https://localhost:\(ready.port)/printers/mono-laser",
                ])
            #expect(own.code == 0, "\(own)")
        }
    }

    @Test(arguments: [
        (["--certificate", "/nonexistent.pem"], EX_NOINPUT, "cannot read the certificate '/nonexistent.pem'"),
        (["--certificate", "/etc/passwd"], EX_CONFIG, "'/etc/passwd' contains no PEM certificate"),
        (["--key", "/etc/passwd"], EX_USAGE, "--key requires --certificate"),
        (["--no-tls", "--tls-only"], EX_USAGE, "exclude each other"),
    ])
    func `printsim refuses an invalid TLS certificate with a message and an exit code`(
        arguments: [String], code: Int32, words: String
    ) async throws {
        let run = try await program(
            Programs.besideTests("printsim"),
            ["mono-laser", "--simulators", "\(packageFolder)/Simulators", "--output", folder.path("output")] + arguments
        )
        #expect(run.code == code && run.complaints.contains(words), "\(run)")
    }

    // MARK: - Faults

    @Test(arguments: [
        ("tls-failure", 35, "alert handshake failure"), ("tls-expired", 60, "certificate has expired"),
        ("tls-wrong-name", 60, "no alternative certificate subject name matches"),
    ])
    func `a simulated fault in the TLS handshake breaks connections until the fault is cleared`(
        fault: String, code: Int32, words: String
    ) async throws {
        try await serving("--fault", fault) { ready in
            for _ in 0..<2 {
                let failed = try await curl(ready)
                #expect(failed.code == code && failed.complaints.contains(words), "\(failed)")
            }
            #expect(try await printsim("clear", fault, "--at", ready.printers[0].uri).code == 0)
            #expect(try await curl(ready).code == 0)
        }
    }

    @Test func `if the fault 'tls-stall' delays a handshake, the handshake continues when the fault is cleared`()
        async throws
    {
        try await serving("--fault", "tls-stall") { ready in
            let uri = "https://localhost:\(ready.port)/printers/mono-laser"
            let given = try await program("/usr/bin/curl", ["-sS", "--max-time", "1", "--cacert", certificate, uri])
            #expect(given.code == 28, "\(given)")
            async let waiting = curl(ready)
            #expect(try await printsim("status", "--at", ready.printers[0].uri).output.contains("tls-stall"))
            #expect(try await printsim("clear", "--at", ready.printers[0].uri).code == 0)
            let page = try await waiting
            #expect(page.code == 0, "\(page)")
        }
    }

    @Test func `'tls-stall once' stalls only one handshake, and this handshake continues when the fault is cleared`()
        async throws
    {
        try await serving("--fault", "tls-stall once") { ready in
            async let waiting = curl(ready)
            while try await !printsim("status", "--at", ready.printers[0].uri).output.contains("tls-stall once (now)") {
            }
            #expect(try await curl(ready).code == 0)
            #expect(try await printsim("clear", "tls-stall", "--at", ready.printers[0].uri).code == 0)
            let page = try await waiting
            #expect(page.code == 0, "\(page)")
            #expect(try await printsim("clear", "tls-stall", "--at", ready.printers[0].uri).code == EX_USAGE)
        }
    }

    @Test func `the root page of printsim lists the printers with links to their pages`() async throws {
        try await serving { ready in
            let list = try await program("/usr/bin/curl", ["-sS", "http://localhost:\(ready.port)/"])
            #expect(list.output.contains("<a href=\"/printers/mono-laser\">Mono laser (simulated)</a>"), "\(list)")
            #expect(list.output.contains("<td>idle</td>"), "\(list)")
        }
    }

    @Test func `if printsim starts with a 'refuse' fault, printsim opens no port`() async throws {
        try await serving("--fault", "refuse") { ready in
            let refused = try await program("/usr/bin/curl", ["-sS", "http://localhost:\(ready.port)/"])
            #expect(refused.code == 7, "\(refused)")
        }
    }

    @Test func `a switched-off simulated printer breaks HTTP and HTTPS connections to its web page`() async throws {
        try await serving { (ready: Ready) async throws -> Void in
            #expect(try await printsim("power", "off", "--at", ready.printers[0].uri).code == 0)
            for scheme in ["http", "https"] {
                let page = "\(scheme)://localhost:\(ready.port)/printers/mono-laser"
                #expect(try await program("/usr/bin/curl", ["-sS", "--cacert", certificate, page]).code == 52)
            }
            #expect(try await printsim("power", "on", "--at", ready.printers[0].uri).code == 0)
            #expect(try await curl(ready).code == 0)
        }
    }

    @Test func `a 'refuse' fault resets TLS connections without a close_notify alert`() async throws {
        try await serving("--fault", "refuse once") { ready in
            let request = TestPrinters.request(.getPrinterAttributes, at: try #require(ready.printers[0].ippsURI))
            try Data(try request.encoded()).write(to: URL(filePath: folder.path("request")))
            let post = [
                "-sS", "-o", "/dev/null", "--cacert", certificate, "-H", "Content-Type: application/ipp",
                "--data-binary", "@\(folder.path("request"))", "https://localhost:\(ready.port)/",
            ]
            let reset = try await program("/usr/bin/curl", post)
            #expect(reset.code == 56 && reset.complaints.contains("reset by peer"), "\(reset)")
            #expect(try await program("/usr/bin/curl", post).code == 0)
        }
    }

    @Test func `'printsim run' sets the ipp and ipps URIs in the environment of the program`() async throws {
        let script = "echo $PRINTSIM_URI $PRINTSIM_IPPS_URI; ipptool -tf letter.pdf $PRINTSIM_IPPS_URI print-job.test"
        _ = try document()
        let run = try await program(
            Programs.besideTests("printsim"), ["run", "--", "sh", "-c", script],
            ["PRINTSIM_SIMULATORS": "\(packageFolder)/Simulators", "TMPDIR": folder.path])
        #expect(run.code == 0 && run.complaints.contains("completed, 2 sides"), "\(run)")
        let uris = run.output.prefix { $0 != "\n" }.split(separator: " ")
        #expect(uris.map { $0.prefix { $0 != ":" } } == ["ipp", "ipps"])
    }
}
