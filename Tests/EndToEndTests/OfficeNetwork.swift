// A print server and a laptop that are connected by a network.

import Foundation
import PrintTestSupport
import Testing

/// A printd that listens for the clients of a network, and a laptop in this network.
///
/// The laptop has the addresses 192.168.7.2 and fd00:7::2, and names for the addresses of the server.
struct OfficeNetwork {
    let spooler: TestSpooler
    let server: NetworkHost
    let laptop: NetworkHost

    init() async throws {
        spooler = try TestSpooler()
        server = try NetworkHost("server")
        laptop = try NetworkHost(
            "laptop",
            addresses: """
                192.168.7.1 print.example.com server.local
                fd00:7::1 six.example.com
                127.0.0.1 forward.example.com
                """)
        try server.connect(to: laptop)
        // The cupsd of a laptop runs as another user.
        chmod(spooler.folder.path, 0o755)
        expect(try await spooler.printq("init"))
        expect(
            try await spooler.printq(
                "network", "enable", "--listen", "[::]:8632", "--allow", "192.168.7.0/24", "--allow", "fd00:7::/64",
                "--name", "print.example.com", "--name", "six.example.com", "--name", "forward.example.com"))
        try spooler.start(tcp: true, launcher: try server.script(in: spooler.folder))
    }
}
