// Sends IPP requests with libcups, which supports TLS, authentication and HTTP upgrade.
//
// `LibcupsTransport` assigns a request an ID and a connection, and `HTTPConnection` sends the request and its document.
// `HTTPAuthorization` responds to an authentication challenge, and `PrinterAccess` checks whether the server is
// trusted. The module `IPP` encodes messages; libcups only transfers bytes.

public import IPP
public import IPPClient
import AsyncPrimitives

/// A transport that sends IPP requests to one server: a printer or a CUPS server.
///
/// In addition to the features of `IPPClient`, the transport supports TLS and authentication. TLS starts with the first
/// byte, or when the server demands TLS (HTTP 426). The authentication schemes (HTTP 401) are Basic, Digest, and the
/// peer credentials of cupsd. The transport sends a request again only if two conditions are met: the server has
/// rejected the request without processing it, and no part of the document was sent.
///
/// Of the settings in `client.conf`, only `SSLOptions` applies. The server, user and trust settings of libcups are
/// ignored.
public actor LibcupsTransport: IPPTransport {
    /// A server, and the settings of connections to the server.
    public struct Server: Sendable, Hashable {
        /// The address on which the server listens.
        public var address: IPPAddress
        /// The moment at which TLS starts.
        public var security: Security
        /// The timeout for connecting, in seconds.
        public var connectSeconds = 5.0

        /// The moment at which TLS starts on a connection.
        public enum Security: Sendable, Hashable {
            /// TLS from the first byte of the connection, as for `ipps` URIs (RFC 7472).
            case always
            /// An upgrade to TLS when the server demands TLS (RFC 2817).
            case whenAsked
            /// An upgrade to TLS before the first request, because the server used or demanded TLS on an earlier
            /// connection.
            case upgrade
        }

        /// Creates the description of a server.
        public init(_ address: IPPAddress, security: Security) {
            self.address = address
            self.security = security
        }
    }

    /// The limits of the transport, with timeouts in seconds.
    public struct Bounds: Sendable {
        /// The timeout for connecting, in seconds.
        public var connect = 5.0
        /// The timeout for the TLS handshake after connecting, in seconds.
        public var handshake = 15.0
        /// The maximum time to wait for a response to `Expect: 100-continue` before the document is sent, in seconds.
        ///
        /// If credentials are stored, the transport waits five times as long.
        public var goAhead = 1.0
        /// The timeout for the server to accept the next part of a document, in seconds.
        public var sending = 60.0
        /// The timeout from the end of the request to the end of the response, in seconds.
        public var answer = 60.0
        /// The maximum size of a response in bytes.
        public var answerBytes = 2 << 20
        /// The maximum size of a list of jobs or queues in bytes.
        public var listBytes = 16 << 20
        /// The time after which the transport closes an idle connection, in seconds.
        public var idle = 30.0
        /// The maximum number of connections.
        ///
        /// Further requests wait.
        public var connections = 4
        /// The maximum number of waiting requests.
        ///
        /// Further requests are refused.
        public var waiting = 64

        /// Creates the default limits of a transport.
        public init() {}
    }

    /// The address on which the server listens.
    public nonisolated let address: IPPAddress
    var server: Server
    let bounds: Bounds
    let access: PrinterAccess
    private var idle: [HTTPConnection] = []
    private let connections = HTTPConnectionCount()
    private let turns: AsyncSemaphore
    /// The semaphore for requests with a login that the server has not accepted yet.
    ///
    /// Only one of these requests runs at a time.
    private let trials: AsyncSemaphore
    private var lastRequestID: Int32 = 0
    /// The server's last challenge, with the number of requests that have used the challenge.
    var challenge: HTTPAuthorization?
    /// The operations for which the server requested a login.
    var asking: Set<IPP.Operation> = []
    /// The most recently accepted login; nil if the server has never accepted a login, or has later rejected this
    /// login.
    var taken: Login?
    /// The logins that the server rejected, by operation.
    ///
    /// These logins are not sent again for 30 seconds.
    var refused: [IPP.Operation: (login: Login?, at: ContinuousClock.Instant)] = [:]
    /// Whether the server supports the header `Expect: 100-continue`.
    private var knowsExpect = true
    /// Whether connections use TLS to protect the login, even if the server has not demanded TLS.
    private var upgradesForLogin = false

    /// Creates a transport to a server.
    ///
    /// The transport connects with the first request.
    ///
    /// - Parameter access: The trusted certificate and the credentials for the server.
    public init(to server: Server, access: PrinterAccess, bounds: Bounds = Bounds()) {
        self.server = server
        self.server.connectSeconds = bounds.connect
        self.address = server.address
        self.access = access
        self.bounds = bounds
        turns = AsyncSemaphore(places: bounds.connections, waiting: bounds.waiting)
        trials = AsyncSemaphore(places: 1, waiting: bounds.waiting)
    }

    /// Sends a request and waits for its response.
    public func send(
        _ request: Message, document: DocumentSource?, path: String
    ) async throws(IPPClientError) -> Message {
        var request = request
        lastRequestID = lastRequestID == .max ? 1 : lastRequestID + 1
        request.requestID = lastRequestID
        let attributes = try request.encodedForSending()
        let reader = try document?.reader()
        try await takeTurn(turns)
        defer { turns.leave() }
        let sending = RequestTransfer(
            request.operation, path: path.hasPrefix("/") ? path : "/" + path, attributes: attributes, document: reader)
        let reply = try await exchange(sending)
        return try HTTPAnswer(
            status: reply.status, reason: reply.reason, contentType: reply.contentType, message: reply.message,
            isReusable: reply.isReusable
        ).answer(to: request.requestID)
    }

    private func takeTurn(_ semaphore: AsyncSemaphore) async throws(IPPClientError) {
        do throws(AsyncSemaphore.Refusal) {
            try await semaphore.enter()
        } catch {
            switch error {
            case .canceled: throw .canceled(sent: false)
            case .queueFull:
                throw IPPClientError(
                    .timedOut, "\(bounds.waiting) requests are already waiting for \(address); try again later",
                    mayHaveBeenReceived: false)
            }
        }
    }

    /// Closes all idle connections.
    public func close() {
        for line in idle { line.close() }
        idle = []
    }

    // MARK: - One request

    /// Sends a request.
    ///
    /// Sends the request again if the server demands a login or TLS, or rejects the `Expect` header.
    private func exchange(_ sending: RequestTransfer) async throws(IPPClientError) -> HTTPConnection.Reply {
        var attempts = 0
        while true {
            try spareServer(sending.operation)
            // Only one request at a time tries a login, because a server counts each request with a wrong password.
            let isTrial = triesLogin(sending.operation)
            if isTrial { try await takeTurn(trials) }
            defer { if isTrial { trials.leave() } }
            if isTrial { try spareLogin() }
            let (line, isFresh) = try await connection()
            if !isTrial, triesLogin(sending.operation) {
                // While this request waited for a connection, the server requested a login for another request.
                keep(line)
                continue
            }
            attempts += 1
            let authorization = await authorization(for: sending.path, of: sending.operation, on: line)
            let result = await attempt(sending, on: line, authorization)
            switch result {
            case .success(let reply):
                if reply.isReusable { keep(line) } else { line.close() }
                guard try await shouldRetry(after: reply, on: line, sending.operation, authorization, attempts) else {
                    if authorization != nil, reply.status == 200 { noteTaken(by: sending.operation) }
                    return reply
                }
            case .failure(let error):
                line.close()
                // The server closed the idle connection. Use a new one.
                let wasStale = !isFresh && error.code == .connectionLost && !error.mayHaveBeenReceived
                guard wasStale, !sending.hasBegun else { throw error }
            }
            if sending.hasBegun {
                throw IPPClientError(
                    .connectionLost,
                    "\(address) requested a login or TLS during the document transfer; the document will be sent again",
                    mayHaveBeenReceived: false)
            }
        }
    }

    private func attempt(
        _ sending: RequestTransfer, on line: HTTPConnection, _ authorization: String?
    ) async -> Result<HTTPConnection.Reply, IPPClientError> {
        // Wait longer for an authentication challenge before the document is sent.
        let goAhead = bounds.goAhead * (access.login == nil ? 1 : 5)
        do throws(IPPClientError) {
            return .success(
                try await sending.go(
                    on: line, authorization: authorization, expects: knowsExpect, goAhead: goAhead, bounds: bounds))
        } catch {
            return .failure(error)
        }
    }

    /// Processes an HTTP response that demands credentials or TLS, or rejects `Expect`.
    ///
    /// - Returns: `true` if the request must be sent again; `false` if the response is final.
    private func shouldRetry(
        after reply: HTTPConnection.Reply, on line: HTTPConnection, _ operation: IPP.Operation,
        _ authorization: String?,
        _ attempts: Int
    ) async throws(IPPClientError) -> Bool {
        guard attempts < 6 else { return false }
        switch reply.status {
        case 401:
            try acceptChallenge(reply.challenge, of: operation, on: line, hadAnswer: authorization != nil)
            return true
        case 417 where knowsExpect:
            knowsExpect = false
            return true
        case 426 where line.server.security == .whenAsked:
            await BlockingThreads.shared.run { [access] in access.noteTLS() }
            // Another request may already have switched to TLS.
            if server.security == .whenAsked {
                server.security = .upgrade
                close()
            }
            return true
        default: return false
        }
    }

    // MARK: - Connections

    /// Returns a connection to the server after checking the server's certificate.
    ///
    /// The second value is true if the connection is new.
    private func connection() async throws(IPPClientError) -> (HTTPConnection, isFresh: Bool) {
        while let line = idle.popLast() {
            guard line.takeUp(), line.server == server else {
                line.close()
                continue
            }
            if try await line.perform(within: 5, orElse: .closedBefore, { $0.isQuiet }) { return (line, false) }
            line.close()
        }
        guard connections.value < 2 * bounds.connections else {
            throw IPPClientError(
                .unreachable,
                "\(connections.value) connections to \(address) are blocked in a host name lookup or a TLS handshake; "
                    + "check the DNS server and the printer",
                mayHaveBeenReceived: false)
        }
        let line = HTTPConnection(to: server, in: connections)
        do throws(IPPClientError) {
            let opened = try await line.perform(
                within: bounds.connect + (server.security == .whenAsked ? 0 : bounds.handshake),
                orElse: .connectTimedOut(address)
            ) { $0.open() }
            let chain = try opened.get()
            if server.security != .whenAsked || !chain.isEmpty {
                try await BlockingThreads.shared.run { [access] () throws(IPPClientError) in try access.check(chain) }
            }
            if line.server.security == .upgrade { upgradesForLogin = false }
        } catch {
            line.close()
            var error = error
            if upgradesForLogin, line.server.security == .upgrade {
                (upgradesForLogin, server.security) = (false, .whenAsked)
                if error.code == .connectionLost {
                    error = await BlockingThreads.shared.run { [access] in access.refuseWithoutTLS() }
                }
            }
            error.mayHaveBeenReceived = false
            throw error
        }
        return (line, true)
    }

    private func keep(_ line: HTTPConnection) {
        line.rest(for: bounds.idle)
        idle.append(line)
    }
}

