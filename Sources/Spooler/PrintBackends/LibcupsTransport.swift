// IPP over libcups' HTTP: TLS, authentication, upgrade.
//
// A request's way out: `LibcupsTransport` gives it an id, a turn and a connection, `HTTPLine` sends it and its document piece by
// piece. `HTTPAuthorization` answers a server that asks who we are; whether the server is the right one, `PrinterAccess`
// says. Messages are ours (`IPP`): libcups carries bytes.

public import IPP
public import IPPClient
import AsyncPrimitives

/// Sends IPP requests to one server: a real printer, or a cupsd.
///
/// It is the second implementation of `IPPTransport`. Beyond what `IPPClient` does it speaks TLS, from the first byte or when
/// the server demands it (HTTP 426), and says who it is when the server asks (HTTP 401: Basic, Digest, a cupsd's peer
/// credentials). Nothing is sent twice unless the server said that it had not looked at it, and no document of which a byte
/// went out.
///
/// Of libcups' own settings only `SSLOptions` of `client.conf` counts here; no server, user, or trust of its own does.
public actor LibcupsTransport: IPPTransport {
    /// A server, and how it is reached.
    public struct Server: Sendable, Hashable {
        /// Where it listens.
        public var address: IPPAddress
        /// When TLS begins.
        public var security: Security
        /// How long connecting may take, in seconds.
        public var connectSeconds = 5.0

        /// When TLS begins on a connection.
        public enum Security: Sendable, Hashable {
            /// With the first byte, as `ipps` has it (RFC 7472).
            case always
            /// When the server demands it (RFC 2817).
            case whenAsked
            /// Before the first request, because the server has demanded it.
            case upgrade
        }

        /// A server.
        public init(_ address: IPPAddress, security: Security) {
            self.address = address
            self.security = security
        }
    }

    /// How long to wait, in seconds, and how much may be going on.
    public struct Bounds: Sendable {
        /// For a connection.
        public var connect = 5.0
        /// For the handshake of TLS after it.
        public var handshake = 15.0
        /// For a word from the server before a document is sent.
        public var goAhead = 1.0
        /// For the server to take the next piece of a document.
        public var sending = 60.0
        /// From the end of the request to the end of the answer.
        public var answer = 60.0
        /// Bytes of an answer.
        public var answerBytes = 64 << 20
        /// After so long an idle connection is closed.
        public var idle = 30.0
        /// Connections at one time; further requests wait for one of them.
        public var connections = 4
        /// Requests that wait at one time; further ones are refused.
        public var waiting = 64

        /// The default bounds.
        public init() {}
    }

    /// Where the server listens.
    public nonisolated let address: IPPAddress
    var server: Server
    let bounds: Bounds
    let access: PrinterAccess
    private var idle: [HTTPLine] = []
    private let lines = HTTPLineCount()
    private let turns: AsyncSemaphore
    /// A request that tries a login has it alone.
    private let trials: AsyncSemaphore
    private var lastRequestID: Int32 = 0
    /// What the server asked for last, and how often it was answered.
    var challenge: HTTPAuthorization?
    /// The operations that the server wanted our login for.
    var asking: Set<IPP.Operation> = []
    /// The login that it took last; nil when it has taken none, or refused it since.
    var taken: Login?
    /// With what the server would not do an operation; it is not asked again with that for a while.
    var refused: [IPP.Operation: (login: Login?, at: ContinuousClock.Instant)] = [:]
    /// Whether the server knows `Expect`.
    private var knowsExpect = true
    /// Whether TLS is begun for our login's sake, and not because the server demanded it.
    private var upgradesForLogin = false

    /// A transport to a server; connects when the first request is sent.
    ///
    /// - Parameter access: whom to trust there, and who we are.
    public init(to server: Server, access: PrinterAccess, bounds: Bounds = Bounds()) {
        self.server = server
        self.server.connectSeconds = bounds.connect
        self.address = server.address
        self.access = access
        self.bounds = bounds
        turns = AsyncSemaphore(places: bounds.connections, waiting: bounds.waiting)
        trials = AsyncSemaphore(places: 1, waiting: bounds.waiting)
    }

    /// Sends a request and waits for its answer.
    public func send(
        _ request: Message, document: DocumentSource?, path: String
    ) async throws(IPPClientError) -> Message {
        var request = request
        lastRequestID = lastRequestID == .max ? 1 : lastRequestID + 1
        request.requestID = lastRequestID
        let attributes: [UInt8]
        do {
            attributes = try request.encoded()
        } catch {
            throw .badRequest(cause: error)
        }
        let reader = try document?.reader()
        try await takeTurn(turns)
        defer { turns.leave() }
        let sending = Sending(
            request.operation, path: path.hasPrefix("/") ? path : "/" + path, attributes: attributes, document: reader)
        let reply = try await exchange(sending)
        guard reply.status == 200 else { throw .httpStatus(reply.status, reply.reason) }
        return try Message.answer(reply.body, type: reply.contentType, to: request.requestID)
    }

    private func takeTurn(_ semaphore: AsyncSemaphore) async throws(IPPClientError) {
        do throws(AsyncSemaphore.Refusal) {
            try await semaphore.enter()
        } catch {
            switch error {
            case .canceled: throw .canceled(sent: false)
            case .crowded:
                throw IPPClientError(
                    .timedOut, "\(bounds.waiting) requests wait already for \(address) to answer",
                    mayHaveBeenReceived: false)
            }
        }
    }

    /// Closes the connections that are kept for the next requests.
    public func close() {
        for line in idle { line.close() }
        idle = []
    }

    // MARK: - One request

    /// Sends a request until the server answers to it, and not to how it was sent.
    private func exchange(_ sending: Sending) async throws(IPPClientError) -> HTTPLine.Reply {
        var attempts = 0
        while true {
            try spareServer(sending.operation)
            // One request tries a login: of several at once each would count as a wrong password.
            let isTrial = triesLogin(sending.operation)
            if isTrial { try await takeTurn(trials) }
            defer { if isTrial { trials.leave() } }
            if isTrial { try spareLogin() }
            let (line, isFresh) = try await connection()
            if !isTrial, triesLogin(sending.operation) {
                // Another request was asked for a login while this one waited for its connection.
                keep(line)
                continue
            }
            attempts += 1
            let authorization = authorization(for: sending.path, of: sending.operation, on: line)
            let result = await attempt(sending, on: line, authorization)
            switch result {
            case .success(let reply):
                if reply.isReusable { keep(line) } else { line.close() }
                guard try shouldRetry(after: reply, on: line, sending.operation, authorization, attempts) else {
                    if authorization != nil, reply.status == 200 { noteTaken(by: sending.operation) }
                    return reply
                }
            case .failure(let error):
                line.close()
                // The server closed the connection between two requests; a new one will do.
                let wasStale = !isFresh && error.code == .connectionLost && !error.mayHaveBeenReceived
                guard wasStale, !sending.hasBegun else { throw error }
            }
            if sending.hasBegun {
                throw IPPClientError(
                    .connectionLost,
                    "\(address) asked for something only when the document was on its way; it is sent again with that",
                    mayHaveBeenReceived: false)
            }
        }
    }

    private func attempt(
        _ sending: Sending, on line: HTTPLine, _ authorization: String?
    ) async -> Result<HTTPLine.Reply, IPPClientError> {
        // A server that may ask who we are is given more time to do so before the document goes.
        let goAhead = bounds.goAhead * (access.login == nil ? 1 : 5)
        do throws(IPPClientError) {
            return .success(
                try await sending.go(
                    on: line, authorization: authorization, expects: knowsExpect, goAhead: goAhead, bounds: bounds))
        } catch {
            return .failure(error)
        }
    }

    /// Applies an HTTP answer that asks for credentials, TLS or another way of sending.
    ///
    /// - Returns: Whether the request must be sent again; `false` for the answer to the request itself.
    private func shouldRetry(
        after reply: HTTPLine.Reply, on line: HTTPLine, _ operation: IPP.Operation, _ authorization: String?,
        _ attempts: Int
    ) throws(IPPClientError) -> Bool {
        guard attempts < 6 else { return false }
        switch reply.status {
        case 401:
            try acceptChallenge(reply.challenge, of: operation, on: line, hadAnswer: authorization != nil)
            return true
        case 417 where knowsExpect:
            knowsExpect = false
            return true
        case 426 where line.server.security == .whenAsked:
            access.noteTLS()
            // Another request may have learned the same meanwhile.
            if server.security == .whenAsked {
                server.security = .upgrade
                close()
            }
            return true
        default: return false
        }
    }

    // MARK: - Connections

    /// A connection to a server that is trusted, and whether it is new.
    private func connection() async throws(IPPClientError) -> (HTTPLine, isFresh: Bool) {
        while let line = idle.popLast() {
            guard line.takeUp(), line.server == server else {
                line.close()
                continue
            }
            if try await line.perform(within: 5, orElse: .closedBefore, { $0.isQuiet }) { return (line, false) }
            line.close()
        }
        guard lines.value < 2 * bounds.connections else {
            throw IPPClientError(
                .unreachable,
                "\(lines.value) connections to \(address) hang in the look-up of its name or in a handshake",
                mayHaveBeenReceived: false)
        }
        let line = HTTPLine(to: server, in: lines)
        do throws(IPPClientError) {
            let opened = try await line.perform(
                within: bounds.connect + (server.security == .whenAsked ? 0 : bounds.handshake),
                orElse: .connectTimedOut(address)
            ) { $0.open() }
            let chain = try opened.get()
            if server.security != .whenAsked || !chain.isEmpty { try access.check(chain) }
            if line.server.security == .upgrade { upgradesForLogin = false }
        } catch {
            line.close()
            var error = error
            if upgradesForLogin, line.server.security == .upgrade {
                (upgradesForLogin, server.security) = (false, .whenAsked)
                if error.code == .connectionLost { error = access.refuseWithoutTLS() }
            }
            error.mayHaveBeenReceived = false
            throw error
        }
        return (line, true)
    }

    private func keep(_ line: HTTPLine) {
        line.rest(for: bounds.idle)
        idle.append(line)
    }
}

extension LibcupsTransport {
    /// Whether our login would go over a connection without TLS to a server that had TLS before.
    func exposesLogin(_ line: HTTPLine) -> Bool {
        guard case .tcp = address, line.server.security == .whenAsked else { return false }
        return access.expectsTLS
    }

    /// Begins TLS with the next connection, because the server asks for our login and had TLS before.
    func beginTLSForLogin() {
        guard server.security == .whenAsked else { return }
        (upgradesForLogin, server.security) = (true, .upgrade)
        close()
    }
}

extension LibcupsTransport.Server {
    /// The server as libcups takes it.
    var cupsName: (host: String, port: Int) {
        switch address {
        case .unix(let path): (path, 0)
        case .tcp(let host, let port): (host, port)
        }
    }
}
