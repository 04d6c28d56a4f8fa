// The routes of the Print Center.

import AsyncPrimitives
package import HTTPTypes
package import IPPServer
package import PrintIPP

/// A route: the method, path, access rule and handler for one kind of request.
///
///     Route(.post, "/api/v1/jobs/:id/cancel", .provenOwner, "Cancels a job.") { call in … }
package struct Route: Sendable {
    /// The requirement that the sender of a request must meet.
    package enum Access: String, Sendable, CaseIterable {
        /// Access for senders that have a session or use the Unix socket.
        case session
        /// Access for all senders, including senders without a session.
        case `public`
        /// Access for senders that use the Unix socket.
        case unixSocket
    }

    /// The handler that responds to requests of the route.
    enum Handler: Sendable {
        case call(@Sendable (Call) async throws -> WebAnswer)
        case visit(@Sendable (Visit) async throws -> WebAnswer)
    }

    package let method: HTTPRequest.Method
    /// The path of the route.
    ///
    /// Segments that begin with a colon are parameters.
    package let path: String
    /// The requirement that the sender of a request must meet.
    package let access: Access
    /// The rule that determines who is allowed to use the route: a row of the access table of the API.
    ///
    /// The server refuses users whom the rule refuses for all objects. The handler compares the user with the owner of
    /// the object.
    package let rule: AccessRule
    /// A description of the effect of a request, in one sentence.
    package let summary: String
    /// Whether the route returns a page for people, to which pages of other sites may have links.
    let isPage: Bool
    let handler: Handler
    let segments: [String]

    private init(
        _ method: HTTPRequest.Method, _ path: String, _ access: Access, _ rule: AccessRule, _ summary: String,
        isPage: Bool = false, _ handler: Handler
    ) {
        (self.method, self.path, self.access, self.rule) = (method, path, access, rule)
        (self.summary, self.isPage, self.handler) = (summary, isPage, handler)
        segments = Self.segments(of: path)
    }

    /// Creates a route for authenticated users.
    package init(
        _ method: HTTPRequest.Method, _ path: String, _ rule: AccessRule, _ summary: String,
        handler: @escaping @Sendable (Call) async throws -> WebAnswer
    ) {
        self.init(method, path, .session, rule, summary, .call(handler))
    }

    /// Creates a route for users on the Unix socket.
    package static func onUnixSocket(
        _ method: HTTPRequest.Method, _ path: String, _ rule: AccessRule, _ summary: String,
        handler: @escaping @Sendable (Call) async throws -> WebAnswer
    ) -> Route {
        Route(method, path, .unixSocket, rule, summary, .call(handler))
    }

    /// Creates a GET route for all senders, including senders without a session.
    package static func open(
        _ path: String, _ summary: String, handler: @escaping @Sendable (Visit) async throws -> WebAnswer
    ) -> Route {
        Route(.get, path, .public, .everyone, summary, .visit(handler))
    }

    /// Creates a POST route for the form of a page for people without a session.
    package static func form(
        _ path: String, _ summary: String, handler: @escaping @Sendable (Visit) async throws -> WebAnswer
    ) -> Route {
        Route(.post, path, .public, .everyone, summary, .visit(handler))
    }

    /// Creates a GET route that returns a page for people, including people without a session.
    ///
    /// If `rule` refuses people without a session, the page asks them to sign in.
    package static func page(
        _ path: String, _ rule: AccessRule, _ summary: String,
        handler: @escaping @Sendable (Visit) async throws -> WebAnswer
    ) -> Route {
        Route(.get, path, .public, rule, summary, isPage: true, .visit(handler))
    }

    /// Returns the permission of a requester for an object with the given ownership.
    ///
    /// An anonymous requester has no session.
    package func permission(of requester: RequesterKind, _ ownership: Ownership) -> Permission {
        requester == .anonymous && access != .public ? .refused : rule.permission(of: requester, ownership)
    }

    /// The route with a handler that may block, because the handler or the body of its response reads or writes files.
    var onBlockingThreads: Route {
        guard case .call(let handle) = handler else { return self }
        return Route(
            method, path, access, rule, summary, isPage: isPage,
            .call { call in
                var answer = try await withTaskExecutorPreference(BlockingThreads.shared) { try await handle(call) }
                if case .stream(let length, let produce) = answer.body {
                    answer.body = .stream(length: length) { send in
                        try await withTaskExecutorPreference(BlockingThreads.shared) { try await produce(send) }
                    }
                }
                return answer
            })
    }

    /// Returns the values of the path parameters; nil if the path does not match the route.
    func parameters(in path: [String]) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (segment, given) in zip(segments, path) {
            if segment.hasPrefix(":") {
                guard !given.isEmpty else { return nil }
                values[String(segment.dropFirst())] = given
            } else if segment != given {
                return nil
            }
        }
        return values
    }

    /// Returns the segments of a URL path: `/a/b` has the segments `a` and `b`.
    static func segments(of path: String) -> [String] {
        path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }
}

/// A table that finds the route of a request.
struct RouteTable: Sendable {
    /// All routes in search order.
    ///
    /// A path without parameters precedes a path with parameters.
    let routes: [Route]

    /// The route that matches a path, with the values of the path parameters.
    struct Match {
        let route: Route
        let parameters: [String: String]
    }

    /// The result of the search for a route.
    enum Result {
        case found(Match)
        /// A path that matches only routes with other methods. The value contains these methods.
        case otherMethods([HTTPRequest.Method])
        case nothing
    }

    init(_ routes: [Route]) {
        // A literal segment is more specific than a parameter.
        self.routes = routes.sorted { a, b in
            a.segments.count { $0.hasPrefix(":") } < b.segments.count { $0.hasPrefix(":") }
        }
    }

    func contains(_ method: HTTPRequest.Method, _ path: String) -> Bool {
        if case .found = route(method, path) { true } else { false }
    }

    func route(_ method: HTTPRequest.Method, _ path: String) -> Result {
        let segments = Route.segments(of: path)
        var others: [HTTPRequest.Method] = []
        for route in routes {
            guard let parameters = route.parameters(in: segments) else { continue }
            if route.method == method || (method == .head && route.method == .get) {
                return .found(Match(route: route, parameters: parameters))
            }
            others.append(route.method)
        }
        return others.isEmpty ? .nothing : .otherMethods(others)
    }
}
