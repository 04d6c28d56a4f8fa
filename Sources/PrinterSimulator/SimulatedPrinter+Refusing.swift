// When a printer takes no connections.

import PrintModel

extension Fault {
    /// Whether no connection is accepted while it lasts; a fault of some requests only must read them first.
    package var refusesConnections: Bool {
        guard kind == .answer(.refuse), start.operation == nil, start.chance == nil else { return false }
        if case .times = end { return false }
        return true
    }
}

/// Whether a printer takes connections at one moment.
package struct Refusal: Hashable, Sendable {
    /// Whether it takes none.
    package var isRefusing: Bool
    /// The how many-th answer this is: of two, the one with the higher number is the newer.
    package var number: Int
    /// After how many seconds that ends or begins by itself; nil when it does not.
    package var seconds: Double?
}

extension SimulatedPrinter {
    /// Whether it takes connections now.
    package func refusal() -> Refusal {
        endDueAnswers()
        lastRefusal += 1
        let now = surroundings.now()
        let isRefusing = faults.armed.contains(where: \.refusesConnections)
        let moments =
            isRefusing
            ? answerEnds.filter { $0.fault.refusesConnections }.map(\.end)
            : delayed.filter { $0.fault.refusesConnections }.map(\.at)
        return Refusal(
            isRefusing: isRefusing, number: lastRefusal, seconds: moments.min().map { max(0, $0 - now) })
    }

    /// Ends a refusal whose seconds are over, by whichever clock they were counted.
    package func endRefusal() {
        let over = answerEnds.filter { $0.fault.refusesConnections }
        answerEnds.removeAll { $0.fault.refusesConnections }
        for (fault, _) in over { faults.remove(fault) }
        seeTo()
    }
}
