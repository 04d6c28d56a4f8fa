// Answers requests as a faulty printer does.

import IPP
package import PrintIPP
import PrinterSimulator
import Synchronization

/// A responder that forwards requests, and applies the injected faults of the printers to the responses.
package struct FaultyAnswers: IPPResponder {
    private let responder: any IPPResponder
    private let service: SimulatorService
    private let responses: FaultyResponses
    private let clock: any Clock<Duration>
    private let lastAnswers = LastAnswers()

    /// - Parameter responses: The response faults of the server's connections. A connection fault has no effect on a
    ///   request that the same process sends without a connection.
    package init(
        _ responder: any IPPResponder, service: SimulatorService, responses: FaultyResponses = FaultyResponses(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.responder, self.service, self.responses, self.clock) = (responder, service, responses, clock)
    }

    package func answer(to request: IPPRequest) async -> IPPAnswer {
        guard let printer = service.device(meantBy: request.message) else { return await responder.answer(to: request) }
        let (isSwitchedOff, met) = await printer.reception(of: request.message.operation.description)
        guard !isSwitchedOff else { return unanswered(request, .cut(after: 0)) }
        guard let met, case let fault = met.fault, case .answer(let kind) = fault.kind else {
            let answer = await responder.answer(to: request)
            lastAnswers.note(answer, of: printer.description.name)
            return answer
        }
        switch kind {
        case .status(let keyword):
            return IPPAnswer(request.message.reply(Status(keyword: keyword), "the printer has a fault: \(fault)"))
        case .http(let status): return unanswered(request, .httpStatus(status))
        case .malformed: return IPPAnswer(request.message, encoded: Self.malformed(request.message))
        case .drop:
            let answer = await responder.answer(to: request)
            let bytes = (try? await answer.whole().encoded()) ?? []
            responses.set(.cut(after: fault.start.byte ?? bytes.count / 2), forNextResponseOn: request.connectionID)
            return IPPAnswer(answer.message, encoded: bytes)
        case .refuse: return unanswered(request, .reset)
        case .reset:
            let cut = DocumentCut(after: fault.start.byte ?? 0)
            var request = request
            request.document = cut.stream(of: request.document)
            let answer = await responder.answer(to: request)
            return cut.isReached ? unanswered(request, .reset) : answer
        case .trickle(let rate):
            let answer = await responder.answer(to: request)
            responses.set(.slow(bytesPerSecond: rate), forNextResponseOn: request.connectionID)
            return answer
        case .duplicate:
            let answer = await responder.answer(to: request)
            return lastAnswers.last(of: printer.description.name) ?? answer
        case .stall:
            await stall(for: met, disconnection: request)
            return await responder.answer(to: request)
        case .wrongState:
            guard var message = try? await responder.answer(to: request).whole() else {
                return unanswered(request, .cut(after: 0))
            }
            for index in message.groups.indices where message.groups[index].tag == .job {
                message.groups[index]["job-state"] = Attribute("job-state", .enumeration(3))
                message.groups[index]["job-state-reasons"] = Attribute("job-state-reasons", .keyword("none"))
            }
            return IPPAnswer(message)
        case .handshake: return await responder.answer(to: request)  // it is over
        }
    }

    /// Applies a connection fault to the next response on the connection of a request.
    ///
    /// The function returns a response for the server. The client does not receive this response.
    private func unanswered(_ request: IPPRequest, _ fault: FaultyResponses.Fault) -> IPPAnswer {
        responses.set(fault, forNextResponseOn: request.connectionID)
        return IPPAnswer(request.message.reply(.serverErrorDeviceError, "the printer has a fault"))
    }

    /// Waits until the duration of the fault has passed, a command clears the fault, or the client closes the
    /// connection.
    private func stall(for fault: TriggeredFault, disconnection request: IPPRequest) async {
        await withTaskGroup { group in
            group.addTask { await request.disconnection.wait() }
            group.addTask { [clock] in await fault.untilOver(by: clock) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Returns an invalid response: the head of a correct response, and an attribute whose name is longer than the
    /// message.
    private static func malformed(_ message: Message) -> [UInt8] {
        let id = UInt32(bitPattern: message.requestID)
        return [message.version.major, message.version.minor, 0, 0]
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: id >> $0) }
            + [0x01, 0x47, 0x7F, 0xFF] + Array("attributes".utf8)
    }
}

/// Only responses with a single message are stored.
private final class LastAnswers: Sendable {
    private let answers = Mutex<[String: IPPAnswer]>([:])

    func note(_ answer: IPPAnswer, of printer: String) {
        guard answer.more == nil else { return }
        answers.withLock { $0[printer] = answer }
    }

    func last(of printer: String) -> IPPAnswer? { answers.withLock { $0[printer] } }
}

/// A limit for the length of a document.
///
/// If the document is longer, reading the document fails.
private final class DocumentCut: Sendable {
    private let left: Mutex<Int>

    init(after bytes: Int) { left = Mutex(bytes) }

    /// Whether the document was longer than the allowed number of bytes.
    var isReached: Bool { left.withLock { $0 < 0 } }

    func stream(of document: DocumentStream) -> DocumentStream {
        let source = DocumentSourceBox(document)
        return DocumentStream { () async throws(DocumentStreamError) in
            guard let piece = try await source.next() else { return nil }
            let isCut = self.left.withLock { left in
                left -= piece.count
                return left < 0
            }
            guard !isCut else {
                throw DocumentStreamError(.interrupted, "the connection was reset by an injected fault")
            }
            return piece
        }
    }
}

private actor DocumentSourceBox {
    private var pieces: DocumentStream.AsyncIterator

    init(_ document: DocumentStream) { pieces = document.makeAsyncIterator() }

    func next() async throws(DocumentStreamError) -> ArraySlice<UInt8>? {
        var pieces = pieces
        defer { self.pieces = pieces }
        return try await pieces.next()
    }
}
