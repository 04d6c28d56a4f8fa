// Whose turn it is on a connection. No socket.

/// The order of the requests of one connection: one at a time, however many a client sends without waiting.
///
/// A request has its turn until its last byte has come and its answer has ended, whichever is later.
struct RequestPipeline {
    /// Who serves a request.
    enum Server { case ipp, routes }

    /// Who serves the request whose turn it is; nil when it is nobody's.
    private(set) var server: Server?
    /// Whether more of it is to come.
    private(set) var isReceiving = false
    private var isAnswering = false

    /// Whether the next request may begin.
    var isFree: Bool { server == nil }
    /// Whether what comes now belongs to the request whose turn it is, or may begin one.
    var takesMore: Bool { isFree || isReceiving }

    mutating func begin(_ server: Server) { (self.server, isReceiving, isAnswering) = (server, true, true) }

    mutating func received() {
        isReceiving = false
        if !isAnswering { server = nil }
    }

    mutating func answered() {
        isAnswering = false
        if !isReceiving { server = nil }
    }
}
