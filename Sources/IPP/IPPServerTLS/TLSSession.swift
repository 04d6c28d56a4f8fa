// One end of a TLS connection, over GnuTLS. Uses no socket.

import CGnuTLS
import Glibc
import NIOCore

/// One end of a TLS connection: converts plaintext to the records on the network, and records to plaintext.
///
/// The session reads from a buffer that the caller fills (``feed(_:)``), and writes to a buffer that the caller empties
/// (``takeOutput()``). GnuTLS stores at most one incomplete record and one incomplete message of a handshake.
///
/// A session belongs to one event loop.
final class TLSSession {
    /// The end of the connection that the session serves.
    enum Side { case server, client }

    private let settings: TLSSettings
    private var handle: gnutls_session_t?
    private var input = ByteBuffer()
    private var output = ByteBuffer()

    /// The number of bytes that have arrived since the last plaintext.
    private var silent = 0

    /// The maximum number of bytes that can arrive without plaintext.
    ///
    /// GnuTLS would store a message of a handshake of up to 16 MiB. Real handshakes have a few KiB.
    private static let longestSilence = 128 << 10

    /// Creates a session with new keys.
    ///
    /// - Parameter protocols: The application protocols that the server supports (ALPN, RFC 7301).
    /// - Throws: `TLSFailure` if GnuTLS cannot create a session.
    init(_ side: Side, settings: TLSSettings, protocols: [String] = []) throws(TLSFailure) {
        self.settings = settings
        // Without tickets, every connection has new keys, and no key of the server decrypts earlier connections.
        let flags = GNUTLS_NONBLOCK.rawValue | GNUTLS_NO_SIGNAL.rawValue | GNUTLS_NO_TICKETS.rawValue
        let end = side == .server ? GNUTLS_SERVER.rawValue : GNUTLS_CLIENT.rawValue
        try check(gnutls_init(&handle, flags | end))
        try check(gnutls_priority_set(handle, settings.priority))
        try check(gnutls_credentials_set(handle, GNUTLS_CRD_CERTIFICATE, settings.credentials.map { .init($0) }))
        for name in protocols {
            var bytes = Array(name.utf8)
            let count = UInt32(bytes.count)
            try check(
                bytes.withUnsafeMutableBufferPointer { bytes in
                    var datum = gnutls_datum_t(data: bytes.baseAddress, size: count)
                    return gnutls_alpn_set_protocols(handle, &datum, 1, 0)
                })
        }
        // GnuTLS calls these functions only during a call of this object's methods, so the object exists.
        gnutls_transport_set_ptr(handle, Unmanaged.passUnretained(self).toOpaque())
        gnutls_transport_set_push_function(handle) { session, bytes, count in
            Unmanaged<TLSSession>.fromOpaque(session!).takeUnretainedValue().push(bytes, count)
        }
        gnutls_transport_set_pull_function(handle) { session, space, count in
            Unmanaged<TLSSession>.fromOpaque(session!).takeUnretainedValue().pull(space, count)
        }
    }

    deinit { gnutls_deinit(handle) }

    // MARK: - Buffers

    /// The number of received bytes that GnuTLS has not read.
    var unread: Int { input.readableBytes }

    func feed(_ bytes: ByteBuffer) {
        silent += bytes.readableBytes
        if input.readableBytes == 0 { input = bytes } else { input.writeImmutableBuffer(bytes) }
    }

    func takeOutput() -> ByteBuffer {
        defer { output = ByteBuffer() }
        return output
    }

