import IPP
import IPPClient
import PrintTestSupport
import Synchronization
import Testing
import TransportTrials

@testable import PrintBackends

/// Tests of the authentication of a transport.
struct AuthenticationTests {
    private let folder: TemporaryFolder
    /// The request headers that the server has received.
    private let asked = Headers()

    init() throws { folder = try TemporaryFolder() }

    private final class Headers: Sendable {
        private let headers = Mutex<[String]>([])
        var all: [String] { headers.withLock { $0 } }
        func add(_ header: String) { headers.withLock { $0.append(header) } }
        /// The values of `Authorization`; empty for a request without this header.
        var authorizations: [String] {
            all.map { header in
                let line = header.split(separator: "\r\n").first { $0.hasPrefix("Authorization: ") }
                return line.map { String($0.dropFirst(15)) } ?? ""
            }
        }
    }

    /// Creates a server that requests authentication unless `likes` accepts the value of `Authorization`.
    private func server(
        challenge: String, onlyFor operation: IPP.Operation? = nil, _ likes: @escaping @Sendable (String) -> Bool
    ) throws -> ScriptedServer {
        try ScriptedServer { [asked] peer in
            while case let header = peer.readHeader(), !header.isEmpty {
                asked.add(header)
                let isExpecting = header.contains("Expect: 100-continue")
                let request = isExpecting ? [] : peer.read(until: [3])
                let wantsName = operation.map { request.dropFirst(2).prefix(2).elementsEqual([0, UInt8($0.rawValue)]) }
                guard likes(asked.authorizations.last ?? "") || wantsName == false else {
                    peer.write(
                        "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 0\r\n\r\n")
                    return
                }
                if isExpecting { peer.write("HTTP/1.1 100 Continue\r\n\r\n") }
                let attributes = isExpecting ? peer.read(until: [3]) : request
                if header.contains("Expect: ") { peer.read(until: Array("END".utf8)) }
                guard attributes.count >= 8 else { return }
                peer.answer(attributes[4..<8].reduce(0) { $0 << 8 | Int32($1) })
            }
        }
    }

    private func transport(to server: ScriptedServer, _ login: Login?) throws -> (LibcupsTransport, PrinterAccess) {
        let address = IPPAddress.tcp(host: "127.0.0.1", port: server.port)
        let access = PrinterAccess(folder: folder.path, printer: "laser", address: address)
        try access.setLogin(login)
        return (LibcupsTransport(to: .init(address, security: .whenAsked), access: access), access)
    }

    private let ann = Login(user: "Mufasa", password: "Circle of Life")

    @Test func `after the first challenge, all requests contain the Basic credentials`() async throws {
        let right = "Basic TXVmYXNhOkNpcmNsZSBvZiBMaWZl"
        let server = try server(challenge: "Basic realm=\"CUPS\"") { $0 == right }
        let (transport, _) = try transport(to: server, ann)
        for _ in 0..<2 { #expect(try await transport.send(.getPrinterAttributes).status == .successfulOk) }
        #expect(asked.authorizations == ["", right, right])
    }

    @Test func `a document is sent only after authentication`() async throws {
        let server = try server(challenge: "Basic realm=\"CUPS\"") { $0.hasPrefix("Basic ") }
        let (transport, _) = try transport(to: server, ann)
        let pieces = Mutex<[ArraySlice<UInt8>]>([ArraySlice("the document END".utf8)])
        let answer = try await transport.send(
            .getPrinterAttributes, document: .stream(length: 16) { pieces.withLock { $0.popLast() } })
        #expect(answer.status == .successfulOk)
        #expect(asked.all.count == 2)
    }

    @Test(arguments: ["MD5", "SHA-256"])
    func `Digest responses pass the server's check and contain an increasing nonce count`(algorithm: String)
        async throws
    {
        let challenge =
            "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\", algorithm=\(algorithm), nonce=\"n1\", opaque=\"o\""
        let server = try server(challenge: challenge) { said in
            guard let offer = HTTPAuthorization.offers(in: said).first, offer.name == "digest",
                let own = offer.parameters["cnonce"], let count = offer.parameters["nc"].flatMap({ Int($0, radix: 16) })
            else { return false }
            let digest = HTTPAuthorization.Digest(
                realm: "http-auth@example.org", nonce: "n1", opaque: "o", usesSHA256: algorithm == "SHA-256",
                hasQuality: true)
            return said
                == "Digest "
                + digest.answer(
                    Login(user: "Mufasa", password: "Circle of Life"), path: "/ipp/print", nonce: own, count: count)
        }
        let (transport, _) = try transport(to: server, ann)
        for _ in 0..<3 {
            let answer = try await transport.send(.getPrinterAttributes, document: nil, path: "/ipp/print")
            #expect(answer.status == .successfulOk)
        }
        let counts = asked.authorizations.compactMap { HTTPAuthorization.offers(in: $0).first?.parameters["nc"] }
        #expect(counts == ["00000001", "00000002", "00000003"])
    }

    @Test
    func `10 attempts with missing or wrong credentials cause at most two requests, and a corrected login succeeds`()
        async throws
    {
        let server = try server(challenge: "Basic realm=\"CUPS\"") { $0 == "Basic TXVmYXNhOkNpcmNsZSBvZiBMaWZl" }
        let (transport, access) = try transport(to: server, nil)
        for login in [nil, Login(user: "Mufasa", password: "wrong")] {
            try access.setLogin(login)
            let before = asked.all.count
            for _ in 0..<10 {
                let error = await #expect(throws: IPPClientError.self) {
                    try await transport.send(.getPrinterAttributes)
                }
                #expect(error?.code == .authenticationRequired && error?.mayHaveBeenReceived == false)
                #expect(error?.message.contains("printq printers login laser") == true)
                #expect(error?.message.contains("wrong") == false)
            }
            #expect(asked.all.count - before <= 2)
        }
        try access.setLogin(ann)
        #expect(try await transport.send(.getPrinterAttributes).status == .successfulOk)
    }

