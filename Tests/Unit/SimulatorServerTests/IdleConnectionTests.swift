import FoundationEssentials
import Glibc
import IPP
import IPPClient
import IPPNetworkClient
import IPPServer
import PrintTestSupport
import ProcessLaunch
import Testing

/// Tests of many idle connections to the real printsim.
struct IdleConnectionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `500 idle connections do not block printsim, even if printsim starts with a low limit on open files`()
        async throws
    {
        OpenFiles.raise(to: 4096)
        // Most systems start programs with a low file limit that the program can raise.
        let printsim = try CompanionProcess(
            program: "/usr/bin/prlimit",
            arguments: [
                "--nofile=256:4096", "--", Programs.besideTests("printsim"), "inkjet", "--speed", "instant",
                "--until-eof", "--no-dns-sd", "--output", folder.path("out"), "--simulators",
                "\(packageFolder)/Simulators",
            ], log: folder.path("log"))
        let line = try #require(await printsim.readLine(within: .seconds(30)))
        let uri = try #require(line.split(separator: "\"").map(String.init).first { $0.hasPrefix("ipp://") })
        let port = try #require(uri.split(separator: "/")[1].split(separator: ":").last.flatMap { UInt16($0) })
        let idle = try (0..<500).map { _ in try connect(port) }
        defer { for descriptor in idle { close(descriptor) } }

        let begin = ContinuousClock.now
        let client = IPPClient(address: .tcp(host: "127.0.0.1", port: Int(port)))
        let answer = try await client.send(TestPrinters.request(.getPrinterAttributes, at: uri))
        #expect(answer.status == .successfulOk)
        // The server closes an idle connection after 15 s. The response of a blocked server would take as long.
        #expect(ContinuousClock.now - begin < .seconds(5))
        await client.close()
        #expect(await printsim.end() == 0)
    }

    private func connect(_ port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(code == 0, "a connection is refused: \(String(cString: strerror(errno)))")
        return descriptor
    }
}
