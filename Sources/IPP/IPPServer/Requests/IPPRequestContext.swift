// The context of a request.

public import Hummingbird
import HummingbirdCore
import NIOCore
public import PrintIPP
public import AsyncPrimitives

/// The context of a request, for the additional routes of an `IPPServer`.
public struct IPPRequestContext: RequestContext {
    /// The data that Hummingbird keeps for each request.
    public var coreContext: CoreRequestContextStorage
    /// The sender of the request.
    public internal(set) var peer: Peer
    /// Whether the connection is encrypted.
    public internal(set) var isEncrypted = false
    /// The signal that fires when no client waits for the response anymore.
    public internal(set) var hangUp = Signal()
    let channel: any Channel

    /// Closes the connection without sending a response.
    public func disconnect() async { try? await channel.close() }

    /// Creates the context of a request on the channel of `source`.
    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        peer = .tcp(address: "", port: 0)
    }
}
