// Verifies the certificate chain of a server.

import CGnuTLS
import Glibc

/// A certificate chain in DER form, with the server's own certificate first.
struct CertificateChain {
    private let certificates: [[UInt8]]

    init(_ certificates: [[UInt8]]) { self.certificates = certificates }

    /// Returns the reason why the chain is invalid; nil if the chain is valid (RFC 5280 §6, RFC 6125).
    ///
    /// An authority in the PEM file at the path `authorities` must have signed a certificate of the chain. No
    /// certificate of the chain may have expired. The server's certificate must contain the name `host`.
    func problem(authorities file: String, host: String) -> String? {
        var list: gnutls_x509_trust_list_t?
        guard gnutls_x509_trust_list_init(&list, 0) == 0, let list else { return "out of memory" }
        defer { gnutls_x509_trust_list_deinit(list, 1) }
        guard gnutls_x509_trust_list_add_trust_file(list, file, nil, GNUTLS_X509_FMT_PEM, 0, 0) > 0 else {
            return "'\(file)' contains no CA certificates; check tlsAuthorities in 'printd.json5'"
        }
        var chain = imported()
        defer { for certificate in chain { gnutls_x509_crt_deinit(certificate) } }
        guard let own = chain.first, let own, chain.count == certificates.count else { return "malformed certificate" }
        var status: UInt32 = 0
        guard gnutls_x509_trust_list_verify_crt(list, &chain, UInt32(chain.count), 0, &status, nil) == 0 else {
            return "the signatures of the certificates cannot be verified"
        }
        guard status == 0 else { return Self.message(status, file) }
        return gnutls_x509_crt_check_hostname(own, host) != 0
            ? nil : "the certificate is not for the host name '\(host)'"
    }

    /// The SHA-256 hash of the key of the server's certificate, in hexadecimal digits; nil if the certificate is
    /// malformed.
    var key: String? {
        let chain = CertificateChain(Array(certificates.prefix(1))).imported()
        defer { for certificate in chain { gnutls_x509_crt_deinit(certificate) } }
        var (hash, count) = ([UInt8](repeating: 0, count: 32), 32)
        let flags = GNUTLS_KEYID_USE_SHA256.rawValue
        guard let own = chain.first, gnutls_x509_crt_get_key_id(own, flags, &hash, &count) == 0 else { return nil }
        return Fingerprint.digits(hash)
    }

    private func imported() -> [gnutls_x509_crt_t?] {
        certificates.compactMap { bytes in
            var certificate: gnutls_x509_crt_t?
            guard gnutls_x509_crt_init(&certificate) == 0 else { return nil }
            var bytes = bytes
            let code = bytes.withUnsafeMutableBufferPointer { buffer in
                var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
                return gnutls_x509_crt_import(certificate, &datum, GNUTLS_X509_FMT_DER)
            }
            guard code == 0 else {
                gnutls_x509_crt_deinit(certificate)
                return nil
            }
            return certificate
        }
    }

    private static func message(_ status: UInt32, _ file: String) -> String {
        func has(_ flag: gnutls_certificate_status_t) -> Bool { status & flag.rawValue != 0 }
        if has(GNUTLS_CERT_EXPIRED) { return "the certificate has expired" }
        if has(GNUTLS_CERT_NOT_ACTIVATED) { return "the certificate is not valid yet; check the system clock" }
        if has(GNUTLS_CERT_REVOKED) { return "the certificate has been revoked" }
        return "no certificate authority in '\(file)' has signed the certificate"
    }
}