    private func push(_ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        output.writeBytes(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    private func pull(_ space: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        let space = UnsafeMutableRawBufferPointer(start: space, count: min(count, input.readableBytes))
        guard space.count > 0 else {
            gnutls_transport_set_errno(handle, EAGAIN)
            return -1
        }
        input.readWithUnsafeReadableBytes { bytes in
            space.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<space.count]))
            return space.count
        }
        // A buffer without unread bytes occupies memory for as long as the connection is idle.
        if input.readableBytes == 0 { input = ByteBuffer() }
        return space.count
    }

    // MARK: - Protocol

    /// Continues the handshake with the bytes that have arrived.
    ///
    /// - Returns: Whether the handshake is complete.
    func shakeHands() throws(TLSFailure) -> Bool {
        while true {
            let before = unread
            let code = gnutls_handshake(handle)
            switch code {
            case GNUTLS_E_SUCCESS: return true
            case GNUTLS_E_AGAIN, GNUTLS_E_INTERRUPTED, GNUTLS_E_WARNING_ALERT_RECEIVED:
                if unread == 0 || unread == before { return try mustWait() }
            default: throw failure(code)
            }
        }
    }

    /// The application protocol that both ends support, or `nil` if the client named no such protocol.
    var applicationProtocol: String? {
        var datum = gnutls_datum_t()
        guard gnutls_alpn_get_selected_protocol(handle, &datum) == GNUTLS_E_SUCCESS else { return nil }
        return String(decoding: UnsafeBufferPointer(start: datum.data, count: Int(datum.size)), as: UTF8.self)
    }

    /// Decrypts the bytes that have arrived.
    ///
    /// - Parameter plaintext: The buffer to which the method adds the plaintext. If the method throws, the buffer
    ///   contains the plaintext that preceded the failure.
    /// - Returns: Whether the peer has ended its side of the connection (`close_notify`).
    func receive(into plaintext: inout ByteBuffer) throws(TLSFailure) -> Bool {
        while true {
            let before = unread
            var code = 0
            plaintext.writeWithUnsafeMutableBytes(minimumWritableBytes: 1024) { space in
                code = gnutls_record_recv(handle, space.baseAddress, space.count)
                return max(0, code)
            }
            switch Int32(truncatingIfNeeded: code) {
            case 0: return true
            case 1...: silent = unread
            // GnuTLS also returns this code after a message without plaintext, such as a new key.
            case GNUTLS_E_AGAIN, GNUTLS_E_INTERRUPTED, GNUTLS_E_WARNING_ALERT_RECEIVED:
                if unread == 0 || unread == before { return try mustWait() }
            // A request for renegotiation (GNUTLS_E_REHANDSHAKE) is also a failure: TLS 1.3 has no renegotiation, and
            // in TLS 1.2, clients could use renegotiation to keep the server busy.
            case let code: throw failure(code)
            }
        }
    }

    /// Returns false, because more bytes must arrive.
    ///
    /// - Throws: `TLSFailure` if too many bytes have arrived.
    private func mustWait() throws(TLSFailure) -> Bool {
        guard silent <= Self.longestSilence else { throw TLSFailure(code: GNUTLS_E_HANDSHAKE_TOO_LARGE) }
        return false
    }

    func send(_ bytes: ByteBuffer) throws(TLSFailure) {
        var rest = bytes
        if output.readableBytes == 0 {
            // A record adds 22 bytes to at most 16 KiB of plaintext, or somewhat more in CBC mode.
            output.reserveCapacity(rest.readableBytes + (rest.readableBytes >> 14 + 1) * 64)
        }
        while rest.readableBytes > 0 {
            let count = rest.withUnsafeReadableBytes { gnutls_record_send(handle, $0.baseAddress, $0.count) }
            guard count > 0 else { throw failure(Int32(truncatingIfNeeded: count)) }
            rest.moveReaderIndex(forwardBy: count)
        }
    }

    /// Ends this side of the connection (`close_notify`).
    func end() { gnutls_bye(handle, GNUTLS_SHUT_WR) }

    /// Sends the alert that tells the peer why the connection fails.
    ///
    /// Sends no alert if the peer has sent a fatal alert or has closed the connection.
    func sendAlert(for failure: TLSFailure) {
        switch failure.code {
        case GNUTLS_E_PREMATURE_TERMINATION: break
        case GNUTLS_E_REHANDSHAKE: gnutls_alert_send(handle, GNUTLS_AL_FATAL, GNUTLS_A_NO_RENEGOTIATION)
        case let code: gnutls_alert_send_appropriate(handle, code)
        }
    }

    private func check(_ code: Int32) throws(TLSFailure) {
        guard code >= 0 else { throw TLSFailure(code: code) }
    }

    private func failure(_ code: Int32) -> TLSFailure {
        let isAlert = code == GNUTLS_E_FATAL_ALERT_RECEIVED
        return TLSFailure(code: code, alert: isAlert ? gnutls_alert_get_name(gnutls_alert_get(handle)) : nil)
    }
}

/// The reason why a TLS connection failed.
struct TLSFailure: Error, CustomStringConvertible {
    let code: Int32
    /// The name of the alert with which the peer ended the connection, or `nil` if the peer sent no alert.
    var alert: String?

    init(code: Int32, alert: UnsafePointer<CChar>? = nil) {
        (self.code, self.alert) = (code, alert.map { String(cString: $0) })
    }

    /// The error for a connection that was closed without `close_notify`: data could be missing.
    static let truncated = TLSFailure(code: GNUTLS_E_PREMATURE_TERMINATION)

    var description: String {
        if let alert { return "the peer ended the TLS connection with the alert '\(alert)'" }
        return "TLS failed: \(String(cString: gnutls_strerror(code)))"
    }
}
