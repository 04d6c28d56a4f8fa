// IPP over HTTP/1.1, on Unix sockets and TCP.
//
// The path of a request: `ConnectionGuard` receives every HTTP part first and enforces the deadlines. `RequestFilter`
// checks the host, the method and the media type. `IPPConnection` reads the attributes and passes them to the
// responder, with the document as a stream. Requests other than IPP go to `WebResponder`. `AnswerWriter` sends the
// response. This module contains no knowledge about printers.

package import Logging
import NIOCore
package import PrintIPP
public import ServiceLifecycle

/// A server that serves IPP on one or more addresses until the server is asked to stop.
///
///     let server = IPPServer(
///         configuration: .init(listeners: [.unix(path: "printd.sock"), .tcp(host: "127.0.0.1", port: 8631)]),
///         responder: operations)
///     try await server.run()
///
/// A POST of `application/ipp` to any path is an IPP request. `pages` and `content` add other content, such as web pages and icons.
/// On TCP, the `Host` header must contain a name of this machine. This check protects against DNS rebinding. With DNS
/// rebinding, a web page reaches a local server by pointing the page's host name to a local address.
public struct IPPServer: Service {
    private let configuration: Configuration
    private let responder: any IPPResponder
    private let logger: Logger
    private let web: WebResponder
    private let onListening: @Sendable ([ListenAddress]) async -> Void

    /// Creates a server that passes every IPP request to `responder`.
    ///
    /// - Parameters:
    ///   - logger: The logger for rejected and malformed requests.
    ///   - content: A closure that returns the response to a request other than IPP for which there is no web page. The
    ///     closure returns `nil` if the server has no such path.
    ///   - onListening: A closure that is called one time, when clients can connect to every address. The closure
    ///     receives the addresses with the actual TCP ports, in the order of the configuration.
    package init(
        configuration: Configuration,
        responder: any IPPResponder,
        logger: Logger = Logger(label: "ipp-server"),
        pages: [WebPage] = [],
        content: @escaping @Sendable (WebRequest) async -> WebAnswer? = { _ in nil },
        onListening: @escaping @Sendable ([ListenAddress]) async -> Void = { _ in }
    ) {
        (self.configuration, self.responder) = (configuration, responder)
        (self.logger, self.onListening) = (logger, onListening)
        web = WebResponder(pages: pages, content: content)
    }

    /// Listens, and serves requests until graceful shutdown or cancellation.
    ///
    /// At graceful shutdown, the server accepts no more connections. Requests in progress must end within
    /// `Deadlines.shutdown`.
    ///
    /// - Throws: `IPPServerError` if the server cannot listen or stops unexpectedly.
    public func run() async throws {
        let filter = RequestFilter(
            hosts: HostRule(alsoAllowed: configuration.hostNames, listeners: configuration.listeners),
            requiresTLS: configuration.requiresTLS)
        let limits = configuration.limits
        let endpoint = IPPEndpoint(
            responder: responder, web: web, filter: filter, limits: limits,
            memory: RequestMemory(most: limits.attributeBytesInAll, perPeer: limits.attributeBytesPerPeer),
            logger: logger)
        // A client gets at most half of the connections, even if the total number is small.
        let places = min(limits.connections, OpenFiles.connections)
        let connections = ConnectionTable(
            most: min(limits.connectionsPerPeer, max(2, places / 2)), admits: configuration.admits, logger: logger)
        let table = ListenerTable(count: configuration.listeners.count, whenComplete: onListening)
        let listeners = configuration.listeners.enumerated().map { index, address in
            Listener(
                address: address, configuration: configuration, endpoint: endpoint, connections: connections,
                logger: logger,
                onListening: { await table.note($0, at: index) })
        }
        try await withThrowingTaskGroup { group in
            for listener in listeners {
                group.addTask { try await listener.run() }
            }
            try await group.waitForAll()
        }
    }
}

/// A table of the addresses of all listeners.
///
/// When every listener has an address, the table calls a closure.
private actor ListenerTable {
    private var bound: [ListenAddress?]
    private let whenComplete: @Sendable ([ListenAddress]) async -> Void

    init(count: Int, whenComplete: @escaping @Sendable ([ListenAddress]) async -> Void) {
        bound = .init(repeating: nil, count: count)
        self.whenComplete = whenComplete
    }

    func note(_ address: ListenAddress, at index: Int) async {
        bound[index] = address
        let all = bound.compactMap(\.self)
        if all.count == bound.count { await whenComplete(all) }
    }
}
