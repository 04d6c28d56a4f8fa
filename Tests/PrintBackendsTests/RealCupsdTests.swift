import FoundationEssentials
import Glibc
import IPP
import IPPClient
import PrintBackends
import PrintTestSupport
import ProcessLaunch
import Testing

/// A real cupsd that wants to know who asks, and speaks TLS when it is asked to.
@Suite(.serialized, .timeLimit(.minutes(2))) struct RealCupsdTests {
    private let folder: TemporaryFolder
    private var socket: String { folder.path("cups/sock") }

    init() throws { folder = try TemporaryFolder() }

    /// The command that starts cupsd with a configuration of its own; as root it is told to be somebody else.
    private func command(port: Int) throws -> [String] {
        let root = folder.path("cups")
        for name in ["conf/ssl", "spool/tmp", "cache", "state"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
        }
        try """
        ServerRoot \(root)/conf
        ServerKeychain \(root)/conf/ssl
        RequestRoot \(root)/spool
        TempDir \(root)/spool/tmp
        CacheDir \(root)/cache
        StateDir \(root)/state
        ErrorLog \(root)/log
        AccessLog /dev/null
        PageLog /dev/null

        """.write(toFile: "\(root)/conf/cups-files.conf", atomically: true, encoding: .utf8)
        try """
        Listen \(socket)
        Listen 127.0.0.1:\(port)
        Browsing No
        WebInterface No
        DefaultAuthType Basic
        <Location />
          Allow from all
        </Location>
        <Policy default>
          <Limit CUPS-Get-Printers>
            AuthType Basic
            Require valid-user
          </Limit>
          <Limit All>
            Allow from all
          </Limit>
        </Policy>

        """.write(toFile: "\(root)/conf/cupsd.conf", atomically: true, encoding: .utf8)
        let command = ["/usr/sbin/cupsd", "-f", "-c", "\(root)/conf/cupsd.conf", "-s", "\(root)/conf/cups-files.conf"]
        guard getuid() == 0, let lp = getpwnam("lp")?.pointee else { return command }
        chmod(folder.path("."), 0o755)
        for path in try [root] + FileManager.default.subpathsOfDirectory(atPath: root).map({ "\(root)/\($0)" }) {
            chown(path, lp.pw_uid, lp.pw_gid)
        }
        return ["/usr/bin/setpriv", "--reuid=lp", "--regid=lp", "--clear-groups"] + command
    }

    private func transport(_ address: IPPAddress, _ security: CUPSTransport.Server.Security) -> CUPSTransport {
        CUPSTransport(
            to: .init(address, security: security),
            access: PrinterAccess(folder: folder.path("access"), printer: "office", address: address))
    }

    private func request(_ operation: IPP.Operation) -> Message {
        Message(
            operation: operation, requestID: 0,
            groups: [.operation()])
    }

    @Test func `it believes the kernel at its socket, wants a password at its port, and speaks TLS`() async throws {
        let port = 20_000 + Int(getpid()) % 20_000 + 70
        let command = try command(port: port)
        let cupsd = try DetachedProcess(
            program: command[0], arguments: Array(command.dropFirst()), log: folder.path("cupsd.log"))
        defer { kill(cupsd.pid, SIGTERM) }
        let local = transport(.unix(path: socket), .whenAsked)
        // Nothing says when cupsd is ready.
        for _ in 0..<200 where (try? await local.send(request(.cupsGetDefault))) == nil {
            try await Task.sleep(for: .milliseconds(50))
        }
        // There is no printer: not-found means that it was let in and looked.
        let printers = try await local.send(request(.cupsGetPrinters))
        #expect([.clientErrorNotFound, .successfulOk].contains(printers.status), "\(printers)")

        let address = IPPAddress.tcp(host: "127.0.0.1", port: port)
        let error = await #expect(throws: IPPClientError.self) {
            try await transport(address, .whenAsked).send(request(.cupsGetPrinters))
        }
        #expect(error?.code == .authenticationRequired, "\(String(describing: error))")

        for security in [CUPSTransport.Server.Security.always, .upgrade] {
            let secure = transport(address, security)
            for _ in 0..<3 { _ = try await secure.send(request(.cupsGetDefault)) }
        }
        #expect(FileManager.default.fileExists(atPath: folder.path("access/office.json")))
    }
}
