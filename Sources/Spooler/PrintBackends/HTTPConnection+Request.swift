// The blocking steps of an HTTP request, which run on the connection's thread.

import CCups
import Glibc
import IPP
import IPPClient

extension HTTPConnection {
    /// The HTTP response of a server.
    struct Reply: Sendable {
        var status: Int
        var reason: String
        var contentType: String
        /// The value of the `WWW-Authenticate` header: the authentication schemes that the server supports.
        var challenge: String
        /// The decoded message or the decoding error; nil if the response is not an IPP message.
        var message: DecodedMessage?
        /// Whether the connection can be used for another request.
        var isReusable: Bool
    }

    struct Head: Sendable {
        var path: String
        /// The length of the body in bytes; nil for a chunked body, whose length is unknown.
        var length: Int?
        var authorization: String?
        /// Whether the request has `Expect: 100-continue` (RFC 9110 §10.1.1).
        var expectsContinue: Bool
    }

    // MARK: - Opening

    /// Connects to the server, and performs the TLS handshake if TLS is required.
    ///
    /// - Returns: The certificate chain of the server in DER form, with the server's own certificate first; empty
    ///   without TLS.
    func open() -> Result<[[UInt8]], IPPClientError> {
        let (host, port) = server.cupsName
        let encryption = server.security == .always ? HTTP_ENCRYPTION_ALWAYS : HTTP_ENCRYPTION_IF_REQUESTED
        // A timeout of 0 ms creates the connection without connecting, so that the callback can be set first.
        guard let http = httpConnect2(host, Int32(port), nil, AF_UNSPEC, encryption, 1, 0, nil) else {
            return .failure(.unreachable(server.address, "cannot resolve host"))
        }
        self.http = http
        guard !libcupsWait.isOver else { return .failure(.canceled(sent: false)) }
        libcupsWait.watch(http, every: LibcupsWait.handshakeInterval)
        errno = 0
        guard httpReconnect2(http, Int32(server.connectSeconds * 1000), libcupsWait.cancel) == 0 else {
            return .failure(openingFailure(http))
        }
        libcupsWait.note(socket: httpGetFd(http))
        if server.security == .upgrade, httpEncryption(http, HTTP_ENCRYPTION_REQUIRED) != 0 {
            return .failure(.handshakeFailed(server.address, "the server requires TLS but refuses the upgrade to TLS"))
        }
        libcupsWait.watch(http, every: LibcupsWait.interval)
        return .success(httpIsEncrypted(http) != 0 ? certificates(http) : [])
    }

