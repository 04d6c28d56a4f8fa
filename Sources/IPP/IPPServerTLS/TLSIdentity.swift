// A certificate and the key that proves it.

import Glibc
import NIOSSL

/// What a server shows of itself in a handshake: a certificate, those it was signed with, and its key.
///
///     let identity = try TLSIdentity(certificateFile: "printer.crt", keyFile: "printer.key")
///
/// It speaks TLS 1.2 and 1.3 (RFC 8996 ends what was before), and HTTP/1.1 only (ALPN, RFC 7301).
public struct TLSIdentity: Sendable {
    /// BoringSSL's settings, shared by all connections.
    let context: NIOSSLContext
    /// The certificates in PEM form, the server's own first.
    public let certificate: [UInt8]
    /// The key in PEM form.
    let key: [UInt8]

    /// A certificate and key from files in PEM form; both may be in the same.
    ///
    /// - Throws: `noFile`; `badFile` when there is no certificate or key in them, or the two do not belong together.
    public init(certificateFile: String, keyFile: String) throws(TLSError) {
        let certificate = try Self.read(certificateFile, what: "certificate")
        let key = try Self.read(keyFile, what: "key")
        try self.init(certificate: certificate, key: key, names: (certificateFile, keyFile))
    }

    /// A certificate and key in PEM form; `names` are what errors call them.
    init(certificate: [UInt8], key: [UInt8], names: (certificate: String, key: String)) throws(TLSError) {
        (self.certificate, self.key) = (certificate, key)
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMBytes(certificate)
        } catch {
            throw .badCertificate(names.certificate, cause: error)
        }
        let privateKey: NIOSSLPrivateKey
        do {
            // The passphrase that is never right: without one, BoringSSL would ask for it on the terminal.
            privateKey = try NIOSSLPrivateKey(bytes: key, format: .pem) { $0([UInt8]()) }
        } catch {
            throw .badKey(names.key, cause: error)
        }
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            context = try NIOSSLContext(configuration: configuration)
        } catch {
            throw .mismatch(names.certificate, names.key, cause: error)
        }
    }

    private static func read(_ path: String, what: String) throws(TLSError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .noFile(path, what, number: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        // Whatever is longer is no certificate.
        while bytes.count < 1 << 20 {
            let count = Glibc.read(descriptor, &piece, piece.count)
            guard count >= 0 else { throw .noFile(path, what, number: String(cString: strerror(errno))) }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        return bytes
    }
}
