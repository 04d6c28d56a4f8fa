// Requests and handshakes that a fault delays.

/// A request or TLS handshake that is not answered until its fault ends.
struct HeldRequest {
    var fault: Fault
    var end: AsyncStream<Void>.Continuation

    /// Whether the request still waits.
    var isWaiting: Bool { if case .terminated = end.yield() { false } else { true } }
}

/// A fault that affects a request or a TLS handshake.
package struct TriggeredFault: Sendable {
    /// The fault.
    package let fault: Fault
    /// A stream that ends when the fault is cleared.
    private let cleared: AsyncStream<Void>

    init(_ fault: Fault, until cleared: AsyncStream<Void>) { (self.fault, self.cleared) = (fault, cleared) }

    /// Waits until the fault is cleared, its duration has passed, or the task is canceled.
    ///
    /// The schedule drops a fault with a count when the last counted request arrives. The fault still delays that
    /// request until the fault is cleared.
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
    /// Records that a fault affects a request.
    ///
    /// If the fault delays requests, `untilOver(by:)` of the result waits for the end of the fault.
    func meet(_ fault: Fault) -> TriggeredFault {
        let (cleared, end) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        held.removeAll { !$0.isWaiting }
        if fault.holdsRequests { held.append(HeldRequest(fault: fault, end: end)) } else { end.finish() }
        return TriggeredFault(fault, until: cleared)
    }

    /// The faults that delay requests now.
    var heldFaults: [Fault] { held.filter(\.isWaiting).map(\.fault) }

    /// Releases the requests that are delayed by faults with the given name.
    ///
    /// `all` stands for every fault.
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
    /// Whether the fault delays requests until its end.
    var holdsRequests: Bool { kind == .answer(.stall) || kind == .answer(.handshake(.stall)) }

    /// The duration of a response fault in seconds; nil when the fault has no time limit.
    ///
    /// A fault that delays requests applies its duration to each request. The fault itself stays active until it is
    /// cleared.
    var secondsOfAnswers: Double? {
        guard case .answer = kind, !holdsRequests, case .seconds(let seconds) = end else { return nil }
        return seconds
    }
}
