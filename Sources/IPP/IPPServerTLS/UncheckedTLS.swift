// TLS for clients that administer a server on this machine.

public import NIOCore
import NIOSSL

/// TLS for a client that accepts any certificate, so that a printer with a wrong certificate can be administered.
///
///     let client = IPPClient(address: address, front: try UncheckedTLS().stand)
///
/// This connection is protected against eavesdropping but not against impostors. Do not use it to send documents to a
/// remote printer.
public struct UncheckedTLS: Sendable {
    private let context: NIOSSLContext

    /// Creates a client front for TLS 1.2 and later.
    ///
    /// - Throws: The error of BoringSSL if its setup fails.
    public init() throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.minimumTLSVersion = .tlsv12
        context = try NIOSSLContext(configuration: configuration)
    }

    /// Adds TLS before the HTTP of a connection.
    ///
    /// Call this method on the channel's event loop.
    public func stand(before channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandler(NIOSSLClientHandler(context: context, serverHostname: nil))
    }
}
