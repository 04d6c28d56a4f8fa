// A certificate and its private key.

import SafeFiles

/// The certificate of a server, the certificates of its issuers, and its private key.
///
///     let identity = try TLSIdentity(certificateFile: "printer.crt", keyFile: "printer.key")
///
/// The identity supports TLS 1.2 and 1.3 (RFC 8996 deprecates earlier versions). The only supported application
/// protocol is HTTP/1.1 (ALPN, RFC 7301).
public struct TLSIdentity: Sendable {
    let settings: TLSSettings
    /// The certificates in PEM format.
    ///
    /// The server's certificate comes first.
    package let certificate: [UInt8]
    /// The key of the server's certificate in PEM format.
    ///
    /// If this module created the certificate, the key of the certificate authority follows.
    let key: [UInt8]

    /// Reads a certificate and a key from PEM files.
    ///
    /// The certificate and the key can be in the same file.
    ///
    /// - Throws: `noFile` if a file cannot be read; `badFile` if a certificate or key is missing, or if the key does
    ///   not match the certificate.
    package init(certificateFile: String, keyFile: String) throws(TLSError) {
        let certificate = try Self.read(certificateFile, what: "certificate")
        let key = try Self.read(keyFile, what: "key")
        try self.init(certificate: certificate, key: key, names: (certificateFile, keyFile))
    }

    /// Creates an identity from a certificate and a key in PEM format.
    ///
    /// Error messages use `names` for the certificate and the key.
    init(certificate: [UInt8], key: [UInt8], names: (certificate: String, key: String)) throws(TLSError) {
        (self.certificate, self.key) = (certificate, key)
        settings = try TLSSettings(chain: certificate, key: key, names: names)
    }

    private static func read(_ path: String, what: String) throws(TLSError) -> [UInt8] {
        // A certificate file is always shorter than this limit.
        do throws(SystemFailure) { return try FileBytes.read(path, count: 1 << 20) } catch {
            throw .noFile(path, what, number: error.description)
        }
    }
}
