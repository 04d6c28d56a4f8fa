// What is known about a request beside its bytes.

public import Hummingbird
import HummingbirdCore
import NIOCore
public import PrintIPP
public import AsyncPrimitives

/// The context of a request to an `IPPServer`, for its additional routes.
public struct IPPRequestContext: RequestContext {
    /// What Hummingbird keeps with each request.
    public var coreContext: CoreRequestContextStorage
    /// Who sent the request.
    public internal(set) var peer: Peer
    /// Rings when nobody waits for the answer any more.
    public internal(set) var hangUp = Signal()
    let channel: any Channel

    /// The context of a request that came over the source's channel.
    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
        peer = .tcp(address: "", port: 0)
    }
}
