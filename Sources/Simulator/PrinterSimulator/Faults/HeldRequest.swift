// Requests and handshakes that a fault holds.

/// A request, or a handshake, that gets no answer before its fault ends.
struct HeldRequest {
    var fault: Fault
    var end: AsyncStream<Void>.Continuation

    /// Whether somebody still waits.
    var isWaiting: Bool { if case .terminated = end.yield() { false } else { true } }
}

/// A fault that a request, or a handshake, has met.
package struct TriggeredFault: Sendable {
    /// The fault.
    package let fault: Fault
    /// Ends when the fault is cleared.
    private let cleared: AsyncStream<Void>

    init(_ fault: Fault, until cleared: AsyncStream<Void>) { (self.fault, self.cleared) = (fault, cleared) }

    /// Waits until the fault is cleared, or for as long as it says, or until the task is cancelled.
    ///
    /// One that happens a number of times is spent when it is met, and yet goes on until it is cleared.
    package func untilOver(by clock: any Clock<Duration>) async {
        await withTaskGroup { [cleared, fault] group in
            group.addTask { for await _ in cleared {} }
            if case .seconds(let seconds) = fault.end {
                group.addTask { try? await clock.sleep(for: .seconds(seconds)) }
            }
            await group.next()
            group.cancelAll()
        }
    }
}

extension SimulatedPrinter {
    /// Notes that a request has met a fault; if the fault holds it, until it is cleared.
    func meet(_ fault: Fault) -> TriggeredFault {
        let (cleared, end) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        held.removeAll { !$0.isWaiting }
        if fault.holdsRequests { held.append(HeldRequest(fault: fault, end: end)) } else { end.finish() }
        return TriggeredFault(fault, until: cleared)
    }

    /// The faults for which somebody waits now.
    var heldFaults: [Fault] { held.filter(\.isWaiting).map(\.fault) }

    /// Lets those go on that a fault of a name holds, or any (`all`); whether there were any.
    func release(heldBy name: String) -> Bool {
        let released = held.filter { $0.isWaiting && (name == "all" || $0.fault.name == name) }
        held.removeAll { !$0.isWaiting || name == "all" || $0.fault.name == name }
        for request in released { request.end.finish() }
        return !released.isEmpty
    }
}

extension Fault {
    /// Whether requests wait for its end.
    var holdsRequests: Bool { kind == .answer(.stall) || kind == .answer(.handshake(.stall)) }

    /// For how many seconds clients are answered wrongly; nil when that does not end by the clock.
    ///
    /// A fault that holds requests holds each of them for its seconds, and itself goes on until it is cleared.
    var secondsOfAnswers: Double? {
        guard case .answer = kind, !holdsRequests, case .seconds(let seconds) = end else { return nil }
        return seconds
    }
}
