// Creates certificates with a private authority, as printers do.

import CGnuTLS

extension TLSIdentity {
    /// Creates a certificate and its key (ECDSA on P-256).
    ///
    /// A new certificate authority (CA) signs the certificate. The authority signs only this certificate and the
    /// certificates that ``another`` creates.
    ///
    /// ``certificate`` contains the server's certificate and the authority's certificate. Clients that trust
    /// ``certificate`` trust the server, and can detect a different certificate. The authority is valid ten times as
    /// long, so that these clients also trust renewed certificates.
    ///
    /// - Parameters:
    ///   - from: The start of the validity, in seconds since 1970.
    ///   - until: The end of the validity, in seconds since 1970.
    /// - Throws: `notMade` if GnuTLS cannot create the certificate.
    package static func selfSigned(for names: CertificateNames, from: Int, until: Int) throws(TLSError) -> TLSIdentity {
        let authority = Authority(certificate: try Certificate(), key: try PrivateKey())
        try authority.certify(names, from: from, until: until)
        return try make(for: names, from: from, until: until, by: authority)
    }

    /// Creates a certificate with the key of this identity, signed by the certificate authority of this identity.
    ///
    /// If the certificate of the authority expires before `until`, it is renewed with its key too.
    ///
    /// - Returns: The renewed identity; `nil` if this identity does not contain the key of the authority.
    /// - Throws: `notMade` if GnuTLS cannot create the certificate.
    func renewed(for names: CertificateNames, from: Int, until: Int) throws(TLSError) -> TLSIdentity? {
        guard var authority = try self.authority, let key = Self.parts(key).first else { return nil }
        if authority.certificate.expiration < until {
            authority.certificate = try Certificate()
            try authority.certify(names, from: from, until: until)
        }
        return try Self.make(for: names, from: from, until: until, by: authority, key: PrivateKey(pem: key))
    }

    /// Creates another certificate, signed by the certificate authority of this identity.
    ///
    /// If this identity does not contain the key of the authority, a new authority signs the certificate.
    ///
    /// - Throws: `notMade` if GnuTLS cannot create the certificate.
    package func another(for names: CertificateNames, from: Int, until: Int) throws(TLSError) -> TLSIdentity {
        guard let authority = try self.authority else {
            return try Self.selfSigned(for: names, from: from, until: until)
        }
        return try Self.make(for: names, from: from, until: until, by: authority)
    }

    /// The certificate authority of this identity; `nil` if the identity does not contain the key of the authority.
    private var authority: Authority? {
        get throws(TLSError) {
            let (certificates, keys) = (Self.parts(certificate), Self.parts(key))
            guard certificates.count == 2, keys.count == 2 else { return nil }
            return Authority(certificate: try Certificate(pem: certificates[1]), key: try PrivateKey(pem: keys[1]))
        }
    }

    /// Creates a certificate for a key; `nil` creates a new key.
    private static func make(
        for names: CertificateNames, from: Int, until: Int, by authority: Authority, key: PrivateKey? = nil
    ) throws(TLSError) -> TLSIdentity {
        let certificate = try Certificate()
        let key = if let key { key } else { try PrivateKey() }
        try certificate.describe(names, from: from, until: until)
        try certificate.sign(key: key, by: authority)
        return try TLSIdentity(
            certificate: try certificate.pem() + authority.certificate.pem(),
            key: try key.pem() + authority.key.pem(), names: ("the created certificate", "the created key"))
    }

    /// Returns whether the certificate is valid for all given hosts and addresses at the time `now`, in seconds since
    /// 1970.
    func isGood(for names: CertificateNames, at now: Int) -> Bool {
        guard let parsed = try? Certificate(pem: certificate) else { return false }
        return parsed.isGood(for: names, at: now)
    }

    /// The end of the certificate's validity, in seconds since 1970.
    var expiration: Int { (try? Certificate(pem: certificate))?.expiration ?? 0 }

    private static func parts(_ pem: [UInt8]) -> [[UInt8]] {
        String(decoding: pem, as: UTF8.self).split(separator: "-----BEGIN ").filter { $0.contains("-----END ") }
            .map { Array("-----BEGIN \($0)".utf8) }
    }
}

private struct Authority {
    var certificate: Certificate
    var key: PrivateKey

    /// Completes the authority's certificate for certificates that are valid from `from` until `until`.
    func certify(_ names: CertificateNames, from: Int, until: Int) throws(TLSError) {
        try certificate.describe(
            authority: names.hosts.first ?? "localhost", from: from, until: from + 10 * (until - from))
        try certificate.sign(key: key, by: self)
    }
}

/// A certificate, as an object of GnuTLS.
private final class Certificate {
    private(set) var handle: gnutls_x509_crt_t?

    init() throws(TLSError) { try check(gnutls_x509_crt_init(&handle)) }

    convenience init(pem: [UInt8]) throws(TLSError) {
        try self.init()
        try withDatum(pem) { gnutls_x509_crt_import(handle, $0, GNUTLS_X509_FMT_PEM) }
    }

    deinit { gnutls_x509_crt_deinit(handle) }

    func describe(_ names: CertificateNames, from: Int, until: Int) throws(TLSError) {
        try describe(name: names.hosts.first ?? "localhost", from: from, until: until)
        for host in names.hosts {
            try check(
                gnutls_x509_crt_set_subject_alt_name(
                    handle, GNUTLS_SAN_DNSNAME, host, UInt32(host.utf8.count), UInt32(GNUTLS_FSAN_APPEND)))
        }
        for address in names.addresses {
            try check(
                gnutls_x509_crt_set_subject_alt_name(
                    handle, GNUTLS_SAN_IPADDRESS, address, UInt32(address.count), UInt32(GNUTLS_FSAN_APPEND)))
        }
        try check(gnutls_x509_crt_set_basic_constraints(handle, 0, -1))
        try check(gnutls_x509_crt_set_key_usage(handle, UInt32(GNUTLS_KEY_DIGITAL_SIGNATURE)))
        try check(gnutls_x509_crt_set_key_purpose_oid(handle, "1.3.6.1.5.5.7.3.1", 0))  // a server of TLS
    }

