import FoundationEssentials
import Glibc
import IPP
import IPPClient
import IPPNetworkClient
import PrintIPP
import PrintTestSupport
import PrinterSimulator
import ProcessLaunch
import SimulatorServer
import Testing

/// Tests of the access control of simulated printers.
struct ControlTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static let token = "0123456789abcdef0123"

    private func tokenFile(_ text: String = token, mode: mode_t = 0o600) throws -> String {
        let path = folder.path("token-\(UUID().uuidString)")
        try Data((text + "\n").utf8).write(to: URL(filePath: path))
        chmod(path, mode)
        return path
    }

    /// A responder that reports success for every request.
    private struct Agreeable: IPPResponder {
        func answer(to request: IPPRequest) async -> IPPAnswer { IPPAnswer(request.message.reply(.successfulOk)) }
    }

    private static let here: [Peer] = [
        .unix(uid: 65534, gid: 65534, pid: 1), .tcp(address: "127.0.0.1", port: 1), .tcp(address: "127.3.2.1", port: 1),
        .tcp(address: "::1", port: 1), .tcp(address: "::ffff:127.0.0.1", port: 1),
    ]
    private static let elsewhere: [Peer] = [
        .tcp(address: "192.0.2.7", port: 1), .tcp(address: "128.0.0.1", port: 1), .tcp(address: "2001:db8::1", port: 1),
        .tcp(address: "::ffff:192.0.2.7", port: 1), .tcp(address: "::2", port: 1), .tcp(address: "fe80::1", port: 1),
        .tcp(address: "0.0.0.0", port: 1), .tcp(address: "", port: 0), .tcp(address: "127.0.0.1.example", port: 1),
        .tcp(address: "::127.0.0.1", port: 1),
    ]

    private static let controls: [(IPP.Operation, [Attribute])] = [
        (.pausePrinter, []), (.resumePrinter, []), (.enablePrinter, []), (.disablePrinter, []), (.purgeJobs, []),
        (.purgeJobs, [Attribute("my-jobs", .boolean(true))]), (.setPrinterAttributes, []), (.cancelJobs, []),
        (.controlPrinter, [Attribute("printq-control", .text("power"), .text("off"))]),
        (.controlPrinter, []),
    ]
    private static let harmless: [(IPP.Operation, [Attribute])] = [
        (.printJob, []), (.validateJob, []), (.createJob, []), (.sendDocument, []), (.cancelJob, []), (.getJobs, []),
        (.getPrinterAttributes, []), (.identifyPrinter, []), (.cancelMyJobs, []),
        (.cancelJobs, [Attribute("my-jobs", .boolean(true))]),
        (.controlPrinter, [Attribute("printq-control", .text("status"))]),
    ]

    private func answer(
        _ operation: IPP.Operation, _ attributes: [Attribute], from peer: Peer, token given: String? = nil,
        access: ControlAccess
    ) async -> Message {
        let attributes = attributes + (given.map { [Attribute(ControlToken.attributeName, .text($0))] } ?? [])
        let request = IPPRequest(message: TestPrinters.request(operation, attributes), peer: peer)
        return await ControlGate(Agreeable(), access: access).answer(to: request).message
    }

    @Test func `without the control token, clients on other machines can use all operations except control operations`()
        async throws
    {
        for access in [ControlAccess(), ControlAccess(token: try ControlToken(file: tokenFile()))] {
            for (operation, attributes) in Self.controls {
                for peer in Self.here {
                    #expect(await answer(operation, attributes, from: peer, access: access).status == .successfulOk)
                }
                for peer in Self.elsewhere {
                    let refusal = await answer(operation, attributes, from: peer, access: access)
                    #expect(refusal.status == .clientErrorNotAuthorized, "\(operation) from \(peer)")
                    #expect(refusal[.operation]?.string("status-message")?.contains("--control-token-file") == true)
                }
            }
            for (operation, attributes) in Self.harmless {
                for peer in Self.here + Self.elsewhere {
                    #expect(await answer(operation, attributes, from: peer, access: access).status == .successfulOk)
                }
            }
        }
    }

    @Test func `clients on other machines can use control operations only with the correct control token`() async throws
    {
        let access = ControlAccess(token: try ControlToken(file: tokenFile()))
        for (operation, attributes) in Self.controls {
            for peer in Self.elsewhere {
                #expect(
                    await answer(operation, attributes, from: peer, token: Self.token, access: access).status
                        == .successfulOk)
                for wrong in ["", "0", String(Self.token.dropLast()), Self.token + "4", Self.token.uppercased()] {
                    let refusal = await answer(operation, attributes, from: peer, token: wrong, access: access)
                    #expect(refusal.status == .clientErrorNotAuthorized)
                    #expect(!"\(refusal)".contains(Self.token))
                }
                // Without a configured token, every token is wrong.
                for given in ["", Self.token] {
                    #expect(
                        await answer(operation, attributes, from: peer, token: given, access: ControlAccess()).status
                            == .clientErrorNotAuthorized)
                }
            }
        }
    }

    @Test func `a token file is refused if other users can read the file or the token is invalid`() throws {
        #expect(try ControlToken(file: tokenFile()).text == Self.token)
        #expect(try ControlToken(file: tokenFile(Self.token + "\r\nsecond line")).text == Self.token)
        for mode: mode_t in [0o640, 0o604, 0o660] {
            let error = #expect(throws: ControlToken.Failure.self) { try ControlToken(file: tokenFile(mode: mode)) }
            #expect(error?.description.contains("chmod 600") == true)
        }
        for text in ["", "short", "has a space in the token", "grüße-grüße-grüße", String(repeating: "a", count: 256)] {
            #expect(throws: ControlToken.Failure.self, "\(text)") { try ControlToken(file: tokenFile(text)) }
        }
        #expect(throws: ControlToken.Failure.self) { try ControlToken(file: folder.path("none")) }
        #expect(throws: ControlToken.Failure.self) { try ControlToken(file: folder.path) }
    }

    @Test func `clients on other machines cannot control a printer, but can read the printer's state`() async throws {
        try await TestPrinters.serving { printers in
            let control = SimulatorControl(Agreeable(), service: printers.service)
            func command(_ words: String..., from peer: Peer) async -> Message {
                let attribute = Attribute("printq-control", words.map { .text($0) })
                return await control.answer(
                    to: IPPRequest(message: TestPrinters.request(.controlPrinter, [attribute]), peer: peer)
                ).message
            }
            for peer in Self.elsewhere {
                #expect(await command("power", "off", from: peer).status == .clientErrorNotAuthorized)
                #expect(await command("fault", "media-jam", from: peer).status == .clientErrorNotAuthorized)
                #expect(await command("status", from: peer).status == .successfulOk)
                #expect(await command("status", "x", from: peer).status == .clientErrorNotAuthorized)
            }
            #expect(await !printers.service.devices[0].isSwitchedOff)
            #expect(await command("power", "off", from: Self.here[1]).status == .successfulOk)
            #expect(await printers.service.devices[0].isSwitchedOff)
        }
    }

    // MARK: - The real printsim on the network

    /// Runs a test with a printer that listens on all addresses.
    ///
    /// The client uses an address that is not a loopback address.
    private func networked(
        _ options: String..., test: (_ uri: String, _ local: String) async throws -> Void
    ) async throws {
        let address = try #require(OwnAddress.ipv4)
        let printsim = try CompanionProcess(
            program: Programs.besideTests("printsim"),
            arguments: [
                "inkjet", "--speed", "instant", "--until-eof", "--listen", "0.0.0.0", "--no-dns-sd", "--output",
                folder.path("out"), "--simulators", "\(packageFolder)/Simulators",
            ] + options, log: folder.path("log"))
        let line = try #require(await printsim.readLine(within: .seconds(30)))
        let local = try #require(line.split(separator: "\"").map(String.init).first { $0.hasPrefix("ipp://") })
        do {
            try await test(local.replacing("localhost", with: address), local)
        } catch {
            Issue.record(error)
        }
        #expect(await printsim.end() == 0)
    }

    private func printsim(_ arguments: String..., environment: [String: String] = [:]) async throws -> ProgramRun {
        try await ProgramRun(
            Programs.besideTests("printsim"), arguments, environment: environment, in: folder.path("."))
    }

    private func client(of uri: String) throws -> IPPClient {
        let parts = uri.split(separator: "/")[1].split(separator: ":").map(String.init)
        let host = parts[0] == "localhost" ? "127.0.0.1" : parts[0]
        return IPPClient(address: .tcp(host: host, port: try #require(Int(parts[1]))))
    }

    private func ask(
        _ operation: IPP.Operation, _ uri: String, _ attributes: [Attribute] = [], document: [UInt8]? = nil
    ) async throws -> Message {
        let client = try client(of: uri)
        let answer = try await client.send(
            TestPrinters.request(operation, at: uri, attributes), document: document.map { .bytes($0) })
        await client.close()
        return answer
    }

    @Test(.enabled(if: OwnAddress.ipv4 != nil, Comment(rawValue: OwnAddress.requirement)))
    func `a client on the network can print, and can change the printer only with the token`() async throws {
        let file = try tokenFile()
        try await networked("--control-token-file", file) { uri, local in
            let printed = try await ask(.printJob, uri, document: PDFBuilder.numbered(pages: 1).bytes)
            #expect(printed.status == .successfulOk, "\(printed)")
            #expect(try await printsim("wait", "--jobs", "1", "--at", uri).code == 0)

            for (operation, attributes) in Self.controls where operation != .setPrinterAttributes {
                #expect(try await ask(operation, uri, attributes).status == .clientErrorNotAuthorized, "\(operation)")
            }
            let info = Attribute("printer-info", .text("owned"))
            let client = try client(of: uri)
            let set = try await client.send(TestPrinters.request(.setPrinterAttributes, at: uri, printer: [info]))
            #expect(set.status == .clientErrorNotAuthorized)
            await client.close()

            for words in [["fault", "media-jam"], ["load", "tray-1", "0"], ["power", "off"], ["clear"]] {
                let run = try await ProgramRun(
                    Programs.besideTests("printsim"), words + ["--at", uri], environment: [:], in: folder.path("."))
                #expect(run.code != 0 && run.complaints.contains("present the control token"), "\(run)")
            }
            #expect(try await printsim("status", "--at", uri).output.hasPrefix("inkjet: idle"))
            let other = try tokenFile("x" + Self.token)
            let wrong = try await printsim("power", "off", "--at", uri, "--control-token-file", other)
            #expect(wrong.complaints.contains("the control token is incorrect"), "\(wrong)")

            let token = Attribute(ControlToken.attributeName, .text(Self.token))
            #expect(try await ask(.pausePrinter, uri, [token]).status == .successfulOk)
            #expect(try await printsim("status", "--at", uri).output.hasPrefix("inkjet: stopped"))
            #expect(try await ask(.resumePrinter, uri, [token]).status == .successfulOk)
            let jam = try await printsim(
                "fault", "media-jam", "--at", uri, environment: ["PRINTSIM_CONTROL_TOKEN_FILE": file])
            #expect(jam.code == 0 && jam.output.contains("media-jam"), "\(jam)")
            // Programs on this machine need no token.
            #expect(try await printsim("clear", "--at", local).code == 0)
            #expect(try await ask(.disablePrinter, local).status == .successfulOk)
        }
    }

    @Test(.enabled(if: OwnAddress.ipv4 != nil, Comment(rawValue: OwnAddress.requirement)))
    func `without a token file, no client on the network can change the printer`() async throws {
        try await networked { uri, _ in
            let token = Attribute(ControlToken.attributeName, .text(Self.token))
            let refusal = try await ask(.pausePrinter, uri, [token])
            #expect(refusal.status == .clientErrorNotAuthorized)
            #expect(refusal[.operation]?.string("status-message")?.contains("start printsim with") == true)
        }
    }

    @Test func `printsim does not start if other users can read the token file`() async throws {
        let file = try tokenFile(mode: 0o644)
        let run = try await printsim(
            "inkjet", "--simulators", "\(packageFolder)/Simulators", "--control-token-file", file)
        #expect(run.code == 78 && run.complaints.contains("other users can read the control token"), "\(run)")
    }
}
