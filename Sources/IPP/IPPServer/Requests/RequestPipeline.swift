// The order of requests on a connection. Uses no socket.

/// The order of the requests of one connection.
///
/// The connection serves one request at a time, even if the client pipelines requests.
///
/// A request is current until its last byte has arrived and its response has ended.
struct RequestPipeline {
    /// Whether the connection expects more data of the current request.
    private(set) var isReceiving = false
    private var isAnswering = false

    var isFree: Bool { !isReceiving && !isAnswering }
    /// Whether the next received data can belong to the current request or begin a new request.
    var takesMore: Bool { isFree || isReceiving }

    mutating func begin() { (isReceiving, isAnswering) = (true, true) }

    mutating func received() { isReceiving = false }

    mutating func answered() { isAnswering = false }
}
