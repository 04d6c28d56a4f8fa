import FoundationEssentials
import IPP
import IPPClient
import PrintBackends
import PrintTestSupport
import Testing

/// Tests with a real cupsd that requires authentication and supports TLS.
@Suite(.serialized, .timeLimit(.minutes(2))) struct RealCupsdTests {
    private static let settings = """
        DefaultAuthType Basic
        DefaultPolicy known
        <Policy known>
          <Limit CUPS-Get-Printers>
            AuthType Basic
            Require valid-user
          </Limit>
          <Limit All>
            Allow from all
          </Limit>
        </Policy>
        """
    private let cups: PrivateCupsd
    private let folder: TemporaryFolder

    init() throws { (cups, folder) = (try PrivateCupsd(settings: Self.settings), try TemporaryFolder()) }

    private func transport(_ address: IPPAddress, _ security: LibcupsTransport.Server.Security) -> LibcupsTransport {
        LibcupsTransport(
            to: .init(address, security: security),
            access: PrinterAccess(folder: folder.path("access"), printer: "office", address: address))
    }

    private func request(_ operation: IPP.Operation) -> Message {
        Message(
            operation: operation, requestID: 0,
            groups: [.operation()])
    }

    @Test func `cupsd accepts peer credentials, requires a password on TCP, and supports TLS`() async throws {
        let local = transport(.unix(path: cups.socket), .whenAsked)
        // There is no printer, so the status not-found means that the request was authorized.
        let printers = try await local.send(request(.cupsGetPrinters))
        #expect([.clientErrorNotFound, .successfulOk].contains(printers.status), "\(printers)")

        let address = IPPAddress.tcp(host: "127.0.0.1", port: cups.port)
        let error = await #expect(throws: IPPClientError.self) {
            try await transport(address, .whenAsked).send(request(.cupsGetPrinters))
        }
        #expect(error?.code == .authenticationRequired, "\(String(describing: error))")

        for security in [LibcupsTransport.Server.Security.always, .upgrade] {
            let secure = transport(address, security)
            for _ in 0..<3 { _ = try await secure.send(request(.cupsGetDefault)) }
        }
        #expect(FileManager.default.fileExists(atPath: folder.path("access/office.json")))
    }
}