extension LibcupsTransport {
    /// Returns whether the login would be sent without TLS to a server that has used TLS before.
    func exposesLogin(_ line: HTTPConnection) -> Bool {
        guard case .tcp = address, line.server.security == .whenAsked else { return false }
        return access.expectsTLS
    }

    /// Uses TLS for the next connection, because the server requests the login and has used TLS before.
    func beginTLSForLogin() {
        guard server.security == .whenAsked else { return }
        (upgradesForLogin, server.security) = (true, .upgrade)
        close()
    }
}

extension LibcupsTransport.Server {
    /// The host name and the port in the format of libcups.
    var cupsName: (host: String, port: Int) {
        switch address {
        case .unix(let path): (path, 0)
        case .tcp(let host, let port): (host, port)
        }
    }
}

extension LibcupsTransport.Bounds {
    /// The operations whose response is a list of jobs or queues.
    private static let lists: Set<IPP.Operation> = [.getJobs, .cupsGetPrinters, .cupsGetClasses]

    /// Returns the limits for the response to an operation.
    ///
    /// A decoded attribute needs up to a hundred times the memory of its bytes, so the number of attributes is limited
    /// too.
    func limits(ofAnswerTo operation: IPP.Operation) -> DecodingLimits {
        Self.lists.contains(operation)
            ? DecodingLimits(maxBytes: listBytes, maxGroups: 100_000, maxAttributes: 200_000, maxValues: 200_000)
            : DecodingLimits(maxBytes: answerBytes, maxAttributes: 50_000, maxValues: 100_000)
    }
}
