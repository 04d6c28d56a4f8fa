// TLS before the HTTP of an `IPPServer`.
//
//   client ──first byte──► FirstBytes ──0x16──► NIOSSLServerHandler ──► HTTP
//                              └──anything else─────────────────────► HTTP
//
// The certificate and its key are a `TLSIdentity`: from files, or made by the program itself with GnuTLS. BoringSSL, which
// speaks TLS here, is in no other module; what it cannot do through NIOSSL is write a certificate.

public import NIOCore

/// Lets clients speak TLS on the same port as plain HTTP, as cupsd and printers do.
///
///     var configuration = IPPServer.Configuration(listeners: [.tcp(host: "127.0.0.1", port: 8631)])
///     configuration.front = TLSFront(try TLSIdentity.kept(in: folder, for: .thisMachine)).stand
///
/// The first byte of a connection tells: 0x16 begins a handshake, a letter a request. A client that began plainly may ask
/// for TLS with `OPTIONS *` and `Upgrade: TLS/…` (RFC 2817 §3.2), as CUPS does where encryption is required on `ipp:`. The
/// server's deadlines go on as without TLS: until the first header has come whole, the one for it runs.
public struct TLSFront: Sendable {
    let identity: TLSIdentity
    /// Asked before each handshake how it shall go; nil when all are proper.
    let plan: (@Sendable () async -> Handshake)?

    /// How a handshake goes; only for tests of clients is it anything but proper.
    public enum Handshake: Sendable {
        /// As it should.
        case proper
        /// With another certificate.
        case with(TLSIdentity)
        /// Not at all: a fatal alert of that number (RFC 8446 §6), 40 for handshake_failure, and the connection is closed.
        case alert(UInt8)
        /// As it should, but no byte is answered before the closure returns.
        case after(@Sendable () async -> Void)
    }

    /// TLS with a certificate.
    ///
    /// - Parameter plan: asked before each handshake how it shall go.
    public init(_ identity: TLSIdentity, plan: (@Sendable () async -> Handshake)? = nil) {
        (self.identity, self.plan) = (identity, plan)
    }

    /// Stands in front of a connection's HTTP (`IPPServer.Configuration.front`); to be called on its event loop.
    public func stand(before channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandler(FirstBytes(of: self))
    }
}
