// Caches the responses to Get-Printer-Attributes.

import IPP
package import PrintIPP
import PrinterSimulator
import Synchronization

/// A responder that caches another responder's responses to Get-Printer-Attributes.
///
/// Clients request the same attributes repeatedly, sometimes many times per second. A cached response is valid until
/// the printer's state changes, and at most until the current second ends, because the response contains times in whole
/// seconds. Responses from the cache differ only in the request ID.
package final class AttributeAnswers: IPPResponder {
    private let responder: any IPPResponder
    private let service: SimulatorService
    private let memory = Mutex<[Question: Remembered]>([:])

    package init(_ responder: any IPPResponder, service: SimulatorService) {
        (self.responder, self.service) = (responder, service)
    }

    package func answer(to request: IPPRequest) async -> IPPAnswer {
        // The request ID is not part of the cache key. A request with an invalid ID must not be answered from the
        // cache.
        guard request.message.operation == .getPrinterAttributes, request.message.requestID > 0,
            Self.isShort(request.message), let printer = service.device(meantBy: request.message)
        else { return await responder.answer(to: request) }
        let question = Question(request)
        let state = await state(of: printer)
        if let known = memory.withLock({ $0[question] }), known.state == state {
            return known.answer(to: request.message.requestID)
        }
        let answer = await responder.answer(to: request)
        // If the printer has changed in the meantime, the response may be stale, so it is not cached.
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

    private static func isShort(_ message: Message) -> Bool {
        message.groups.count == 1 && message.groups[0].attributes.reduce(0) { $0 + $1.values.count } <= 128
    }

    /// The cache key: the request without the request ID, and the kind of connection.
    ///
    /// The kind of connection determines the URIs in the response.
    private struct Question: Hashable {
        var message: Message
        var isLocal: Bool

        init(_ request: IPPRequest) {
            message = request.message
            message.requestID = 0
            isLocal = if case .unix = request.peer { true } else { false }
        }
    }

    private struct State: Equatable {
        var second: Double
        var status: SimulatedPrinterStatus
        var publishedName: String?
    }

    private func state(of printer: SimulatedPrinter) async -> State {
        let status = await printer.status
        return State(
            second: service.environment.now().rounded(.down), status: status,
            publishedName: service.publishedNames.withLock { $0[printer.description.name] })
    }

    private struct Remembered {
        var state: State
        var message: Message
        var bytes: [UInt8]

        /// Returns this response with the given request ID.
        ///
        /// The bytes 4 to 7 contain the request ID (RFC 8010 §3.1).
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