    @Test
    func `credentials are sent only after an operation requires a login, and wrong credentials are sent only once`()
        async throws
    {
        let right = "Basic TXVmYXNhOkNpcmNsZSBvZiBMaWZl"
        // cupsd checks every login, but requires one only for printing.
        let server = try server(challenge: "Basic realm=\"CUPS\"", onlyFor: .createJob) { $0 == right }
        let (transport, access) = try transport(to: server, nil)
        var creating = Message.getPrinterAttributes
        creating.code = IPP.Operation.createJob.rawValue
        func ask() async throws {
            _ = try await transport.send(.getPrinterAttributes)
            _ = try await transport.send(creating)
        }
        _ = try? await ask()
        try access.setLogin(Login(user: "Mufasa", password: "wrong"))
        for _ in 0..<3 { _ = try? await ask() }
        #expect(asked.authorizations.filter { !$0.isEmpty }.count == 1, "\(asked.authorizations)")
        try access.setLogin(ann)
        let before = asked.all.count
        for _ in 0..<2 { try await ask() }
        #expect(asked.authorizations.dropFirst(before) == ["", "", right, right, right])
    }

    @Test func `wrong credentials are sent only once, even if several requests start concurrently`() async throws {
        let server = try server(challenge: "Basic realm=\"CUPS\"") { _ in false }
        let (transport, _) = try transport(to: server, Login(user: "Mufasa", password: "wrong"))
        await withTaskGroup(of: Void.self) { group in
            for operation in [IPP.Operation.createJob, .getJobs, .getPrinterAttributes, .getPrinterAttributes] {
                var request = Message.getPrinterAttributes
                request.code = operation.rawValue
                group.addTask { [request] in
                    let error = await #expect(throws: IPPClientError.self) { try await transport.send(request) }
                    #expect(error?.message.contains("rejected the password of 'Mufasa'") == true)
                }
            }
        }
        #expect(asked.authorizations.filter { !$0.isEmpty }.count == 1, "\(asked.authorizations)")
    }

    @Test func `an unsupported authentication scheme causes the error '.authenticationRequired'`() async throws {
        let server = try server(challenge: "Negotiate") { _ in false }
        let (transport, _) = try transport(to: server, ann)
        let error = await #expect(throws: IPPClientError.self) { try await transport.send(.getPrinterAttributes) }
        #expect(error?.code == .authenticationRequired)
    }

    @Test func `a challenge with several schemes and quoted characters is parsed`() {
        let offers = HTTPAuthorization.offers(
            in: "Digest realm=\"a, \\\"b\\\" c=d\", nonce=\"x\" , algorithm=SHA-256, Basic realm=\"e\",PeerCred")
        #expect(offers.map(\.name) == ["digest", "basic", "peercred"])
        #expect(offers.first?.parameters == ["realm": "a, \"b\" c=d", "nonce": "x", "algorithm": "SHA-256"])
        for hostile in ["", "=", "\"", "a=\"", "Digest =,=\"\\", String(repeating: "a ", count: 10_000)] {
            _ = HTTPAuthorization(challenge: hostile, isLocal: true)
        }
        #expect(HTTPAuthorization(challenge: "Basic", isLocal: false)?.scheme == .basic)
        #expect(HTTPAuthorization(challenge: "Basic, PeerCred", isLocal: true)?.scheme == .peerCredentials)
        #expect(HTTPAuthorization(challenge: "PeerCred", isLocal: false) == nil)
        #expect(HTTPAuthorization(challenge: "Digest nonce=\"n\", algorithm=MD5-sess", isLocal: false) == nil)
    }
}
