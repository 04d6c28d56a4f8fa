// TLS with GnuTLS on a connected socket.

import CGnuTLS
import Glibc

/// The client's end of a TLS connection on a non-blocking socket.
final class TLSClientSession {
    private var handle: gnutls_session_t?
    private var credentials: gnutls_certificate_credentials_t?
    private let host: String
    private let socket: Int32

    /// The time limit for the handshake, in milliseconds.
    private static let timeout: UInt32 = 10_000

    init(socket: Int32, host: String) throws(TunnelFailure) {
        (self.socket, self.host) = (socket, host)
        try check(gnutls_certificate_allocate_credentials(&credentials))
        // Without the authorities of the system, only pinned keys are trusted.
        gnutls_certificate_set_x509_system_trust(credentials)
        let flags = GNUTLS_CLIENT.rawValue | GNUTLS_NONBLOCK.rawValue | GNUTLS_NO_SIGNAL.rawValue
        try check(gnutls_init(&handle, flags))
        try check(gnutls_priority_set_direct(handle, "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2", nil))
        try check(gnutls_credentials_set(handle, GNUTLS_CRD_CERTIFICATE, credentials.map { .init($0) }))
        var numeric = in6_addr()
        if inet_pton(AF_INET, host, &numeric) != 1, inet_pton(AF_INET6, host, &numeric) != 1 {
            try check(gnutls_server_name_set(handle, GNUTLS_NAME_DNS, host, host.utf8.count))
        }
        gnutls_transport_set_int2(handle, socket, socket)
        gnutls_handshake_set_timeout(handle, Self.timeout)
    }

    deinit {
        gnutls_deinit(handle)
        gnutls_certificate_free_credentials(credentials)
    }

    func shakeHands() throws(TunnelFailure) {
        while true {
            let code = gnutls_handshake(handle)
            if code == GNUTLS_E_SUCCESS { return }
            guard code == GNUTLS_E_AGAIN || code == GNUTLS_E_INTERRUPTED else {
                if gnutls_error_is_fatal(code) == 0 { continue }
                throw TunnelFailure(reason: "TLS: \(String(cString: gnutls_strerror(code)))")
            }
            var waiting = pollfd(
                fd: socket, events: Int16(gnutls_record_get_direction(handle) == 0 ? POLLIN : POLLOUT), revents: 0)
            guard poll(&waiting, 1, Int32(Self.timeout)) > 0 else {
                throw TunnelFailure(reason: "the server does not respond to the TLS handshake")
            }
        }
    }

    /// Returns whether the server has the pinned key, or a certificate of an authority for the name of the server.
    func isTrusted(forKey pinned: String?) -> Bool {
        if let pinned, !key.isEmpty, key == pinned.lowercased() { return true }
        var status: UInt32 = 0
        return gnutls_certificate_verify_peers3(handle, host, &status) == GNUTLS_E_SUCCESS && status == 0
    }

    /// The SHA-256 hash of the server's public key, in hexadecimal digits; empty without a certificate.
    var key: String {
        withCertificate { certificate in
            var (hash, count) = ([UInt8](repeating: 0, count: 32), 32)
            let code = gnutls_x509_crt_get_key_id(certificate, GNUTLS_KEYID_USE_SHA256.rawValue, &hash, &count)
            return code == GNUTLS_E_SUCCESS ? Self.digits(hash) : ""
        }
    }

    /// The SHA-256 fingerprint of the server's certificate, in hexadecimal digits; empty without a certificate.
    var fingerprint: String {
        withCertificate { certificate in
            var (hash, count) = ([UInt8](repeating: 0, count: 32), 32)
            let code = gnutls_x509_crt_get_fingerprint(certificate, GNUTLS_DIG_SHA256, &hash, &count)
            return code == GNUTLS_E_SUCCESS ? Self.digits(hash) : ""
        }
    }

    private func withCertificate(_ body: (gnutls_x509_crt_t) -> String) -> String {
        var count: UInt32 = 0
        var certificate: gnutls_x509_crt_t?
        guard let list = gnutls_certificate_get_peers(handle, &count), count > 0,
            gnutls_x509_crt_init(&certificate) == GNUTLS_E_SUCCESS, let certificate
        else { return "" }
        defer { gnutls_x509_crt_deinit(certificate) }
        return gnutls_x509_crt_import(certificate, list, GNUTLS_X509_FMT_DER) == GNUTLS_E_SUCCESS
            ? body(certificate) : ""
    }

    private static func digits(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    // MARK: - Data

    /// The result of a step that does not wait.
    enum Step {
        case bytes(Int)
        /// The step must be repeated when the socket is ready.
        case wait
        case end
    }

    /// The number of bytes that were received and decrypted, but not taken.
    var pending: Int { gnutls_record_check_pending(handle) }

    func receive(into space: UnsafeMutableRawBufferPointer) -> Step {
        step(gnutls_record_recv(handle, space.baseAddress, space.count))
    }

    /// Sends bytes; after `wait`, the call must be repeated with the same bytes.
    func send(_ bytes: UnsafeRawBufferPointer) -> Step {
        step(gnutls_record_send(handle, bytes.baseAddress, bytes.count))
    }

    /// Tells the server that the connection ends.
    func finish() { gnutls_bye(handle, GNUTLS_SHUT_WR) }

    private func step(_ result: Int) -> Step {
        if result > 0 { return .bytes(result) }
        if result < 0, gnutls_error_is_fatal(Int32(result)) == 0 { return .wait }
        return .end
    }

    private func check(_ code: Int32) throws(TunnelFailure) {
        guard code == GNUTLS_E_SUCCESS else {
            throw TunnelFailure(reason: "TLS is unavailable: \(String(cString: gnutls_strerror(code)))")
        }
    }
}
