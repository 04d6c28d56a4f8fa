import FoundationEssentials
import Glibc
import IPP
import IPPClient
import PrintBackends
import PrintTestSupport
import Testing
import TransportTrials

@testable import IPPServerTLS

/// Tests of the certificates and servers that a transport trusts.
struct TrustTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func access(_ address: IPPAddress, authorities: String? = nil) -> PrinterAccess {
        PrinterAccess(folder: folder.path("access"), printer: "laser", address: address, authorities: authorities)
    }

    private func ask(
        _ address: IPPAddress, _ access: PrinterAccess, document: DocumentSource? = nil
    ) async -> Result<Message, IPPClientError> {
        var bounds = LibcupsTransport.Bounds()
        bounds.handshake = 5
        let transport = LibcupsTransport(to: .init(address, security: .always), access: access, bounds: bounds)
        do throws(IPPClientError) {
            return .success(try await transport.send(.getPrinterAttributes, document: document, path: "/"))
        } catch {
            return .failure(error)
        }
    }

    private func require(_ transport: LibcupsTransport, _ document: DocumentSource? = nil) async throws {
        let answer = try await transport.send(.getPrinterAttributes, document: document)
        #expect(answer.status == .successfulOk)
    }

    @Test func `the first certificate of a printer is stored with mode 600, and documents are sent to the printer`()
        async throws
    {
        try await SecureServer.serving { server in
            let access = access(server.address)
            for _ in 0..<2 {
                let answer = await ask(server.address, access, document: .bytes(.init(repeating: 7, count: 300_000)))
                #expect((try? answer.get())?.status == .successfulOk, "\(answer)")
            }
            var status = stat()
            #expect(stat(folder.path("access/laser.json"), &status) == 0 && status.st_mode & 0o777 == 0o600)
            #expect(stat(folder.path("access"), &status) == 0 && status.st_mode & 0o777 == 0o700)
        }
    }

    @Test func `sequential and concurrent TLS requests receive responses`() async throws {
        try await SecureServer.serving { server in
            let transport = LibcupsTransport(
                to: .init(server.address, security: .always), access: access(server.address))
            for _ in 0..<5 { try await require(transport) }
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for _ in 0..<20 {
                    tasks.addTask {
                        try await require(transport, .bytes([1]))
                    }
                }
                try await tasks.waitForAll()
            }
            await transport.close()
        }
    }

    @Test func `if a certificate has changed, no data is sent until a user accepts the certificate`()
        async throws
    {
        try await SecureServer.serving { server in
            let access = access(server.address)
            _ = try await ask(server.address, access).get()
            let other = try server.identity.another(
                for: CertificateNames(hosts: ["x.invalid"]), from: 0, until: 4_000_000_000)
            server.plan(.with(other))
            guard case .failure(let error) = await ask(server.address, access) else {
                Issue.record("the server was accepted")
                return
            }
            #expect(error.code == .untrusted && !error.mayHaveBeenReceived)
            #expect(error.message.contains("printq printers trust laser"), "\(error)")
            #expect(server.count == 1)
            let accepted = try access.trust()
            #expect(error.message.contains(accepted))
            #expect((try? await ask(server.address, access).get())?.status == .successfulOk)
            // There is no refused certificate to accept. The old certificate is now refused.
            #expect(throws: PrinterAccess.Problem.self) { try access.trust() }
            server.plan(nil)
            guard case .failure(let old) = await ask(server.address, access) else {
                Issue.record("the server was accepted")
                return
            }
            #expect(old.code == .untrusted)
        }
    }

    @Test func `a renewed certificate with the same key is trusted, also if its predecessor is trusted again`()
        async throws
    {
        try await SecureServer.serving { server in
            let access = access(server.address)
            _ = try await ask(server.address, access).get()
            let renewed = try #require(
                try server.identity.renewed(for: .thisMachine, from: time(nil) - 86_400, until: 4_000_000_000))
            #expect(renewed.certificate != server.identity.certificate)
            for _ in 0..<2 {
                server.plan(.with(renewed))
                #expect((try? await ask(server.address, access).get())?.status == .successfulOk)
                server.plan(nil)
                #expect((try? await ask(server.address, access).get())?.status == .successfulOk)
            }
            // A refused certificate with another key is accepted with its key.
            let other = try server.identity.another(for: .thisMachine, from: 0, until: 4_000_000_000)
            server.plan(.with(other))
            guard case .failure(let error) = await ask(server.address, access) else {
                Issue.record("the server was accepted")
                return
            }
            #expect(error.code == .untrusted)
            try access.trust()
            let next = try #require(try other.renewed(for: .thisMachine, from: 0, until: 4_000_000_000))
            server.plan(.with(next))
            #expect((try? await ask(server.address, access).get())?.status == .successfulOk)
        }
    }

    @Test func `the file with the credentials is read once, and again after each change`() async throws {
        let address = IPPAddress.tcp(host: "a.example", port: 631)
        let access = access(address)
        try access.setLogin(Login(user: "ann", password: "secret"))
        #expect(access.login == Login(user: "ann", password: "secret"))
        // The kernel reports each opening of a file in the folder.
        let openings = inotify_init1(Int32(IN_NONBLOCK))
        defer { close(openings) }
        #expect(inotify_add_watch(openings, folder.path("access"), UInt32(IN_OPEN)) >= 0)
        for _ in 0..<100 { #expect(access.login == Login(user: "ann", password: "secret")) }
        var event = [UInt8](repeating: 0, count: 4096)
        #expect(read(openings, &event, event.count) == -1 && errno == EAGAIN, "the file was opened")

        try self.access(address).setLogin(Login(user: "bob", password: "secret"))
        #expect(access.login == Login(user: "bob", password: "secret"))
        let text = try String(contentsOfFile: folder.path("access/laser.json"), encoding: .utf8)
        try text.replacing("secret", with: "hidden").write(
            toFile: folder.path("access/laser.json"), atomically: false, encoding: .utf8)
        #expect(access.login == Login(user: "bob", password: "hidden"))
        PrinterAccess.beginTrial(of: "laser", in: folder.path("access"))
        PrinterAccess.forget("laser", in: folder.path("access"))
        #expect(access.login == nil)
        PrinterAccess.keepTrial(of: "laser", in: folder.path("access"))
        #expect(access.login == Login(user: "bob", password: "hidden"))
    }

    @Test func `stored credentials are used only for the server address for which they were stored`() async throws {
        let access = access(.tcp(host: "a.example", port: 631))
        try access.setLogin(Login(user: "ann", password: "secret"))
        #expect(access.login == Login(user: "ann", password: "secret"))
        let other = self.access(.tcp(host: "b.example", port: 631))
        #expect(other.login == nil)
        try access.setLogin(nil)
        #expect(access.login == nil)
    }

    @Test func `a signed certificate is accepted only if its host name and its dates are valid`() async throws {
        try await SecureServer.serving { server in
            let file = server.folder.path("certificate.pem")
            let good = await ask(server.address, access(server.address, authorities: file))
            #expect((try? good.get())?.status == .successfulOk, "\(good)")
            // Linux routes this address to the loopback interface, but the certificate does not contain it.
            let elsewhere = IPPAddress.tcp(host: "0.0.0.0", port: server.port)
            for (address, words) in [(elsewhere, "not for the host name '0.0.0.0'")] {
                guard case .failure(let error) = await ask(address, access(address, authorities: file)) else {
                    Issue.record("the server was accepted")
                    return
                }
                #expect(error.code == .untrusted && error.message.contains(words), "\(error)")
            }
            let expired = try server.identity.another(for: .thisMachine, from: 0, until: 1_000_000_000)
            server.plan(.with(expired))
            guard case .failure(let late) = await ask(server.address, access(server.address, authorities: file)) else {
                Issue.record("the server was accepted")
                return
            }
            #expect(late.code == .untrusted, "\(late)")
            #expect(server.count == 1)
        }
    }

    @Test func `if a TLS handshake fails or times out, the error reports that no document was sent`() async throws {
        try await SecureServer.serving { server in
            server.plan(.alert(40))
            guard case .failure(let failed) = await ask(server.address, access(server.address)) else {
                Issue.record("the server was accepted")
                return
            }
            #expect(failed.code == .connectionLost && !failed.mayHaveBeenReceived, "\(failed)")
            #expect(server.count == 0)
        }
        let silent = try ScriptedServer { $0.read(until: Array("never".utf8)) }
        let address = IPPAddress.tcp(host: "127.0.0.1", port: silent.port)
        var bounds = LibcupsTransport.Bounds()
        (bounds.connect, bounds.handshake) = (0.1, 0.1)
        let transport = LibcupsTransport(to: .init(address, security: .always), access: access(address), bounds: bounds)
        let error = await #expect(throws: IPPClientError.self) { try await transport.send(.getPrinterAttributes) }
        #expect(error?.code == .timedOut && error?.mayHaveBeenReceived == false)
    }

    @Test func `a connection is upgraded to TLS if the server demands TLS`() async throws {
        try await SecureServer.serving { server in
            let address = server.address
            let access = access(address)
            let transport = LibcupsTransport(to: .init(address, security: .upgrade), access: access)
            try await require(transport)
            #expect(FileManager.default.fileExists(atPath: folder.path("access/laser.json")))
        }
    }
}

extension Message {
    /// A request to which the test servers respond.
    static let getPrinterAttributes = Message(
        operation: .getPrinterAttributes, requestID: 1,
        groups: [
            .operation([Attribute("printer-uri", .uri("ipps://localhost/ipp/print/x"))])
        ])
}
