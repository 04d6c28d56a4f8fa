// Whether certificates are those of a host, by the word of authorities.

import CGnuTLS
import Glibc

/// The certificates that a server shows, in DER form, its own first.
struct CertificateChain {
    private let certificates: [[UInt8]]

    init(_ certificates: [[UInt8]]) { self.certificates = certificates }

    /// What is wrong with the chain: it is not signed by one of the authorities in a file (PEM), expired, or of another host;
    /// nil when all is well (RFC 5280 §6, RFC 6125).
    func problem(authorities file: String, host: String) -> String? {
        var list: gnutls_x509_trust_list_t?
        guard gnutls_x509_trust_list_init(&list, 0) == 0, let list else { return "there is no memory to look at it" }
        defer { gnutls_x509_trust_list_deinit(list, 1) }
        guard gnutls_x509_trust_list_add_trust_file(list, file, nil, GNUTLS_X509_FMT_PEM, 0, 0) > 0 else {
            return "'\(file)' holds no certificates of authorities; see tlsAuthorities in 'printd.json5'"
        }
        var chain = imported()
        defer { for certificate in chain { gnutls_x509_crt_deinit(certificate) } }
        guard let own = chain.first, let own, chain.count == certificates.count else { return "it cannot be read" }
        var status: UInt32 = 0
        guard gnutls_x509_trust_list_verify_crt(list, &chain, UInt32(chain.count), 0, &status, nil) == 0 else {
            return "it cannot be checked"
        }
        guard status == 0 else { return Self.words(status, file) }
        return gnutls_x509_crt_check_hostname(own, host) != 0 ? nil : "it is not for the name '\(host)'"
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

    private static func words(_ status: UInt32, _ file: String) -> String {
        func has(_ flag: gnutls_certificate_status_t) -> Bool { status & flag.rawValue != 0 }
        if has(GNUTLS_CERT_EXPIRED) { return "it has expired" }
        if has(GNUTLS_CERT_NOT_ACTIVATED) { return "it is not valid yet; is the clock right?" }
        if has(GNUTLS_CERT_REVOKED) { return "it has been revoked" }
        return "none of the authorities in '\(file)' has signed it"
    }
}
