// TLS for an `IPPServer`, before its HTTP.
//
//   client ──first byte──► FirstBytes ──0x16──► TLSHandler ──► HTTP
//                              └──anything else────────────► HTTP
//
// The certificate and its key are a `TLSIdentity`: read from files, or created by the program. `TLSSession` is the
// protocol, over GnuTLS; `TLSHandler` connects it to the channel.

package import NIOCore

/// A TLS front: the part of a server that accepts TLS on the same port as plain HTTP, as cupsd and printers do.
///
///     var configuration = IPPServer.Configuration(listeners: [.tcp(host: "127.0.0.1", port: 8631)])
///     configuration.channelSetup = OptionalTLS(try TLSIdentity(certificateFile: "a.crt", keyFile: "a.key")).stand
///
/// The first byte of a connection selects the protocol: 0x16 begins a handshake, and a letter begins a request. A
/// client that began with plain HTTP can request TLS with `OPTIONS *` and `Upgrade: TLS/…` (RFC 2817 §3.2). CUPS
/// clients send this request if an `ipp:` connection requires encryption. The server's deadlines also apply to TLS: the
/// deadline for the first header includes the handshake.
public struct OptionalTLS: Sendable {
    let identity: @Sendable () -> TLSIdentity
    /// The function that is called before each handshake, and returns the way in which the server performs the
    /// handshake.
    ///
    /// If the property is `nil`, all handshakes are normal handshakes.
    let plan: (@Sendable () async -> Handshake)?

    /// The way in which the server performs a handshake.
    ///
    /// All cases except `proper` exist for tests of clients.
    public enum Handshake: Sendable {
        case proper
        /// A handshake with the given certificate instead of the server's usual certificate.
        case with(TLSIdentity)
        /// A fatal alert with the given number instead of a handshake (RFC 8446 §6; 40 is handshake_failure).
        ///
        /// The connection then closes.
        case alert(UInt8)
        /// A normal handshake that is delayed: the server sends its first message after the closure has returned.
        case after(@Sendable () async -> Void)
    }

    /// Creates a TLS front with a certificate.
    ///
    /// - Parameter plan: A function that is called before each handshake, and returns the way in which the server
    ///   performs the handshake. `nil` means normal handshakes.
    package init(_ identity: TLSIdentity, plan: (@Sendable () async -> Handshake)? = nil) {
        self.init(identity: { identity }, plan: plan)
    }

    /// Creates a TLS front whose certificate can change while the server runs.
    ///
    /// - Parameter identity: A function that returns the certificate for the next connection, without blocking.
    package init(
        identity: @escaping @Sendable () -> TLSIdentity, plan: (@Sendable () async -> Handshake)? = nil
    ) {
        (self.identity, self.plan) = (identity, plan)
    }

    /// Adds TLS before the HTTP handlers of a connection (`IPPServer.Configuration.channelSetup`).
    ///
    /// Call this method on the channel's event loop.
    package func stand(before channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandler(FirstBytes(of: self))
    }
}
