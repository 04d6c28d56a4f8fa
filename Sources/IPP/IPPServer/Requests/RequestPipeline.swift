// The order of requests on a connection. Uses no socket.

/// The order of the requests of one connection.
///
/// The connection serves one request at a time, even if the client pipelines requests.
///
/// A request is current until its last byte has arrived and its response has ended.
struct RequestPipeline {
    /// The component that serves a request.
    enum Server { case ipp, routes }

    /// The component that serves the current request, or `nil` if there is no current request.
    private(set) var server: Server?
    /// Whether the connection expects more data of the current request.
    private(set) var isReceiving = false
    private var isAnswering = false

    /// Whether the next request can begin.
    var isFree: Bool { server == nil }
    /// Whether the next received data can belong to the current request or begin a new request.
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
