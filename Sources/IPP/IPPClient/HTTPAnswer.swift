// The HTTP response to an IPP request, and the IPP message in its body.

package import IPP

/// An HTTP response of the server.
///
/// The response can have any HTTP status, and its body might not be an IPP message.
package struct HTTPAnswer: Sendable {
    package var status: Int
    package var reason: String
    package var contentType: String?
    /// The decoded message or the decoding error; `nil` if the status is neither 200 nor 401, or
    /// the content type is not IPP.
    package var message: DecodedMessage?
    /// Whether the connection can carry another request.
    package var isReusable: Bool

    package init(
        status: Int, reason: String, contentType: String?, message: DecodedMessage?, isReusable: Bool
    ) {
        (self.status, self.reason, self.contentType) = (status, reason, contentType)
        (self.message, self.isReusable) = (message, isReusable)
    }

    /// Returns the IPP message in the response, and checks that the message is the response to the request with the
    /// given ID.
    package func answer(to requestID: Int32) throws(IPPClientError) -> Message {
        // A server that requires credentials explains the IPP status in the body (RFC 8010 §3.4.3).
        guard status == 200 || status == 401 && message != nil else { throw .httpStatus(status, reason) }
        return try Message.answer(message, type: contentType, to: requestID)
    }

    /// Whether a response with the given status and `Content-Type` contains an IPP message.
    package static func isMessage(status: Int, contentType: String?) -> Bool {
        [200, 401].contains(status) && Message.isContentType(contentType)
    }
}

/// A message, or the reason why its bytes are not a message.
package enum DecodedMessage: Sendable {
    case message(Message)
    case failure(DecodingError)
}

/// The body of a response.
///
/// The client decodes the body during the transfer. Therefore the client can decode a long list while the server is
/// still writing.
package struct AnswerBody {
    private let limits: DecodingLimits
    private var count = 0
    private var decoder: MessageDecoder?
    private var message: DecodedMessage?

    /// Creates an empty body of a response.
    ///
    /// - Parameters:
    ///   - isMessage: Whether the body's bytes are an IPP message.
    ///   - limits: The limits of the message. `maxBytes` also limits a body that is not a message.
    package init(isMessage: Bool = false, limits: DecodingLimits) {
        self.limits = limits
        if isMessage { decoder = MessageDecoder(limits: limits) }
    }

    /// Decodes the next part of the body.
    ///
    /// - Throws: `tooLarge` if the body is larger than the limit, and `badResponse` if the bytes are not a message. The
    ///   rest of the body need not be received.
    package mutating func append(_ piece: ArraySlice<UInt8>) throws(IPPClientError) {
        guard piece.count <= limits.maxBytes - count else { throw .tooLarge(limit: limits.maxBytes) }
        count += piece.count
        guard message == nil, decoder != nil else { return }
        do throws(DecodingError) {
            if let (decoded, _) = try decoder?.feed(piece) { message = .message(decoded) }
        } catch {
            throw error.code == .tooLarge ? .tooLarge(limit: limits.maxBytes) : .badResponse("\(error)", cause: error)
        }
    }

    /// Ends the body, and returns the decoded message or the decoding error; `nil` if the body is not an IPP message.
    package mutating func end() -> DecodedMessage? {
        guard message == nil, decoder != nil else { return message }
        do throws(DecodingError) {
            try decoder?.finish()
            return nil
        } catch {
            return .failure(error)
        }
    }
}

extension DecodingLimits {
    /// Returns the limits for the response to a printq client, which trusts its server.
    package static func response(atMost bytes: Int) -> DecodingLimits {
        var limits = DecodingLimits.response
        limits.maxBytes = bytes
        return limits
    }
}

extension Message {
    /// Returns the message that was decoded from the body of an HTTP response.
    ///
    /// The method checks that the message is the IPP response to the request with the given ID.
    fileprivate static func answer(
        _ decoded: DecodedMessage?, type: String?, to requestID: Int32
    ) throws(IPPClientError) -> Message {
        guard let decoded else {
            throw .badResponse("the response has the media type '\(type ?? "")' instead of application/ipp")
        }
        let message: Message
        switch decoded {
        case .message(let decoded): message = decoded
        case .failure(let error): throw .badResponse("\(error)", cause: error)
        }
        guard message.requestID == requestID else {
            throw .badResponse("the response has the request-id \(message.requestID) instead of \(requestID)")
        }
        return message
    }

    /// Returns whether a value of `Content-Type` is the media type of an IPP message (RFC 8010 §4).
    fileprivate static func isContentType(_ type: String?) -> Bool {
        type?.lowercased().hasPrefix("application/ipp") == true
    }
}
