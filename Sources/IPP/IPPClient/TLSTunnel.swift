// Connects to a server on the network with TLS.

import Glibc
import ProcessLaunch

/// A TLS connection to a server, which the program `print-tunnel` encrypts.
package final class TLSTunnel: @unchecked Sendable {
    // Unchecked, because only `deinit` uses the process, which ends it.
    private let process: InteractiveProcess

    private init(_ process: InteractiveProcess) { self.process = process }

    /// The result of a connection attempt.
    package enum Result {
        /// A connected socket, which the caller closes; the peer must exist as long as the connection.
        case connected(descriptor: Int32, peer: TLSTunnel)
        /// A server whose certificate is not trusted, with the SHA-256 hashes of its key and its certificate.
        case untrusted(key: String, fingerprint: String)
    }

    /// Opens a connection, and blocks the calling thread until the handshake is complete.
    ///
    /// - Parameter key: The SHA-256 hash of the server's key; nil if an authority of the system must have signed the
    ///   certificate.
    package static func open(host: String, port: Int, key: String? = nil) throws(TunnelError) -> Result {
        let process: InteractiveProcess
        do throws(LaunchError) {
            process = try InteractiveProcess(
                program: Programs.path(of: "print-tunnel"), arguments: [host, String(port)] + (key.map { [$0] } ?? []),
                environment: Programs.environment, errors: STDERR_FILENO)
        } catch {
            throw TunnelError(reason: "\(error.description); reinstall printq")
        }
        let line: [UInt8]
        do throws(InteractiveProcess.Interruption) {
            line = try process.line(longest: 1000, until: .now + .seconds(30))
        } catch {
            throw TunnelError(reason: "print-tunnel ended")
        }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 2).map(String.init)
        switch words.first {
        case "connected":
            let descriptor = fcntl(process.socket, F_DUPFD_CLOEXEC, 0)
            guard descriptor >= 0 else { throw TunnelError(reason: String(cString: strerror(errno))) }
            return .connected(descriptor: descriptor, peer: TLSTunnel(process))
        case "untrusted" where words.count == 3: return .untrusted(key: words[1], fingerprint: words[2])
        default: throw TunnelError(reason: words.dropFirst().joined(separator: " "))
        }
    }
}

/// The reason why a server cannot be reached, as part of a sentence.
package struct TunnelError: Error, Hashable {
    package let reason: String
}
