// What the connections of a server share: who answers, and what a request may bring.

import IPP
import Logging
import PrintIPP

/// The way from a decoded IPP request to the responder.
struct IPPEndpoint: Sendable {
    let responder: any IPPResponder
    let filter: RequestFilter
    let limits: IPPServer.Limits
    let memory: RequestMemory
    let logger: Logger
    let date = AnswerDate()

    /// The document of a request, inflated when `compression` says so, and bounded.
    ///
    /// - Throws: `Refusal` when it is compressed in a way that is not read here.
    func document(of message: Message, in body: ArrivingBody) throws -> DocumentStream {
        let name = message[.operation]?.string("compression") ?? Compression.none.rawValue
        guard let compression = Compression(rawValue: name) else {
            throw Refusal(
                status: .clientErrorCompressionNotSupported,
                reason: "'\(name)' is not read here; use gzip, deflate or none")
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
