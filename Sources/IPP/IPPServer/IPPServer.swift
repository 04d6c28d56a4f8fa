// IPP over HTTP/1.1, on Unix sockets and TCP.
//
// A request's way in: `ConnectionGuard` sees every HTTP part first and keeps the clock; `RequestFilter` checks who may
// knock (Host, method, type); `IPPConnection` reads the attributes and hands them, with the document as a stream, to the
// responder, whose answer `IPPAnswerWriter` sends. What is no IPP goes on to Hummingbird (`RouteResponder`). Nothing here
// knows what a printer is.

public import Hummingbird
import HummingbirdCore
public import Logging
import NIOCore
public import PrintIPP
public import ServiceLifecycle

/// Serves IPP on one or several addresses until it is asked to stop.
///
///     let server = IPPServer(
///         configuration: .init(listeners: [.unix(path: "printd.sock"), .tcp(host: "127.0.0.1", port: 8631)]),
///         responder: operations)
///     try await server.run()
///
/// A POST of `application/ipp` to any path is an IPP request. What else there is to serve (pages, icons) is added as
/// `routes`. On TCP the `Host` header must name this machine, so that no web page can talk to the server by rebinding
/// its own name to a local address.
public struct IPPServer: Service {
    private let configuration: Configuration
    private let responder: any IPPResponder
    private let logger: Logger
    private let routes: RouterResponder<IPPRequestContext>
    private let onListening: @Sendable ([ListenAddress]) async -> Void

    /// A server that gives every IPP request to `responder`.
    ///
    /// - Parameters:
    ///   - configuration: Addresses, deadlines and limits.
    ///   - responder: What answers IPP requests.
    ///   - logger: Where refused and broken requests are noted.
    ///   - pages: What browsers are shown.
    ///   - routes: Adds what else is served beside IPP.
    ///   - onListening: Called once, when clients can connect to every address; TCP ports are the real ones, the
    ///     order is that of the configuration.
    public init(
        configuration: Configuration,
        responder: any IPPResponder,
        logger: Logger = Logger(label: "ipp-server"),
        pages: [WebPage] = [],
        routes: (Router<IPPRequestContext>) -> Void = { _ in },
        onListening: @escaping @Sendable ([ListenAddress]) async -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.responder = responder
        self.logger = logger
        self.onListening = onListening
        let router = Router(context: IPPRequestContext.self)
        for page in pages { page.add(to: router) }
        routes(router)
        self.routes = router.buildResponder()
    }

    /// Listens and serves until graceful shutdown or cancellation; throws `IPPServerError` when it cannot.
    ///
    /// At graceful shutdown no more connections are accepted, and requests in progress have
    /// `Deadlines.shutdown` to end.
    public func run() async throws {
        let filter = RequestFilter(
            hosts: HostRule(alsoAllowed: configuration.hostNames, listeners: configuration.listeners),
            requiresTLS: configuration.requiresTLS)
        let limits = configuration.limits
        let endpoint = IPPEndpoint(
            responder: responder, filter: filter, limits: limits,
            memory: RequestMemory(most: limits.attributeBytesInAll, perPeer: limits.attributeBytesPerPeer),
            logger: logger)
        // No client gets more than half of the places, however few there are.
        let places = min(limits.connections, OpenFiles.connections)
        let connections = ConnectionTable(most: min(limits.connectionsPerPeer, max(2, places / 2)), logger: logger)
        let roll = ListenerTable(count: configuration.listeners.count, whenComplete: onListening)
        let listeners = configuration.listeners.enumerated().map { index, address in
            Listener(
                address: address, configuration: configuration, endpoint: endpoint,
                routes: RouteResponder(routes: routes), roll: connections, logger: logger,
                onListening: { await roll.note($0, at: index) })
        }
        try await withThrowingTaskGroup { group in
            for listener in listeners {
                group.addTask { try await listener.run() }
            }
            try await group.waitForAll()
        }
    }
}

/// Waits until every listener has its address.
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
