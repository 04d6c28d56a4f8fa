// From the body of a POST to an `IPPRequest`, and from its answer to an HTTP response.

import HTTPTypes
import Glibc
import Hummingbird
import HummingbirdCore
import IPP
import Logging
import NIOCore
import PrintIPP

/// Reads the attributes of an IPP request, gives it to the responder, and sends the answer.
struct IPPEndpoint: Sendable {
    let responder: any IPPResponder
    let limits: IPPServer.Limits

    func respond(to request: Request, context: IPPRequestContext) async -> Response {
        let body = RequestBodyReader(
            request.body, contentLength: request.headers[.contentLength].flatMap { Int($0) })
        var header = RequestHeader()
        do {
            let (message, rest) = try await readMessage(body, &header)
            let document = try document(of: message, rest: rest, body: body)
            let answer = await responder.answer(
                to: IPPRequest(
                    message: message, document: document, peer: context.peer, path: request.uri.path,
                    host: request.head.authority, hangUp: context.hangUp))
            if answer.substitute == .reset { await Self.reset(context.channel) }
            return .ipp(answer)
        } catch let refusal as Refusal {
            context.logger.info(
                "refused a request", metadata: ["peer": "\(context.peer)", "reason": "\(refusal.reason)"])
            return header.response(refusal)
        } catch let error as DocumentStreamError where error.code == .timedOut {
            return .text(.requestTimeout, error.message)
        } catch {
            return .text(.badRequest, "\(error)")
        }
    }

    /// Closes a connection without a word, with what was sent on it unread; on TCP the client is sent a reset.
    private static func reset(_ channel: any Channel) async {
        if let socket = channel as? any SocketOptionProvider {
            try? await socket.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        }
        try? await channel.pipeline.addHandler(AbruptEnd(), position: .first).get()
        try? await channel.closeFuture.get()
    }

    /// Closes a connection without a word.
    static func close(_ channel: any Channel) async {
        try? await channel.close()
    }

    private func readMessage(
        _ body: RequestBodyReader, _ header: inout RequestHeader
    ) async throws -> (message: Message, rest: ArraySlice<UInt8>) {
        var decoder = MessageDecoder(limits: DecodingLimits(maxBytes: limits.attributeBytes))
        do {
            while let piece = try await body.next() {
                header.note(piece)
                if let read = try decoder.feed(piece) { return read }
            }
            try decoder.finish()
        } catch let error as DecodingError where error.code == .tooLarge || error.code == .tooMany {
            throw Refusal(status: .clientErrorRequestEntityTooLarge, reason: error.description)
        } catch let error as DecodingError {
            throw Refusal(status: .clientErrorBadRequest, reason: error.description)
        }
        throw Refusal(status: .clientErrorBadRequest, reason: "the request has no end")
    }

    /// The document data after the attributes, inflated when `compression` says so, and bounded.
    private func document(
        of message: Message, rest: ArraySlice<UInt8>, body: RequestBodyReader
    ) throws -> DocumentStream {
        let name = message[.operation]?.string("compression") ?? Compression.none.rawValue
        guard let compression = Compression(rawValue: name) else {
            throw Refusal(
                status: .clientErrorCompressionNotSupported,
                reason: "'\(name)' is not read here; use gzip, deflate or none")
        }
        let tail = DocumentTail(first: rest, then: body)
        guard compression != .none else {
            let limit = ByteLimit(limits.documentBytes) { () async throws(DocumentStreamError) in try await tail.next()
            }
            return DocumentStream { () async throws(DocumentStreamError) in try await limit.next() }
        }
        let inflater = Inflater(
            { () async throws(DocumentStreamError) in try await tail.next() }, compression: compression,
            ratio: limits.inflationRatio)
        let limit = ByteLimit(limits.documentBytes) { () async throws(DocumentStreamError) in try await inflater.next()
        }
        return DocumentStream { () async throws(DocumentStreamError) in try await limit.next() }
    }
}

/// Closes the connection that it is added to; at the front of the pipeline, before TLS could say goodbye.
private final class AbruptEnd: ChannelInboundHandler, Sendable {
    typealias InboundIn = NIOAny

    func handlerAdded(context: ChannelHandlerContext) { context.close(promise: nil) }
}

/// The answer ends here, as planned.
private struct BrokenOff: Error {}

