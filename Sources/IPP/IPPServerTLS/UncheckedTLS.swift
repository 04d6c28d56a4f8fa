// TLS for clients that administer a server on this machine.

package import NIOCore

/// TLS for a client that accepts any certificate.
///
/// With this client, a user can administer a printer whose certificate is not valid.
///
///     let client = IPPClient(address: address, channelSetup: try UncheckedTLS().stand)
///
/// A connection of this client is protected against eavesdropping, but not against impostors. Do not send documents to
/// a remote printer over such a connection.
public struct UncheckedTLS: Sendable {
    private let settings: TLSSettings

    /// Creates the settings of a TLS client, for TLS 1.2 and later.
    ///
    /// - Throws: `notMade` if GnuTLS rejects the settings.
    package init() throws(TLSError) { settings = try TLSSettings() }

    /// Adds TLS before the HTTP handlers of a connection.
    ///
    /// Call this method on the channel's event loop.
    package func stand(before channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandler(TLSHandler(TLSSession(.client, settings: settings)))
    }
}
