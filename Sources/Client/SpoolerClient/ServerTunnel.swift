// Connects to a printd on the network.

import Glibc
import IPPClient
import PrintIPP
import ProcessLaunch

/// A TLS connection to a server, which the program `print-tunnel` encrypts.
private final class ServerTunnel: @unchecked Sendable {
    // Unchecked, because only `deinit` uses the process, which ends it.
    private let process: InteractiveProcess

    private init(_ process: InteractiveProcess) { self.process = process }

    /// The result of a connection attempt.
    enum Result {
        case connected(descriptor: Int32, peer: ServerTunnel)
        /// A server whose certificate is not trusted, with the SHA-256 hashes of its key and its certificate.
        case untrusted(key: String, fingerprint: String)
    }

    /// Opens a connection, and blocks the calling thread until the handshake is complete.
    ///
    /// - Parameter key: The SHA-256 hash of the server's key; nil if an authority must have signed the certificate.
    static func open(_ server: ServerAddress, key: String?) throws(IPPClientError) -> Result {
        let process: InteractiveProcess
        do throws(LaunchError) {
            process = try InteractiveProcess(
                program: Programs.path(of: "print-tunnel"),
                arguments: [server.host, String(server.port)] + (key.map { [$0] } ?? []),
                environment: Programs.environment, errors: STDERR_FILENO)
        } catch {
            throw IPPClientError(.unreachable, "\(error.description); reinstall printq", mayHaveBeenReceived: false)
        }
        let line: [UInt8]
        do throws(InteractiveProcess.Interruption) {
            line = try process.line(longest: 1000, until: .now + .seconds(30))
        } catch {
            throw Self.failure(server, "print-tunnel ended")
        }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 2).map(String.init)
        switch words.first {
        case "connected":
            let descriptor = fcntl(process.socket, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { throw Self.failure(server, String(cString: strerror(errno))) }
            return .connected(descriptor: descriptor, peer: ServerTunnel(process))
        case "untrusted" where words.count == 3: return .untrusted(key: words[1], fingerprint: words[2])
        default: throw Self.failure(server, words.dropFirst().joined(separator: " "))
        }
    }

    private static func failure(_ server: ServerAddress, _ reason: String) -> IPPClientError {
        IPPClientError(
            .unreachable, "cannot connect to \(server.description.printable): \(reason.printable)",
            mayHaveBeenReceived: false)
    }
}

/// The certificate of a server that no authority of the system has signed for the name of the server.
package struct ServerCertificate: Hashable, Sendable {
    /// The SHA-256 hash of the public key, in hexadecimal digits.
    package let key: String
    /// The SHA-256 fingerprint of the certificate, in groups of two hexadecimal digits.
    package let fingerprint: String

    /// Returns the certificate of a server; nil if an authority of the system has signed it for the name of the server.
    package static func presented(by server: ServerAddress) throws(SpoolerClientError) -> ServerCertificate? {
        do throws(IPPClientError) {
            guard case .untrusted(let key, let hash) = try ServerTunnel.open(server, key: nil) else { return nil }
            let digits = Array(hash.uppercased())
            let pairs = stride(from: 0, to: digits.count - 1, by: 2).map { String(digits[$0...($0 + 1)]) }
            return ServerCertificate(key: key, fingerprint: pairs.joined(separator: ":"))
        } catch {
            throw SpoolerClientError(error)
        }
    }
}

extension Spooler {
    /// Connects to a server on the network.
    ///
    /// - Parameter login: The login at the server; nil for a client without credentials, for which an authority of the
    ///   system must have signed the server's certificate.
    package init(at server: ServerAddress, login: ServerLogin?) {
        var fields = [(name: "Host", value: server.description)]
        if let login { fields.append(("Authorization", login.authorization)) }
        let client = UnixSocketClient(fields: fields) { (_) throws(IPPClientError) in
            switch try ServerTunnel.open(server, key: login?.key) {
            case .connected(let descriptor, let peer): return (descriptor, peer)
            case .untrusted:
                let reason =
                    login == nil
                    ? "no authority of this system has signed the certificate of \(server); run 'printq login'"
                    : "\(server) has another certificate than at the login; if its administrator has replaced the "
                        + "certificate, run 'printq login' again"
                throw IPPClientError(.untrusted, reason.printable, mayHaveBeenReceived: false)
            }
        }
        self.init(client: client, user: login?.user ?? UserAccounts.name(of: getuid()), start: nil)
    }
}
