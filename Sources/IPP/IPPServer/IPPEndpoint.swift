// The state that all connections of a server share: the responders and the limits.

import IPP
import Logging
import PrintIPP

/// The responders and the limits that all connections of a server share.
struct IPPEndpoint: Sendable {
    let responder: any IPPResponder
    let web: WebResponder
    let filter: RequestFilter
    let limits: IPPServer.Limits
    let memory: RequestMemory
    let logger: Logger
    let date = AnswerDate()

    /// The stream is decompressed according to `compression` and limited in size.
    ///
    /// - Throws: `Refusal` if the compression is not supported.
    func document(of message: Message, in body: RequestBody) throws -> DocumentStream {
        let name = message[.operation]?.string("compression") ?? Compression.none.rawValue
        guard let compression = Compression(rawValue: name) else {
            throw Refusal(
                status: .clientErrorCompressionNotSupported,
                reason: "the compression '\(name)' is not supported; use gzip, deflate or none")
        }
        guard compression != .none else {
            return limited { () async throws(DocumentStreamError) in try await body.next() }
        }
        let inflater = Inflater(
            { () async throws(DocumentStreamError) in try await body.next() }, compression: compression,
            ratio: limits.inflationRatio)
        return limited { () async throws(DocumentStreamError) in try await inflater.next() }
    }

    private func limited(_ source: @escaping DocumentStream.Next) -> DocumentStream {
        guard limits.documentBytes < .max else { return DocumentStream(next: source) }
        let limit = ByteLimit(limits.documentBytes, source)
        return DocumentStream { () async throws(DocumentStreamError) in try await limit.next() }
    }
}
