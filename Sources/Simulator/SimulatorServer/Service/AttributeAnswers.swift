// Get-Printer-Attributes, worked out once for all who ask alike.

package import IPP
package import PrintIPP
import PrinterSimulator
import Synchronization

/// Answers Get-Printer-Attributes as what stands behind it does, from memory where that would say the same again.
///
/// Clients ask for the same attributes over and over, some of them many times a second. As long as the printer is as it was,
/// and in the same second (no time in the answer is finer), only the number of the request is new.
package final class AttributeAnswers: IPPResponder {
    private let responder: any IPPResponder
    private let service: SimulatorService
    private let memory = Mutex<[Question: Remembered]>([:])

    /// A memory before what answers.
    package init(_ responder: any IPPResponder, service: SimulatorService) {
        (self.responder, self.service) = (responder, service)
    }

    /// Returns the answer to a request, from the cache when the printer has not changed.
    package func answer(to request: IPPRequest) async -> IPPAnswer {
        // The number is not part of the question: one that no request may have must not be answered from memory.
        guard request.message.operation == .getPrinterAttributes, request.message.requestID > 0,
            Self.isShort(request.message), let printer = service.device(meantBy: request.message)
        else { return await responder.answer(to: request) }
        let question = Question(request)
        let state = await state(of: printer)
        if let known = memory.withLock({ $0[question] }), known.state == state {
            return known.answer(to: request.message.requestID)
        }
        let answer = await responder.answer(to: request)
        // What changed meanwhile may be in the answer, or not.
        guard answer.more == nil, answer.message.status.rawValue < 0x0100,
            answer.message[.printer]?.string("printer-name") == printer.description.name,
            await self.state(of: printer) == state, let bytes = try? answer.message.encoded()
        else { return answer }
        memory.withLock { memory in
            if memory.count >= Self.most { memory = [:] }
            memory[question] = Remembered(state: state, message: answer.message, bytes: bytes)
        }
        return answer
    }

    private static let most = 64

    /// Whether a question is as clients ask it; others are not worth remembering.
    private static func isShort(_ message: Message) -> Bool {
        message.groups.count == 1 && message.groups[0].attributes.reduce(0) { $0 + $1.values.count } <= 128
    }

    /// What an answer is to: the request but for its number, and the way it came, which decides on the URIs it is told.
    private struct Question: Hashable {
        var message: Message
        var isLocal: Bool

        init(_ request: IPPRequest) {
            message = request.message
            message.requestID = 0
            isLocal = if case .unix = request.peer { true } else { false }
        }
    }

    /// All that an answer depends on beside the question.
    private struct State: Equatable {
        var second: Double
        var status: SimulatedPrinterStatus
        var publishedName: String?
    }

    private func state(of printer: SimulatedPrinter) async -> State {
        let status = await printer.status
        return State(
            second: service.surroundings.now().rounded(.down), status: status,
            publishedName: service.publishedNames.withLock { $0[printer.description.name] })
    }

    private struct Remembered {
        var state: State
        var message: Message
        var bytes: [UInt8]

        /// The same to another request: the bytes 4 to 7 are its number (RFC 8010 §3.1).
        func answer(to requestID: Int32) -> IPPAnswer {
            var (message, bytes) = (message, bytes)
            message.requestID = requestID
            for index in 0..<4 {
                bytes[4 + index] = UInt8(truncatingIfNeeded: UInt32(bitPattern: requestID) >> (24 - 8 * index))
            }
            return IPPAnswer(message, encoded: bytes)
        }
    }
}
