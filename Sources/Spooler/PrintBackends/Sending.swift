// One request on its way out.

import IPP
import IPPClient
import Synchronization

/// A request with its document, which is sent once.
final class Sending: Sendable {
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

    /// Whether anything of the document may have gone out, so that it is not sent again.
    var hasBegun: Bool { begun.withLock { $0 } }

    /// Sends it on a connection, and reads the answer.
    ///
    /// The server is asked before a document goes out. Where it answers while the document is sent, that ends the sending.
    func go(
        on line: HTTPLine, authorization: String?, expects: Bool, goAhead: Double, bounds: LibcupsTransport.Bounds
    ) async throws(IPPClientError) -> HTTPLine.Reply {
        var hasBody = false
        do throws(IPPClientError) {
            let length = document == nil ? attributes.count : document?.length.map { $0 + attributes.count }
            let head = HTTPLine.Head(
                path: path, length: length, authorization: authorization, expectsContinue: expects && document != nil)
            guard
                try await line.perform(within: bounds.sending, orElse: .timedOut("take the request"), { $0.post(head) })
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
            var reply = try await line.perform(within: bounds.answer, orElse: .timedOut("answer")) {
                $0.readReply(limit: bounds.answerBytes)
            }.get()
            // Answered before all was sent: the rest would be taken for a new request.
            reply.isReusable = reply.isReusable && isWhole
            return reply
        } catch {
            var error = error
            error.mayHaveBeenReceived = hasBody
            throw error
        }
    }

    /// Sends attributes and document; `false` when the server takes no more of them.
    private func sendBody(on line: HTTPLine, _ bounds: LibcupsTransport.Bounds) async throws(IPPClientError) -> Bool {
        guard try await write(attributes[...], on: line, bounds) else { return false }
        guard let document else { return true }
        begun.withLock { $0 = true }
        var left = document.length
        while left != 0, let piece = try await next(of: document) {
            if let known = left {
                guard piece.count <= known else {
                    throw .documentUnreadable("the document", "it is longer than was announced", sent: true)
                }
                left = known - piece.count
            }
            guard try await write(piece, on: line, bounds) else { return false }
        }
        guard left ?? 0 == 0 else {
            throw .documentUnreadable("the document", "it is shorter than was announced", sent: true)
        }
        guard left == nil else { return true }
        return try await line.perform(within: bounds.sending, orElse: .timedOut("take the document")) {
            $0.finishBody()
        }
    }

    /// The next piece; who is cancelled waits for none, and must not take that for the document's end.
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
        _ piece: ArraySlice<UInt8>, on line: HTTPLine, _ bounds: LibcupsTransport.Bounds
    ) async throws(IPPClientError) -> Bool {
        try await line.perform(within: bounds.sending, orElse: .timedOut("take the document")) { $0.write(piece) }
    }
}
