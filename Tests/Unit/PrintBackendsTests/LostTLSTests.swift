import FoundationEssentials
import IPP
import IPPClient
import PrintTestSupport
import Synchronization
import Testing
import TransportTrials

@testable import PrintBackends

/// Tests of a server that used TLS before and requests the login without TLS.
struct LostTLSTests {
    private let folder: TemporaryFolder
    private let headers = Headers()

    init() throws { folder = try TemporaryFolder() }

    private final class Headers: Sendable {
        private let headers = Mutex<[String]>([])
        var all: [String] { headers.withLock { $0 } }
        func add(_ header: String) { headers.withLock { $0.append(header) } }
        /// The requests with `Authorization`.
        var withLogin: [String] { all.filter { $0.contains("\r\nAuthorization: ") } }
    }

    private let login = Login(user: "Mufasa", password: "Circle of Life")

    /// Creates a server without TLS that requests a login for every request.
    ///
    /// - Parameter demandsTLS: Whether the first response demands TLS, which the server does not support.
    private func plainServer(challenge: String = "Basic realm=\"CUPS\"", demandsTLS: Bool = false) throws
        -> ScriptedServer
    {
        let demands = Mutex(demandsTLS)
        return try ScriptedServer { [headers] peer in
            while case let header = peer.readHeader(), !header.isEmpty {
                headers.add(header)
                guard header.hasPrefix("POST ") else {
                    return peer.write("HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\n\r\n")
                }
                if header.contains("\r\nAuthorization: ") {
                    let attributes = peer.read(until: [3])
                    guard attributes.count >= 8 else { return }
                    peer.answer(attributes[4..<8].reduce(0) { $0 << 8 | Int32($1) })
                    continue
                }
                let isDemanding = demands.withLock { demands in
                    defer { demands = false }
                    return demands
                }
                let answer =
                    isDemanding
                    ? "HTTP/1.1 426 Upgrade Required\r\nConnection: Upgrade\r\nUpgrade: TLS/1.2,HTTP/1.1\r\n"
                    : "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(challenge)\r\n"
                return peer.write("\(answer)Content-Length: 0\r\n\r\n")
            }
        }
    }

    private func access(_ server: ScriptedServer) throws -> PrinterAccess {
        let access = PrinterAccess(
            folder: folder.path("access"), printer: "laser", address: .tcp(host: "127.0.0.1", port: server.port))
        try access.setLogin(login)
        return access
    }

    private func ask(_ server: ScriptedServer, _ access: PrinterAccess) async -> Result<Message, IPPClientError> {
        // A new transport for each request, as after a restart.
        let transport = LibcupsTransport(
            to: .init(.tcp(host: "127.0.0.1", port: server.port), security: .whenAsked), access: access)
        do throws(IPPClientError) {
            let answer = try await transport.send(.getPrinterAttributes)
            await transport.close()
            return .success(answer)
        } catch {
            await transport.close()
            return .failure(error)
        }
    }

    private func expectRefusal(_ result: Result<Message, IPPClientError>) {
        guard case .failure(let error) = result else {
            Issue.record("the password was sent")
            return
        }
        #expect(error.code == .untrusted && !error.mayHaveBeenReceived, "\(error)")
        #expect(error.message.contains("'Mufasa' without TLS"), "\(error)")
        #expect(error.message.contains("printq printers trust laser"), "\(error)")
        #expect(!error.message.contains("Circle of Life"))
        #expect(headers.withLogin.isEmpty, "\(headers.withLogin)")
    }

    @Test(arguments: [
        "Basic realm=\"CUPS\"", "Digest realm=\"CUPS\", nonce=\"n\", qop=\"auth\"",
    ])
    func `if a server no longer uses TLS, no password is sent until a user allows connections without TLS`(
        challenge: String
    ) async throws {
        let server = try plainServer(challenge: challenge)
        let access = try access(server)
        try access.check([[1, 2, 3]])  // the certificate from the time when the server used TLS
        for _ in 0..<2 { expectRefusal(await ask(server, access)) }
        #expect(headers.all.contains { $0.hasPrefix("OPTIONS ") }, "TLS was tried first: \(headers.all)")

        #expect(try access.trust() == "none")
        #expect(try await ask(server, access).get().status == .successfulOk)
        #expect(headers.withLogin.count == 1)
        #expect(throws: PrinterAccess.Problem.self) { try access.trust() }
    }

    @Test func `a password is not sent without TLS to a server that previously required TLS`() async throws {
        let server = try plainServer(demandsTLS: true)
        let access = try access(server)
        // The server demands TLS but does not start it.
        guard case .failure(let error) = await ask(server, access) else {
            Issue.record("the request was sent without TLS")
            return
        }
        #expect(error.code != .authenticationRequired && headers.withLogin.isEmpty)
        expectRefusal(await ask(server, access))
        #expect(try access.trust() == "none")
        #expect(try await ask(server, access).get().status == .successfulOk)
    }

    @Test func `after a connection with a signed certificate, TLS is required only for the same server address`()
        async throws
    {
        try await SecureServer.serving { server in
            func access(_ address: IPPAddress) -> PrinterAccess {
                PrinterAccess(
                    folder: folder.path("access"), printer: "laser", address: address,
                    authorities: server.folder.path("certificate.pem"))
            }
            let first = access(server.address)
            #expect(!first.expectsTLS)
            let transport = LibcupsTransport(to: .init(server.address, security: .always), access: first)
            let answer = try await transport.send(.getPrinterAttributes)
            #expect(answer.status == .successfulOk)
            await transport.close()
            #expect(access(server.address).expectsTLS)
            #expect(!access(.tcp(host: "localhost", port: 1)).expectsTLS)
        }
    }

    @Test
    func `if a server uses TLS again, a user can trust a new certificate, but cannot allow connections without TLS`()
        async throws
    {
        let server = try plainServer()
        let access = try access(server)
        try access.check([[1, 2, 3]])
        expectRefusal(await ask(server, access))
        // The server uses TLS again, so there is no refused server to accept.
        try access.check([[1, 2, 3]])
        #expect(throws: PrinterAccess.Problem.self) { try access.trust() }
        expectRefusal(await ask(server, access))
        #expect(throws: IPPClientError.self) { try access.check([[4, 5, 6]]) }
        #expect(try access.trust() != "none")
        #expect(throws: Never.self) { try access.check([[4, 5, 6]]) }
        expectRefusal(await ask(server, access))
    }

    @Test func `if a server no longer uses TLS, concurrent requests do not send the password`() async throws {
        let server = try plainServer()
        let access = try access(server)
        try access.check([[1, 2, 3]])
        let transport = LibcupsTransport(
            to: .init(.tcp(host: "127.0.0.1", port: server.port), security: .whenAsked), access: access)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    await #expect(throws: IPPClientError.self) { try await transport.send(.getPrinterAttributes) }
                }
            }
        }
        await transport.close()
        #expect(headers.withLogin.isEmpty, "\(headers.withLogin)")
    }
}
