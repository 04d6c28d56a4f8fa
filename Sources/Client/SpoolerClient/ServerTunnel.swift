// Connects to a printd on the network.

import Glibc
import IPPClient
import PrintIPP

extension TLSTunnel {
    fileprivate static func open(_ server: ServerAddress, key: String?) throws(IPPClientError) -> Result {
        do throws(TunnelError) {
            return try open(host: server.host, port: server.port, key: key)
        } catch {
            throw IPPClientError(
                .unreachable, "cannot connect to \(server.description.printable): \(error.reason.printable)",
                mayHaveBeenReceived: false)
        }
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
            guard case .untrusted(let key, let hash) = try TLSTunnel.open(server, key: nil) else { return nil }
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
            switch try TLSTunnel.open(server, key: login?.key) {
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
