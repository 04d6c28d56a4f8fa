// The context of a request.

public import Hummingbird
import HummingbirdCore
import NIOCore
public import PrintIPP
public import AsyncPrimitives

/// The context of a request to an `IPPServer`, for its additional routes.
public struct IPPRequestContext: RequestContext {
    /// The data that Hummingbird keeps for each request.
    public var coreContext: CoreRequestContextStorage
    /// The sender of the request.
    public internal(set) var peer: Peer
    /// The signal that fires when no client waits for the response any more.
    public internal(set) var hangUp = Signal()
    let channel: any Channel

    /// Creates the context of a request from the source's channel.
    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        peer = .tcp(address: "", port: 0)
    }
}
