// The steps of a request on a connection of libcups; each blocks, on the line's thread.

import CCups
import Glibc
import IPPClient

extension HTTPLine {
    /// What a server answered over HTTP.
    struct Reply: Sendable {
        var status: Int
        var reason: String
        var contentType: String
        /// The ways to say who one is that the server offers (`WWW-Authenticate`).
        var challenge: String
        var body: [UInt8]
        /// Whether the connection may carry another request.
        var isReusable: Bool
    }

    /// What stands above a request.
    struct Head: Sendable {
        var path: String
        /// The bytes that follow; nil when only the end will tell.
        var length: Int?
        var authorization: String?
        /// Whether the server is asked before the body is sent (RFC 9110 §10.1.1).
        var expectsContinue: Bool
    }

    // MARK: - Opening

    /// Connects, and shakes hands where TLS is wanted; the certificates that the server showed, its own first.
    func open() -> Result<[[UInt8]], IPPClientError> {
        let (host, port) = server.cupsName
        let encryption = server.security == .always ? HTTP_ENCRYPTION_ALWAYS : HTTP_ENCRYPTION_IF_REQUESTED
        // Zero milliseconds: it is not connected yet, so that it can be told first whom to ask.
        guard let http = httpConnect2(host, Int32(port), nil, AF_UNSPEC, encryption, 1, 0, nil) else {
            return .failure(.unreachable(server.address, "its name is not known; is it written right?"))
        }
        self.http = http
        guard !patience.isOver else { return .failure(.canceled(sent: false)) }
        patience.watch(http, every: LibcupsWait.handshakeInterval)
        errno = 0
        guard httpReconnect2(http, Int32(server.connectSeconds * 1000), patience.cancel) == 0 else {
            return .failure(openingFailure(http))
        }
        patience.note(socket: httpGetFd(http))
        if server.security == .upgrade, httpEncryption(http, HTTP_ENCRYPTION_REQUIRED) != 0 {
            return .failure(.handshakeFailed(server.address, "it wants TLS and does not begin with it"))
        }
        patience.watch(http, every: LibcupsWait.interval)
        return .success(httpIsEncrypted(http) != 0 ? certificates(http) : [])
    }

    private func openingFailure(_ http: OpaquePointer) -> IPPClientError {
        let code = httpError(http)
        if patience.isOver { return .canceled(sent: false) }
        // libcups gives EIO for every handshake that failed; before that there were errors of connecting.
        guard code != EIO else {
            return .handshakeFailed(
                server.address, cupsLastErrorString().map { String(cString: $0) } ?? "no reason is known")
        }
        if code == ETIMEDOUT || code == EINPROGRESS || code == EAGAIN { return .connectTimedOut(server.address) }
        let words =
            switch code {
            case ENOENT: "there is no such socket; is the server running?"
            // libcups calls an address that refuses a host that is down.
            case ECONNREFUSED, EHOSTDOWN: "nobody listens there; is it on, and the port right?"
            case EACCES: "permission denied"
            case EMFILE, ENFILE: OpenFileLimit.words
            default: String(cString: strerror(code))
            }
        return .unreachable(server.address, words)
    }

    private func certificates(_ http: OpaquePointer) -> [[UInt8]] {
        var list: OpaquePointer?
        guard httpCopyCredentials(http, &list) == 0, let list else { return [] }
        defer { httpFreeCredentials(list) }
        var chain: [[UInt8]] = []
        var next = cupsArrayFirst(list)
        while let item = next, chain.count < 16 {
            let credential = item.assumingMemoryBound(to: http_credential_t.self).pointee
            chain.append([UInt8](UnsafeRawBufferPointer(start: credential.data, count: credential.datalen)))
            next = cupsArrayNext(list)
        }
        return chain
    }

    /// Whether the server has neither closed the connection nor said anything that nobody asked for.
    var isQuiet: Bool {
        guard let http else { return false }
        var wait = pollfd(fd: httpGetFd(http), events: Int16(POLLIN), revents: 0)
        return httpGetReady(http) == 0 && poll(&wait, 1, 0) == 0
    }

    // MARK: - Sending

    /// Sends what stands above the body; `false` when the connection is broken.
    func post(_ head: Head) -> Bool {
        guard let http else { return false }
        httpClearFields(http)
        httpSetField(http, HTTP_FIELD_CONTENT_TYPE, "application/ipp")
        httpSetField(http, HTTP_FIELD_USER_AGENT, "printq")
        if let authorization = head.authorization { httpSetField(http, HTTP_FIELD_AUTHORIZATION, authorization) }
        httpSetLength(http, head.length ?? 0)
        httpSetExpect(http, head.expectsContinue ? HTTP_STATUS_CONTINUE : HTTP_STATUS_NONE)
        return httpPost(http, head.path) == 0
    }

