// The other end of TLS, for those who look after a server of this machine.

public import NIOCore
import NIOSSL

/// TLS as a client that takes any certificate: whoever looks after a printer wants in when its certificate is wrong, too.
///
///     let client = IPPClient(address: address, front: try UncheckedTLS().stand)
///
/// It keeps listeners out, and no impostors. It is not for documents that go to a printer elsewhere.
public struct UncheckedTLS: Sendable {
    private let context: NIOSSLContext

    /// TLS 1.2 or later.
    ///
    /// - Throws: what BoringSSL says when it cannot be set up.
    public init() throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.certificateVerification = .none
        configuration.minimumTLSVersion = .tlsv12
        context = try NIOSSLContext(configuration: configuration)
    }

    /// Stands in front of a connection's HTTP; to be called on its event loop.
    public func stand(before channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandler(NIOSSLClientHandler(context: context, serverHostname: nil))
    }
}