    func describe(authority host: String, from: Int, until: Int) throws(TLSError) {
        try describe(name: "Printers of \(host)", from: from, until: until)
        try check(gnutls_x509_crt_set_basic_constraints(handle, 1, 0))
        try check(gnutls_x509_crt_set_key_usage(handle, UInt32(GNUTLS_KEY_KEY_CERT_SIGN)))
    }

    private func describe(name: String, from: Int, until: Int) throws(TLSError) {
        var serial = (0..<16).map { _ in UInt8.random(in: 0...255) }
        serial[0] = serial[0] & 0x7F | 1  // positive, and not shorter
        try check(gnutls_x509_crt_set_version(handle, 3))
        try check(gnutls_x509_crt_set_serial(handle, serial, serial.count))
        try check(gnutls_x509_crt_set_activation_time(handle, from))
        try check(gnutls_x509_crt_set_expiration_time(handle, until))
        // A common name has at most 64 characters (RFC 5280 appendix A.1). The full name is in the `subjectAltName`.
        let name = String(name.prefix(64))
        try check(gnutls_x509_crt_set_dn_by_oid(handle, "2.5.4.3", 0, name, UInt32(name.utf8.count)))
    }

    func sign(key: PrivateKey, by authority: Authority) throws(TLSError) {
        try check(gnutls_x509_crt_set_key(handle, key.handle))
        let id = try keyID()
        try check(gnutls_x509_crt_set_subject_key_id(handle, id, id.count))
        let authorityID = try authority.certificate.keyID()
        try check(gnutls_x509_crt_set_authority_key_id(handle, authorityID, authorityID.count))
        try check(
            gnutls_x509_crt_sign2(handle, authority.certificate.handle, authority.key.handle, GNUTLS_DIG_SHA256, 0))
    }

    private func keyID() throws(TLSError) -> [UInt8] {
        var id = [UInt8](repeating: 0, count: 64)
        var count = id.count
        try check(gnutls_x509_crt_get_key_id(handle, 0, &id, &count))
        return Array(id[..<count])
    }

    func pem() throws(TLSError) -> [UInt8] {
        try exported { gnutls_x509_crt_export(handle, GNUTLS_X509_FMT_PEM, $0, $1) }
    }

    /// The end of the validity, in seconds since 1970.
    var expiration: Int { gnutls_x509_crt_get_expiration_time(handle) }

    func isGood(for names: CertificateNames, at now: Int) -> Bool {
        gnutls_x509_crt_get_activation_time(handle) <= now && now < expiration
            && names.hosts.allSatisfy { gnutls_x509_crt_check_hostname(handle, $0) != 0 }
            && names.addresses.allSatisfy { gnutls_x509_crt_check_ip(handle, $0, UInt32($0.count), 0) != 0 }
    }
}

/// A private key, as an object of GnuTLS.
final class PrivateKey {
    private(set) var handle: gnutls_x509_privkey_t?

    /// Reads the key in PEM format, or creates a new key if `pem` is `nil`.
    init(pem: [UInt8]? = nil, or error: (String) -> TLSError = TLSError.notMade) throws(TLSError) {
        try check(gnutls_x509_privkey_init(&handle))
        if let pem {
            try withDatum(pem, or: error) { gnutls_x509_privkey_import(handle, $0, GNUTLS_X509_FMT_PEM) }
        } else {
            // The macro GNUTLS_CURVE_TO_BITS, which Swift cannot import.
            let curve = 1 << 31 | UInt32(GNUTLS_ECC_CURVE_SECP256R1.rawValue)
            try check(gnutls_x509_privkey_generate(handle, GNUTLS_PK_ECDSA, curve, 0))
        }
    }

    deinit { gnutls_x509_privkey_deinit(handle) }

    func pem() throws(TLSError) -> [UInt8] {
        try exported { gnutls_x509_privkey_export(handle, GNUTLS_X509_FMT_PEM, $0, $1) }
    }
}

/// Throws `error` with the explanation of GnuTLS if `result` is an error code.
func check(_ result: Int32, or error: (String) -> TLSError = TLSError.notMade) throws(TLSError) {
    guard result >= 0 else { throw error(String(cString: gnutls_strerror(result))) }
}

/// Passes bytes to a function of GnuTLS.
func withDatum(
    _ bytes: [UInt8], or error: (String) -> TLSError = TLSError.notMade,
    _ body: (UnsafePointer<gnutls_datum_t>) -> Int32
) throws(TLSError) {
    var bytes = bytes
    let result = bytes.withUnsafeMutableBufferPointer { buffer in
        var datum = gnutls_datum_t(data: buffer.baseAddress, size: UInt32(buffer.count))
        return body(&datum)
    }
    try check(result, or: error)
}

/// Returns the data that `body` writes into a buffer by calling a GnuTLS function.
///
/// The certificates and keys of this module are far shorter than the buffer.
private func exported(_ body: (UnsafeMutableRawPointer, UnsafeMutablePointer<Int>) -> Int32) throws(TLSError) -> [UInt8]
{
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var count = bytes.count
    try check(bytes.withUnsafeMutableBytes { body($0.baseAddress!, &count) })
    return Array(bytes[..<count])
}