    /// Waits for an answer before the body is sent; `false` when none has come after so many seconds, or the server wants
    /// the body.
    func answers(within seconds: Double) -> Bool {
        guard let http else { return false }
        var left = seconds
        while left > 0, !patience.isOver {
            if httpWait(http, Int32(min(left, LibcupsWait.interval) * 1000)) == 0 {
                left -= LibcupsWait.interval
            } else {
                switch glance(http) {
                case .answer: return true
                case .goOn, .broken: return false
                // TLS said something of its own, such as a ticket for the next time.
                case .nothing: left -= LibcupsWait.interval / 10
                }
            }
        }
        return false
    }

    /// Sends a piece of the body; `false` when the server takes no more, or answers already.
    func write(_ piece: ArraySlice<UInt8>) -> Bool {
        guard let http else { return false }
        var rest = piece
        while !rest.isEmpty {
            if httpWait(http, 0) != 0, [.answer, .broken].contains(glance(http)) { return false }
            let part = rest.prefix(64 << 10)
            let count = part.withUnsafeBytes { bytes in
                httpWrite2(http, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
            }
            guard count == part.count else { return false }
            rest = rest.dropFirst(part.count)
        }
        return httpFlushWrite(http) >= 0
    }

    /// Says that a body of unknown length has come to its end.
    func finishBody() -> Bool { http.map { httpWrite2($0, "", 0) >= 0 } ?? false }

    private enum Glance { case nothing, goOn, answer, broken }

    /// Reads what has come, without waiting for more.
    private func glance(_ http: OpaquePointer) -> Glance {
        errno = 0
        let status = patience.glancing { httpUpdate(http) }
        if status == HTTP_STATUS_CONTINUE { return .goOn }
        if status != HTTP_STATUS_ERROR { return .answer }
        noteNonsense(http)
        return [EAGAIN, ETIMEDOUT, 0].contains(httpError(http)) ? .nothing : .broken
    }

    /// Remembers that the server speaks something else: what it said is gone when it is looked at again.
    private func noteNonsense(_ http: OpaquePointer) {
        if httpError(http) == EINVAL { isNonsense = true }
    }

    // MARK: - The answer

    /// Reads the answer to its end, which must come within `limit` bytes.
    func readReply(limit: Int) -> Result<Reply, IPPClientError> {
        guard let http else { return .failure(.connectionLost()) }
        // Whoever gives up shuts the socket down: hundreds of silent printers need not wake us four times a second.
        patience.watch(http, every: LibcupsWait.answerInterval)
        defer { patience.watch(http, every: LibcupsWait.interval) }
        var status = httpGetStatus(http)
        if status == HTTP_STATUS_CONTINUE || status == HTTP_STATUS_ERROR {
            repeat {
                errno = 0
                status = httpUpdate(http)
            } while status == HTTP_STATUS_CONTINUE && !patience.isOver
            noteNonsense(http)
        }
        guard status.rawValue >= HTTP_STATUS_OK.rawValue, Int(status.rawValue) < 1000 else {
            return .failure(isNonsense ? .badResponse("it is not HTTP") : .connectionLost())
        }
        return readBody(http, limit: limit).map { body in
            Reply(
                status: Int(status.rawValue), reason: String(cString: httpStatus(status)),
                contentType: field(http, HTTP_FIELD_CONTENT_TYPE), challenge: field(http, HTTP_FIELD_WWW_AUTHENTICATE),
                body: body, isReusable: isReusable(http))
        }
    }

    private func readBody(_ http: OpaquePointer, limit: Int) -> Result<[UInt8], IPPClientError> {
        var body: [UInt8] = []
        var piece = [CChar](repeating: 0, count: 16 << 10)
        while true {
            let count = httpRead2(http, &piece, piece.count)
            guard count > 0 else { break }
            guard body.count + count <= limit else { return .failure(.tooLarge(limit: limit)) }
            piece.withUnsafeBytes { body.append(contentsOf: $0.prefix(count)) }
        }
        let hasEnd = !field(http, HTTP_FIELD_CONTENT_LENGTH).isEmpty || httpIsChunked(http) != 0
        return hasEnd && httpError(http) != 0 || patience.isOver ? .failure(.connectionLost()) : .success(body)
    }

    private func isReusable(_ http: OpaquePointer) -> Bool {
        // After a refusal libcups would connect anew by itself, and ask nobody whether the server is still the same.
        httpGetStatus(http).rawValue < HTTP_STATUS_BAD_REQUEST.rawValue && httpGetState(http) == HTTP_STATE_WAITING
            && httpGetVersion(http) == HTTP_VERSION_1_1
            && httpError(http) == 0 && !field(http, HTTP_FIELD_CONNECTION).lowercased().contains("close")
    }

    private func field(_ http: OpaquePointer, _ field: http_field_t) -> String {
        httpGetField(http, field).map { String(cString: $0) } ?? ""
    }
}

extension IPPClientError {
    fileprivate static func unreachable(_ address: IPPAddress, _ words: String) -> IPPClientError {
        IPPClientError(.unreachable, "no IPP server answers at \(address): \(words)", mayHaveBeenReceived: false)
    }

    fileprivate static func handshakeFailed(
        _ address: IPPAddress, _ words: String
    ) -> IPPClientError {
        IPPClientError(
            .connectionLost, "TLS with \(address) does not come about: \(words)", mayHaveBeenReceived: false)
    }
}
