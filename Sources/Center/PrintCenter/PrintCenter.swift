// The Print Center: checks requests and passes them to the handlers of their routes.
//
// The path of a request: `PrintCenter+Server.swift` receives it from the HTTP server. `RequestCheck` checks the host
// and the origin. `RouteTable` finds the route. The session or the Unix socket proves the user. The handler receives a
// `Call`, which has no unchecked parts, and acts through `Spooler` as an IPP client of the same process.

import HTTPTypes
package import IPPServer
package import Logging
package import PrintIPP
package import PrintModel
import SpoolerClient

/// The web pages and the JSON API of `printd` and `printsim`.
///
/// `printd` has a second Print Center for clients on the network (``onNetwork(names:listeners:logins:)``).
package struct PrintCenter: Sendable {
    /// The properties of the server that offers the Print Center.
    package struct Configuration: Sendable {
        /// The name of the program: `printd` or `printsim`.
        package var service: String
        /// The name of the printer if the server has only one printer, which the Print Center then shows first.
        package var onlyPrinter: String?
        /// The host names of the server, in addition to `localhost` and the addresses of the loopback interface.
        package var hostNames: [String]
        /// The IP addresses that the server listens on.
        package var listeners: [ListenAddress]
        /// A closure that returns the URL of the web pages, such as `http://127.0.0.1:8631`.
        ///
        /// The closure opens a TCP port if the server has none (``CenterPort``). It throws if the server cannot open a
        /// port.
        package var address: Address

        /// A function that returns the URL of the web pages.
        package typealias Address = @Sendable () async throws(AddressError) -> String

        /// Creates the properties of a server.
        package init(
            service: String, onlyPrinter: String? = nil, hostNames: [String] = [], listeners: [ListenAddress] = [],
            address: @escaping Address = { () async throws(AddressError) in
                throw AddressError("the server has no TCP port for browsers")
            }
        ) {
            (self.service, self.hostNames, self.listeners, self.address) = (service, hostNames, listeners, address)
            self.onlyPrinter = onlyPrinter
        }
    }

    /// The properties of the server that offers the Print Center.
    package private(set) var configuration: Configuration
    /// The server's responder for IPP requests.
    package let responder: any IPPResponder
    /// The services of the server that the Print Center calls directly instead of over IPP.
    package private(set) var ports: Ports
    package private(set) var sessions: Sessions
    /// The open event streams of all users.
    let streams = EventStreams()
    let accounts: UserAccounts
    let clock: @Sendable () -> UnixTime
    let logger: Logger
    private var check: RequestCheck
    let table: RouteTable

    /// Creates a Print Center.
    ///
    /// - Parameters:
    ///   - responder: The server's responder for IPP requests.
    ///   - sessions: The sessions of browsers.
    ///   - routes: The routes of the Print Center; tests pass other routes.
    package init(
        _ configuration: Configuration, responder: any IPPResponder, sessions: Sessions, ports: Ports = Ports(),
        accounts: UserAccounts = .system, clock: @escaping @Sendable () -> UnixTime,
        logger: Logger = Logger(label: "print-center"), routes: [Route] = Route.all
    ) {
        (self.configuration, self.responder, self.ports) = (configuration, responder, ports)
        (self.accounts, self.clock, self.logger) = (accounts, clock, logger)
        self.sessions = sessions
        check = RequestCheck(
            hosts: HostRule(alsoAllowed: configuration.hostNames, listeners: configuration.listeners))
        table = RouteTable(routes)
    }

    /// Returns the Print Center for clients on the network, which has separate sessions.
    ///
    /// Users sign in with a name and a password over TLS. No one-time token and no connection signs in a user.
    ///
    /// - Parameters:
    ///   - names: The names by which the clients may call the server.
    ///   - listeners: The addresses for these clients.
    package func onNetwork(names: [String], listeners: [ListenAddress], logins: NetworkLogins) -> PrintCenter {
        var center = self
        (center.configuration.hostNames, center.configuration.listeners) = (names, listeners)
        center.check = RequestCheck(hosts: HostRule(alsoAllowed: names, listeners: listeners))
        center.sessions = .ofNetwork(clock: sessions.clock)
        center.ports.logins = logins
        return center
    }

    /// The error for a request that requires a session and has none.
    var noSession: Problem { ports.logins == nil ? .noSession : .noLogin }

    /// Returns the response to an HTTP request.
    package func answer(to request: WebRequest) async -> WebAnswer {
        var answer: WebAnswer
        do {
            answer = try await handle(request)
        } catch let problem as Problem {
            answer = problem.answer
        } catch let error as SpoolerClientError {
            answer = Problem(error).answer
        } catch let error as DocumentStreamError {
            // The client did not send the whole body of its request.
            answer = Problem(error.code == .timedOut ? .requestTimeout : .badRequest, error.message).answer
        } catch let error as NameServiceError {
            answer = Problem.busy(error.description).answer
        } catch is CancellationError {
            answer = Problem.busy("the request was canceled").answer
        } catch {
            logger.error("cannot respond to a request", metadata: ["path": "\(request.path)", "error": "\(error)"])
            answer = Problem(.internalServerError, "cannot respond to the request; see the server log").answer
        }
        answer.addCommonHeaders()
        return answer
    }

    private func handle(_ request: WebRequest) async throws -> WebAnswer {
        guard ports.logins == nil || request.isEncrypted else {
            throw Problem(.upgradeRequired, "the Print Center requires TLS; use https:")
        }
        let isForeignLink = try check.isForeignLink(request)
        let match: RouteTable.Match
        switch table.route(request.method, request.path) {
        case .found(let found): match = found
        case .otherMethods(let methods):
            let allowed = methods.flatMap { $0 == .get ? ["GET", "HEAD"] : [$0.rawValue] }.joined(separator: ", ")
            throw Problem(
                .methodNotAllowed, "\(request.path) does not support \(request.method); use \(allowed)",
                headers: [.allow: allowed])
        case .nothing: throw Problem.notFound("there is no page at '\(request.path)'")
        }
        if isForeignLink {
            guard match.route.isPage else { throw Problem.crossSite("requests from pages of another site are refused") }
            return CenterPage.foreignLink(request)
        }
        let query = try QueryText(request.query)
        let call = try await call(request, match, query)
        switch match.route.handler {
        case .visit(let handler):
            return try await handler(
                Visit(center: self, request: request, parameters: match.parameters, query: query, call: call))
        case .call(let handler):
            if match.route.access == .unixSocket, !request.isOnUnixSocket {
                throw Problem(
                    .forbidden, "only clients on the Unix socket of \(configuration.service) can send this request")
            }
            guard let call else { throw noSession }
            guard match.route.permission(of: call.user.kind, .own) != .refused else {
                throw Problem(
                    .forbidden,
                    "only administrators may do this: root, the user that runs \(configuration.service), and the members "
                        + "of the group lpadmin")
            }
            return try await handler(call)
        }
    }

    /// Returns the request together with its user; nil if the user is not authenticated.
    ///
    /// - Throws: `Problem` if a request of a browser session changes data and has no valid anti-forgery token, and
    ///   `NameServiceError` if the name service does not respond.
    private func call(
        _ request: WebRequest, _ match: RouteTable.Match, _ query: QueryText
    ) async throws -> Call? {
        func made(_ user: CenterUser, _ session: BrowserSession?) -> Call {
            Call(
                center: self, request: request, parameters: match.parameters, query: query, user: user,
                session: session)
        }
        if let logins = ports.logins {
            guard let (user, session) = try await networkCaller(request, logins) else { return nil }
            // The form of the login page has no token: it can replace a session only with the user's password.
            if case .call = match.route.handler { try Self.checkToken(of: request, in: session) }
            return made(user, session)
        }
        if case .unix(let uid, _, _) = request.peer {
            let user = try await accounts.user(uid, claimedName: nil)
            return made(
                CenterUser(name: user.name, isAdministrator: user.isAdministrator, peer: request.peer), nil)
        }
        guard
            let session = cookies(in: request).lazy.compactMap({
                sessions.session($0, of: request.peer.uid)
            }).first, case .local(let owner) = session.owner
        else {
            guard let token = request.bearerToken, let user = await ports.program(token) else { return nil }
            let peer = Peer.unix(uid: user.uid, gid: user.gid, pid: 0)
            let account = try await accounts.user(user.uid, claimedName: nil)
            return made(CenterUser(name: account.name, isAdministrator: account.isAdministrator, peer: peer), nil)
        }
        let user = try await accounts.user(owner.uid, claimedName: nil)
        // The account was deleted, or the user ID belongs to another account now.
        guard user.name == owner.name else {
            sessions.end(session.id)
            return nil
        }
        try Self.checkToken(of: request, in: session)
        let peer = Peer.unix(uid: owner.uid, gid: owner.gid, pid: 0)
        return made(CenterUser(name: user.name, isAdministrator: user.isAdministrator, peer: peer), session)
    }

    /// Checks that a request that changes something has the anti-forgery token of its session.
    private static func checkToken(of request: WebRequest, in session: BrowserSession) throws(Problem) {
        guard !request.isSafe else { return }
        let tokens = request.headers[values: .printqToken]
        guard tokens.count == 1, session.token.matches(tokens[0]) else {
            throw Problem(
                .forbidden, "the header Printq-Token is missing or incorrect; read the token from /api/v1/session")
        }
    }
}

extension WebRequest {
    /// The token of the header `Authorization: Bearer …`; nil if the header is missing or has another scheme.
    fileprivate var bearerToken: String? {
        let values = headers[values: .authorization]
        let words = values.first?.split(separator: " ") ?? []
        guard values.count == 1, words.count == 2, words[0].lowercased() == "bearer" else { return nil }
        return String(words[1])
    }
}
