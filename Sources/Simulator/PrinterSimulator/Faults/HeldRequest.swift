// Requests and handshakes that a fault delays.

/// A request or TLS handshake that a fault delays: the simulated printer does not respond until the fault ends.
struct HeldRequest {
    var fault: Fault
    var end: AsyncStream<Void>.Continuation

    var isWaiting: Bool { if case .terminated = end.yield() { false } else { true } }
}

package struct TriggeredFault: Sendable {
    package let fault: Fault
    private let cleared: AsyncStream<Void>

    init(_ fault: Fault, until cleared: AsyncStream<Void>) { (self.fault, self.cleared) = (fault, cleared) }

    /// Waits until the fault is cleared, the duration of the fault has passed, or the task is canceled.
    ///
    /// If a fault is limited to a number of requests, the schedule removes the fault when the last of these requests
    /// arrives. The fault still delays that request until a command clears the fault.
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
    /// If the fault delays requests, the caller then calls `untilOver(by:)` of the result to wait for the end of the
    /// fault.
    func meet(_ fault: Fault) -> TriggeredFault {
        let (cleared, end) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        held.removeAll { !$0.isWaiting }
        if fault.holdsRequests { held.append(HeldRequest(fault: fault, end: end)) } else { end.finish() }
        return TriggeredFault(fault, until: cleared)
    }

    var heldFaults: [Fault] { held.filter(\.isWaiting).map(\.fault) }

    /// Releases every request that is delayed by a fault with the given name.
    ///
    /// The name `all` stands for every fault.
    ///
    /// Returns whether any request was released.
    func release(heldBy name: String) -> Bool {
        let released = held.filter { $0.isWaiting && (name == "all" || $0.fault.name == name) }
        held.removeAll { !$0.isWaiting || name == "all" || $0.fault.name == name }
        for request in released { request.end.finish() }
        return !released.isEmpty
    }
}

extension Fault {
    var holdsRequests: Bool { kind == .answer(.stall) || kind == .answer(.handshake(.stall)) }

    /// The duration of a response fault in seconds; nil if the fault has no time limit or delays requests.
    ///
    /// The time limit of a fault that delays requests applies to each request separately. The fault itself stays active
    /// until a command clears the fault.
    var secondsOfAnswers: Double? {
        guard case .answer = kind, !holdsRequests, case .seconds(let seconds) = end else { return nil }
        return seconds
    }
}
