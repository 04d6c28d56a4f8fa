// Fetches the keys of a provider from its address.

import AsyncPrimitives
import IPPClient

/// A namespace for the function that fetches keys.
enum KeyDownload {
    /// The time limit in seconds for the whole transfer, after the connection is encrypted.
    private static let mostSeconds = 10

    /// Fetches a document with TLS; an authority of the system must have signed the server's certificate.
    ///
    /// Redirects are not followed: they could lead to another server.
    @Sendable static func fetch(_ host: String, _ port: Int, _ path: String) async throws(KeyProblem) -> [UInt8] {
        let named = host.contains(":") ? "[\(host)]" : host
        let server = port == 443 ? named : "\(named):\(port)"
        func problem(_ reason: String) -> KeyProblem {
            KeyProblem("cannot fetch 'https://\(server)\(path)': \(reason)")
        }
        let opened: TLSTunnel.Result
        do throws(TunnelError) {
            opened = try TLSTunnel.open(host: host, port: port)
        } catch {
            throw problem(error.reason)
        }
        guard case .connected(let descriptor, let peer) = opened else {
            throw problem("no authority of this system has signed the certificate of the server for its name")
        }
        let download = HTTPDownload(over: descriptor, peer: peer, host: server)
        let result = await outcome(within: .seconds(mostSeconds)) { () -> Result<[UInt8], HTTPDownloadError> in
            do throws(HTTPDownloadError) {
                return .success(try await download.body(of: path, mostBytes: KeySet.mostBytes))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let bytes): return bytes
        case .failure(let error): throw problem(error.message)
        case nil: throw problem("the server did not answer within \(mostSeconds) seconds")
        }
    }
}
