// Answers as a printer gives them that has gone wrong.

package import IPP
package import PrintIPP
import PrinterSimulator
import Synchronization

/// Answers as the printers' faults say; without faults as what stands behind it.
package struct FaultyAnswers: IPPResponder {
    private let responder: any IPPResponder
    private let service: SimulatorService
    private let clock: any Clock<Duration>
    private let lastAnswers = LastAnswers()

    /// Faulty answers before what answers well.
    package init(
        _ responder: any IPPResponder, service: SimulatorService, clock: any Clock<Duration> = ContinuousClock()
    ) {
        (self.responder, self.service, self.clock) = (responder, service, clock)
    }

    /// The answer in one message, as far as a message can be wrong.
    package func respond(to request: IPPRequest) async -> Message { await answer(to: request).message }

    /// The answer, wrong in any way that was planned.
    package func answer(to request: IPPRequest) async -> IPPAnswer {
        guard let printer = service.device(meantBy: request.message) else { return await responder.answer(to: request) }
        let (isSwitchedOff, met) = await printer.reception(of: request.message.operation.description)
        guard !isSwitchedOff else { return .broken(after: []) }
        guard let met, case let fault = met.fault, case .answer(let kind) = fault.kind else {
            let answer = await responder.answer(to: request)
            lastAnswers.note(answer, of: printer.description.name)
            return answer
        }
        switch kind {
        case .status(let keyword):
            return IPPAnswer(request.message.reply(Status(keyword: keyword), "the printer has a fault: \(fault)"))
        case .http(let status): return .http(status)
        case .malformed: return .bytes(Self.malformed(request.message))
        case .drop:
            let answer = await responder.answer(to: request)
            let bytes = (try? await answer.whole().encoded()) ?? []
            return .broken(after: Array(bytes.prefix(fault.start.byte ?? bytes.count / 2)))
        case .refuse: return .reset
        case .reset:
            let cut = DocumentCut(after: fault.start.byte ?? 0)
            var request = request
            request.document = cut.stream(of: request.document)
            let answer = await responder.answer(to: request)
            return cut.isReached ? .reset : answer
        case .trickle(let rate):
            let answer = await responder.answer(to: request)
            return .slow((try? await answer.whole().encoded()) ?? [], perSecond: rate)
        case .duplicate:
            let answer = await responder.answer(to: request)
            return lastAnswers.last(of: printer.description.name) ?? answer
        case .stall:
            await stall(for: met, hangUp: request)
            return await responder.answer(to: request)
        case .wrongState:
            guard var message = try? await responder.answer(to: request).whole() else { return .broken(after: []) }
            for index in message.groups.indices where message.groups[index].tag == .job {
                message.groups[index]["job-state"] = Attribute("job-state", .enumeration(3))
                message.groups[index]["job-state-reasons"] = Attribute("job-state-reasons", .keyword("none"))
            }
            return IPPAnswer(message)
        case .handshake: return await responder.answer(to: request)  // it is over
        }
    }

    /// Waits for as long as the fault says, until it is cleared, or until nobody waits for the answer.
    private func stall(for fault: TriggeredFault, hangUp request: IPPRequest) async {
        await withTaskGroup { group in
            group.addTask { await request.hangUp.wait() }
            group.addTask { [clock] in await fault.untilOver(by: clock) }
            await group.next()
            group.cancelAll()
        }
    }

    /// The head of a good answer, and then a name that is longer than all the rest.
    private static func malformed(_ message: Message) -> [UInt8] {
        let id = UInt32(bitPattern: message.requestID)
        return [message.version.major, message.version.minor, 0, 0]
            + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: id >> $0) }
            + [0x01, 0x47, 0x7F, 0xFF] + Array("attributes".utf8)
    }
}

/// What each printer answered last, as long as it was one message.
private final class LastAnswers: Sendable {
    private let answers = Mutex<[String: IPPAnswer]>([:])

    func note(_ answer: IPPAnswer, of printer: String) {
        guard answer.more == nil, answer.substitute == nil else { return }
        answers.withLock { $0[printer] = answer }
    }

    func last(of printer: String) -> IPPAnswer? { answers.withLock { $0[printer] } }
}

/// A document that ends in the middle.
private final class DocumentCut: Sendable {
    private let left: Mutex<Int>

    init(after bytes: Int) { left = Mutex(bytes) }

    /// Whether there was more of the document than is let through.
    var isReached: Bool { left.withLock { $0 < 0 } }

    func stream(of document: DocumentStream) -> DocumentStream {
        let source = DocumentSourceBox(document)
        return DocumentStream { () async throws(DocumentStreamError) in
            guard let piece = try await source.next() else { return nil }
            let isCut = self.left.withLock { left in
                left -= piece.count
                return left < 0
            }
            guard !isCut else { throw DocumentStreamError(.interrupted, "the connection was reset, as planned") }
            return piece
        }
    }
}

/// The pieces of a document, one at a time.
private actor DocumentSourceBox {
    private var pieces: DocumentStream.AsyncIterator

    init(_ document: DocumentStream) { pieces = document.makeAsyncIterator() }

    func next() async throws(DocumentStreamError) -> ArraySlice<UInt8>? {
        var pieces = pieces
        defer { self.pieces = pieces }
        return try await pieces.next()
    }
}