    private func openingFailure(_ http: OpaquePointer) -> IPPClientError {
        let code = httpError(http)
        if libcupsWait.isOver { return .canceled(sent: false) }
        // libcups reports every failed handshake as EIO. All other errors are connection errors.
        guard code != EIO else {
            return .handshakeFailed(
                server.address, cupsLastErrorString().map { String(cString: $0) } ?? "unknown reason")
        }
        if code == ETIMEDOUT || code == EINPROGRESS || code == EAGAIN { return .connectTimedOut(server.address) }
        let words =
            switch code {
            case ENOENT: "no such socket; check that the server is running"
            // libcups reports a refused connection as EHOSTDOWN.
            case ECONNREFUSED, EHOSTDOWN: "connection refused; check that the printer is on and the port is correct"
            case EACCES: "permission denied"
            case EMFILE, ENFILE: OpenFileLimit.message
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

    /// Whether an idle connection is still open and has no unexpected data.
    var isQuiet: Bool {
        guard let http else { return false }
        var wait = pollfd(fd: httpGetFd(http), events: Int16(POLLIN), revents: 0)
        return httpGetReady(http) == 0 && poll(&wait, 1, 0) == 0
    }

    // MARK: - Sending

    /// Sends the request head; returns `false` if the connection is broken.
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

    /// Waits for a final response before the transfer of the body, and returns whether a final response has arrived.
    ///
    /// Returns `false` if no final response arrives within `seconds`, or if the server requests the body (100
    /// Continue).
    func answers(within seconds: Double) -> Bool {
        guard let http else { return false }
        var left = seconds
        while left > 0, !libcupsWait.isOver {
            if httpWait(http, Int32(min(left, LibcupsWait.interval) * 1000)) == 0 {
                left -= LibcupsWait.interval
            } else {
                switch readiness(of: http) {
                case .answer: return true
                case .goOn, .broken: return false
                // The received data belongs to TLS, such as a session ticket.
                case .nothing: left -= LibcupsWait.interval / 10
                }
            }
        }
        return false
    }

    /// Sends a part of the body; returns `false` if the server accepts no more data or has already responded.
    func write(_ piece: ArraySlice<UInt8>) -> Bool {
        guard let http else { return false }
        var rest = piece
        while !rest.isEmpty {
            if httpWait(http, 0) != 0, [.answer, .broken].contains(readiness(of: http)) { return false }
            let part = rest.prefix(64 << 10)
            let count = part.withUnsafeBytes { bytes in
                httpWrite2(http, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
            }
            guard count == part.count else { return false }
            rest = rest.dropFirst(part.count)
        }
        return httpFlushWrite(http) >= 0
    }

    /// Sends the end of a chunked body.
    func finishBody() -> Bool { http.map { httpWrite2($0, "", 0) >= 0 } ?? false }

    private enum Readiness { case nothing, goOn, answer, broken }

    /// Reads the data that has arrived, without waiting for more data.
    private func readiness(of http: OpaquePointer) -> Readiness {
        errno = 0
        let status = libcupsWait.readingHeader { libcupsWait.polling { httpUpdate(http) } }
        if status == HTTP_STATUS_CONTINUE { return .goOn }
        if status != HTTP_STATUS_ERROR { return .answer }
        noteNonsense(http)
        return [EAGAIN, ETIMEDOUT, 0].contains(httpError(http)) ? .nothing : .broken
    }

    /// Sets `isNonsense` if libcups reports that the received data is not HTTP.
    ///
    /// libcups discards the received data. Therefore a later check cannot detect the problem.
    private func noteNonsense(_ http: OpaquePointer) {
        if httpError(http) == EINVAL { isNonsense = true }
    }

    // MARK: - The response

    /// Reads the complete response, whose body must not exceed the limits.
    func readReply(limits: DecodingLimits) -> Result<Reply, IPPClientError> {
        guard let http else { return .failure(.connectionLost()) }
        // Cancellation shuts down the socket, so that frequent callbacks are not necessary. With hundreds of silent
        // printers, four callbacks a second for each printer would waste CPU time.
        libcupsWait.watch(http, every: LibcupsWait.answerInterval)
        defer { libcupsWait.watch(http, every: LibcupsWait.interval) }
        var status = httpGetStatus(http)
        if status == HTTP_STATUS_CONTINUE || status == HTTP_STATUS_ERROR {
            repeat {
                errno = 0
                waitForData(http)
                status = libcupsWait.readingHeader { httpUpdate(http) }
            } while status == HTTP_STATUS_CONTINUE && !libcupsWait.isOver
            noteNonsense(http)
        }
        guard !libcupsWait.isHeaderTooLong else { return .failure(.tooLarge(limit: LibcupsWait.headerLimit)) }
        guard status.rawValue >= HTTP_STATUS_OK.rawValue, Int(status.rawValue) < 1000 else {
            return .failure(isNonsense ? .badResponse("the response is not HTTP") : .connectionLost())
        }
        let contentType = field(http, HTTP_FIELD_CONTENT_TYPE)
        var body = AnswerBody(
            isMessage: HTTPAnswer.isMessage(status: Int(status.rawValue), contentType: contentType), limits: limits)
        do throws(IPPClientError) {
            try readBody(http, into: &body)
        } catch {
            return .failure(error)
        }
        return .success(
            Reply(
                status: Int(status.rawValue), reason: String(cString: httpStatus(status)), contentType: contentType,
                challenge: field(http, HTTP_FIELD_WWW_AUTHENTICATE), message: body.end(), isReusable: isReusable(http)))
    }

    /// Waits until the server sends data or closes the connection, or until the deadline.
    private func waitForData(_ http: OpaquePointer) {
        guard httpFlushWrite(http) >= 0 else { return }
        while httpGetReady(http) == 0, !libcupsWait.isOver {
            var wait = pollfd(fd: httpGetFd(http), events: Int16(POLLIN), revents: 0)
            guard poll(&wait, 1, Int32(LibcupsWait.answerInterval * 1000)) == 0 || errno == EINTR else { return }
        }
    }

    /// Decodes the body of the response while it arrives.
    private func readBody(_ http: OpaquePointer, into body: inout AnswerBody) throws(IPPClientError) {
        var piece = [CChar](repeating: 0, count: 16 << 10)
        while true {
            let count = httpRead2(http, &piece, piece.count)
            guard count > 0 else { break }
            try body.append(piece.withUnsafeBytes { Array($0.prefix(count)) }[...])
        }
        let hasEnd = !field(http, HTTP_FIELD_CONTENT_LENGTH).isEmpty || httpIsChunked(http) != 0
        guard !(hasEnd && httpError(http) != 0 || libcupsWait.isOver) else { throw .connectionLost() }
    }

    private func isReusable(_ http: OpaquePointer) -> Bool {
        // After an HTTP error, libcups would reconnect automatically, without checking the server's certificate.
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
        IPPClientError(.unreachable, "no IPP server responds at \(address): \(words)", mayHaveBeenReceived: false)
    }

    fileprivate static func handshakeFailed(
        _ address: IPPAddress, _ words: String
    ) -> IPPClientError {
        IPPClientError(
            .connectionLost, "TLS handshake with \(address) failed: \(words)", mayHaveBeenReceived: false)
    }
}
