// Sends one IPP request with its document.

import IPP
import IPPClient
import Synchronization

/// An IPP request with an optional document.
///
/// The document is sent at most once. The request can be sent again if no part of the document was sent.
final class RequestTransfer: Sendable {
    let operation: IPP.Operation
    let path: String
    private let attributes: [UInt8]
    private let document: (any DocumentReading)?
    private let begun = Mutex(false)

    init(_ operation: IPP.Operation, path: String, attributes: [UInt8], document: (any DocumentReading)?) {
        self.operation = operation
        self.path = path
        self.attributes = attributes
        self.document = document
    }

    /// Whether a part of the document may have been sent.
    ///
    /// If a part may have been sent, the request must not be sent again.
    var hasBegun: Bool { begun.withLock { $0 } }

    /// Sends the request on a connection, and reads the response.
    ///
    /// The document is sent when the server permits the transfer (`Expect: 100-continue`), or when the server has not
    /// responded for `goAhead` seconds. A response that arrives during the transfer ends the transfer.
    func go(
        on line: HTTPConnection, authorization: String?, expects: Bool, goAhead: Double, bounds: LibcupsTransport.Bounds
    ) async throws(IPPClientError) -> HTTPConnection.Reply {
        var hasBody = false
        do throws(IPPClientError) {
            let length = document == nil ? attributes.count : document?.length.map { $0 + attributes.count }
            let head = HTTPConnection.Head(
                path: path, length: length, authorization: authorization, expectsContinue: expects && document != nil)
            guard
                try await line.perform(
                    within: bounds.sending, orElse: .timedOut("accept the request"), { $0.post(head) })
            else { throw .closedBefore }
            var isAnswered = false
            if head.expectsContinue {
                isAnswered = try await line.perform(
                    within: goAhead + bounds.answer, orElse: .timedOut("answer")
                ) { $0.answers(within: goAhead) }
            }
            var isWhole = false
            if !isAnswered {
                hasBody = true
                isWhole = try await sendBody(on: line, bounds)
            }
            let limits = bounds.limits(ofAnswerTo: operation)
            var reply = try await line.perform(within: bounds.answer, orElse: .timedOut("answer")) {
                $0.readReply(limits: limits)
            }.get()
            // The response arrived before the end of the body. The server would read the rest of the body as a new
            // request.
            reply.isReusable = reply.isReusable && isWhole
            return reply
        } catch {
            var error = error
            error.mayHaveBeenReceived = hasBody
            throw error
        }
    }

    /// Sends the attributes and the document; returns `false` if the server accepts no more data.
    private func sendBody(on line: HTTPConnection, _ bounds: LibcupsTransport.Bounds) async throws(IPPClientError)
        -> Bool
    {
        guard try await write(attributes[...], on: line, bounds) else { return false }
        guard let document else { return true }
        begun.withLock { $0 = true }
        var left = document.length
        while left != 0, let piece = try await next(of: document) {
            if let known = left {
                guard piece.count <= known else {
                    throw .documentUnreadable(
                        "the document", "the data is longer than the announced length", sent: true)
                }
                left = known - piece.count
            }
            guard try await write(piece, on: line, bounds) else { return false }
        }
        guard left ?? 0 == 0 else {
            throw .documentUnreadable("the document", "the data is shorter than the announced length", sent: true)
        }
        guard left == nil else { return true }
        return try await line.perform(within: bounds.sending, orElse: .timedOut("accept the document")) {
            $0.finishBody()
        }
    }

    /// Returns the next part of the document; nil at the end of the document.
    ///
    /// Throws an error if the task is canceled, because nil would mean the end of the document.
    private func next(of document: any DocumentReading) async throws(IPPClientError) -> ArraySlice<UInt8>? {
        let result = await withTaskCancellationHandler {
            do throws(IPPClientError) {
                return Result<ArraySlice<UInt8>?, IPPClientError>.success(try await document.next())
            } catch {
                return .failure(error)
            }
        } onCancel: {
            document.stop()
        }
        guard !Task.isCancelled else { throw .canceled(sent: true) }
        return try result.get()
    }

    private func write(
        _ piece: ArraySlice<UInt8>, on line: HTTPConnection, _ bounds: LibcupsTransport.Bounds
    ) async throws(IPPClientError) -> Bool {
        try await line.perform(within: bounds.sending, orElse: .timedOut("accept the document")) { $0.write(piece) }
    }
}
