// The settings that all TLS connections of a server or a client share.

import CGnuTLS
import Glibc

/// The certificate, the key and the accepted algorithms of TLS connections, as objects of GnuTLS.
///
/// The class is safe to share between threads although the compiler cannot check it: `init` is the only code that
/// changes the two objects, and sessions only read them. GnuTLS allows sessions on different threads to share
/// credentials and priorities that no thread changes (GnuTLS manual, "Thread safety").
final class TLSSettings: @unchecked Sendable {
    private(set) var credentials: gnutls_certificate_credentials_t?
    private(set) var priority: gnutls_priority_t?

    /// The accepted versions and algorithms, as a priority string of GnuTLS.
    ///
    /// RFC 8996 deprecates the versions before TLS 1.2. Forward secrecy comes first; the exchange of keys with RSA
    /// (`+RSA`) and the ciphers in CBC mode are for TLS 1.2 of old printers and clients.
    private static let priorities =
        "NONE:+CTYPE-X509:+VERS-TLS1.3:+VERS-TLS1.2:+COMP-NULL"
        + ":+AES-128-GCM:+AES-256-GCM:+CHACHA20-POLY1305:+AES-256-CBC:+AES-128-CBC:+AEAD:+SHA1"
        + ":+ECDHE-ECDSA:+ECDHE-RSA:+RSA:+GROUP-X25519:+GROUP-SECP256R1:+GROUP-SECP384R1:+SIGN-ALL"

    /// Creates settings without a certificate, for clients.
    ///
    /// - Throws: `notMade` if GnuTLS rejects the settings.
    init() throws(TLSError) {
        try check(gnutls_certificate_allocate_credentials(&credentials), or: TLSError.noTLS)
        try check(gnutls_priority_init(&priority, Self.priorities, nil), or: TLSError.noTLS)
    }

    deinit {
        gnutls_priority_deinit(priority)
        gnutls_certificate_free_credentials(credentials)
    }

    /// Creates settings with a certificate, for servers.
    ///
    /// - Throws: `badFile` if the chain cannot be read, or if the key does not belong to the first certificate.
    convenience init(
        chain: [UInt8], key: [UInt8], names: (certificate: String, key: String)
    ) throws(TLSError) {
        try self.init()
        var list: UnsafeMutablePointer<gnutls_x509_crt_t?>?
        var count: UInt32 = 0
        defer {
            for index in 0..<Int(count) { gnutls_x509_crt_deinit(list?[index]) }
            free(list)
        }
        try withDatum(chain, or: { .badCertificate(names.certificate, reason: $0) }) {
            gnutls_x509_crt_list_import2(&list, &count, $0, GNUTLS_X509_FMT_PEM, 0)
        }
        let key = try PrivateKey(pem: key, or: { .badKey(names.key, reason: $0) })
        try check(
            gnutls_certificate_set_x509_key(credentials, list, Int32(count), key.handle),
            or: { .mismatch(names.certificate, names.key, reason: $0) })
    }
}
