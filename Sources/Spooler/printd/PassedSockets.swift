// The sockets that the service manager passed to printd.

import IPPServer
import SpoolConfiguration
import Systemd

/// The listening sockets that the service manager passed to this process.
///
/// printd never binds or removes these sockets. The sockets stay open during a restart of printd, so that clients wait
/// instead of receiving an error.
struct PassedSockets: Sendable {
    /// The mode of the Unix sockets of printd: every user can connect, and the kernel identifies the user.
    static let mode: UInt32 = 0o666

    /// The paths of the Unix sockets.
    ///
    /// Sockets with the name `printd` come first.
    private(set) var paths: [String] = []
    /// The addresses of the TCP sockets.
    private(set) var tcp: [ListenAddress] = []
    /// The file descriptor of each socket, by address.
    private(set) var inherited: [ListenAddress: Int32] = [:]

    /// Creates an empty set of sockets.
    init() {}

    /// Checks the sockets that the service manager passed.
    ///
    /// - Throws: `StartError` if a socket is unusable, or if a socket is reachable from the network.
    init(_ received: Result<[ActivationSocket], SystemdError>) throws(SpoolerDaemon.StartError) {
        let sockets: [ActivationSocket]
        do throws(SystemdError) {
            sockets = try received.get()
        } catch {
            throw SpoolerDaemon.StartError(description: error.message, exitCode: 78)
        }
        for socket in sockets.filter({ $0.name == "printd" }) + sockets.filter({ $0.name != "printd" }) {
            switch socket.address {
            case .unix(let path):
                guard inherited.updateValue(socket.descriptor, forKey: .unix(path: path, mode: Self.mode)) == nil
                else { throw Self.duplicate(path) }
                paths.append(path)
            case .tcp(let host, let port):
                let address = ListenAddress.tcp(host: host, port: port)
                guard TCPAddress("\(address)")?.isLoopback == true else {
                    throw SpoolerDaemon.StartError(description: TCPAddress.onlyLoopback("\(address)"), exitCode: 78)
                }
                guard inherited.updateValue(socket.descriptor, forKey: address) == nil else {
                    throw Self.duplicate("\(address)")
                }
                tcp.append(address)
            }
        }
    }

    private static func duplicate(_ address: String) -> SpoolerDaemon.StartError {
        SpoolerDaemon.StartError(
            description: "the service manager passed two sockets for \(address); "
                + "remove one of the sockets from the socket unit",
            exitCode: 78)
    }
}
