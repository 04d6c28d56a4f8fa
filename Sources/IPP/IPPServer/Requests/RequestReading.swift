// Reads the attributes of an IPP request as they arrive.

import IPP

/// A reader of the attributes of one request.
///
/// The bytes after the attributes are the document.
struct RequestReading {
    private var decoder: MessageDecoder
    /// The first eight bytes, for the response to a request whose remaining bytes cannot be decoded (RFC 8010 §3.1).
    private var header: [UInt8] = []

    init(attributeBytes: Int) { decoder = MessageDecoder(limits: DecodingLimits(maxBytes: attributeBytes)) }

    /// Reads the next bytes of the request.
    ///
    /// - Returns: The message and the bytes that follow the message; `nil` while the message is incomplete.
    ///
    /// - Throws: `Refusal` if the message cannot be decoded.
    mutating func feed(_ piece: ArraySlice<UInt8>) throws -> (message: Message, rest: ArraySlice<UInt8>)? {
        if header.count < 8 { header += piece.prefix(8 - header.count) }
        do {
            return try decoder.feed(piece)
        } catch {
            throw Refusal(error)
        }
    }

    mutating func refusalAtEnd() -> Refusal {
        do {
            try decoder.finish()
            return Refusal(status: .clientErrorBadRequest, reason: "the request is incomplete")
        } catch {
            return Refusal(error)
        }
    }

    /// The version, operation and ID of the request, which a response requires; `nil` if these eight bytes have not
    /// arrived.
    var beginning: Message? {
        guard header.count == 8 else { return nil }
        return Message(
            version: Version(major: header[0], minor: header[1]),
            operation: Operation(rawValue: UInt16(header[2]) << 8 | UInt16(header[3])),
            requestID: header[4...].reduce(Int32(0)) { $0 << 8 | Int32($1) })
    }
}

/// The IPP status and the reason with which the server rejects a request before the request reaches the responder.
struct Refusal: Error {
    var status: Status
    var reason: String

    init(status: Status, reason: String) { (self.status, self.reason) = (status, reason) }

    /// The error for a request that is rejected because the attributes of other requests use too much memory.
    static var noMemory: Refusal {
        Refusal(status: .serverErrorBusy, reason: "too many large requests are in progress; try again later")
    }

    init(_ error: DecodingError) {
        let isTooMuch = error.code == .tooLarge || error.code == .tooMany
        status = isTooMuch ? .clientErrorRequestEntityTooLarge : .clientErrorBadRequest
        reason = error.description
    }
}