/// Why a request does not reach the responder, as an IPP status.
private struct Refusal: Error {
    var status: Status
    var reason: String
}

/// The first eight bytes of a request, for answers to those whose rest cannot be read (RFC 8010 §3.1).
private struct RequestHeader {
    private var bytes: [UInt8] = []

    mutating func note(_ piece: ArraySlice<UInt8>) {
        if bytes.count < 8 { bytes += piece.prefix(8 - bytes.count) }
    }

    /// The refusal as IPP when the request said what to answer to, as plain HTTP otherwise.
    func response(_ refusal: Refusal) -> Response {
        guard bytes.count == 8 else { return .text(.badRequest, refusal.reason) }
        let request = Message(
            version: Version(major: bytes[0], minor: bytes[1]),
            operation: Operation(rawValue: UInt16(bytes[2]) << 8 | UInt16(bytes[3])),
            requestID: bytes[4...].reduce(Int32(0)) { $0 << 8 | Int32($1) })
        return .ipp(request.reply(refusal.status, refusal.reason))
    }
}

extension Response {
    /// An IPP answer; sent in pieces as they are made when it may be long.
    fileprivate static func ipp(_ answer: IPPAnswer) -> Response {
        if let substitute = answer.substitute { return .substitute(substitute) }
        if answer.more == nil, let encoded = answer.encoded {
            return .ipp(ResponseBody(byteBuffer: ByteBuffer(bytes: encoded)))
        }
        guard let more = answer.more, let beginning = try? answer.message.encodedBeginning() else {
            return .ipp(answer.message)
        }
        return .ipp(
            ResponseBody { writer in
                try await writer.write(ByteBuffer(bytes: beginning))
                // What goes wrong from here on breaks the connection, so that nobody takes a part for the whole.
                while let bytes = try await encodedPart(more) { try await writer.write(ByteBuffer(bytes: bytes)) }
                try await writer.write(ByteBuffer(bytes: Message.encodedEnd))
                try await writer.finish(nil)
            })
    }

    /// The next part of a long answer, made where it holds up nobody whose requests are read by the same thread.
    private static func encodedPart(_ more: IPPAnswer.More) async throws -> [UInt8]? {
        try await withTaskExecutorPreference(globalConcurrentExecutor) {
            try await more()?.flatMap { try $0.encoded() }
        }
    }

    /// What a printer that is to answer wrongly sends instead.
    private static func substitute(_ substitute: IPPAnswer.Substitute) -> Response {
        switch substitute {
        case .http(let status):
            return .text(HTTPResponse.Status(code: status), "this printer is to answer wrongly")
        case .bytes(let bytes, breaksOff: false): return .ipp(ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        case .slowBytes(let bytes, let rate):
            return .ipp(
                ResponseBody { writer in
                    // Ten pieces a second, or byte after byte.
                    let size = max(1, rate / 10)
                    for start in stride(from: 0, to: bytes.count, by: size) {
                        let piece = bytes[start..<min(start + size, bytes.count)]
                        try await Task.sleep(for: .seconds(Double(piece.count) / Double(rate)))
                        try await writer.write(ByteBuffer(bytes: piece))
                    }
                    try await writer.finish(nil)
                })
        case .reset: return .ipp(ResponseBody { _ in throw BrokenOff() })
        case .bytes(let bytes, breaksOff: true):
            return .ipp(
                ResponseBody { writer in
                    try await writer.write(ByteBuffer(bytes: bytes))
                    throw BrokenOff()
                })
        }
    }

    /// An IPP answer in one piece; one that cannot be encoded becomes a bare `server-error-internal-error`.
    fileprivate static func ipp(_ message: Message) -> Response {
        let bytes: [UInt8]
        if let encoded = try? message.encoded() {
            bytes = encoded
        } else {
            let id = UInt32(bitPattern: message.requestID)
            let status = Status.serverErrorInternalError.rawValue
            bytes =
                [message.version.major, message.version.minor, UInt8(status >> 8), UInt8(status & 0xFF)]
                + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: id >> $0) } + Message.encodedEnd
        }
        return .ipp(ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    private static func ipp(_ body: ResponseBody) -> Response {
        Response(status: .ok, headers: [.contentType: "application/ipp", .cacheControl: "no-cache"], body: body)
    }
}
