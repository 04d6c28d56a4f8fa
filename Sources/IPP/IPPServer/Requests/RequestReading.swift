// The attributes of an IPP request, as they come.

import IPP

/// Reads the attributes of one request; what follows them is the document.
struct RequestReading {
    private var decoder: MessageDecoder
    /// The first eight bytes, for answers to requests whose rest cannot be read (RFC 8010 §3.1).
    private var header: [UInt8] = []

    /// A request whose attributes are of so many bytes at most.
    init(attributeBytes: Int) { decoder = MessageDecoder(limits: DecodingLimits(maxBytes: attributeBytes)) }

    /// Takes the next bytes; the message and what follows it when its last byte has come.
    ///
    /// - Throws: `Refusal` when it cannot be read.
    mutating func feed(_ piece: ArraySlice<UInt8>) throws -> (message: Message, rest: ArraySlice<UInt8>)? {
        if header.count < 8 { header += piece.prefix(8 - header.count) }
        do {
            return try decoder.feed(piece)
        } catch {
            throw Refusal(error)
        }
    }

    /// Why a request that ends here cannot be answered.
    mutating func refusalAtEnd() -> Refusal {
        do {
            try decoder.finish()
            return Refusal(status: .clientErrorBadRequest, reason: "the request has no end")
        } catch {
            return Refusal(error)
        }
    }

    /// As much of the request as an answer needs; nil when not even that has come.
    var beginning: Message? {
        guard header.count == 8 else { return nil }
        return Message(
            version: Version(major: header[0], minor: header[1]),
            operation: Operation(rawValue: UInt16(header[2]) << 8 | UInt16(header[3])),
            requestID: header[4...].reduce(Int32(0)) { $0 << 8 | Int32($1) })
    }
}

/// Why a request does not reach the responder, as an IPP status.
struct Refusal: Error {
    var status: Status
    var reason: String

    init(status: Status, reason: String) { (self.status, self.reason) = (status, reason) }

    /// Too many attributes are being read at the moment.
    static var noMemory: Refusal {
        Refusal(status: .serverErrorBusy, reason: "too many large requests are in progress; try again later")
    }

    init(_ error: DecodingError) {
        let isTooMuch = error.code == .tooLarge || error.code == .tooMany
        status = isTooMuch ? .clientErrorRequestEntityTooLarge : .clientErrorBadRequest
        reason = error.description
    }
}
