// Selects the faults that start at a side or a request, without a clock or a printer.

/// The faults that have not started or that can start again, and the random number generator for faults with a
/// probability.
///
/// The same seed, faults and calls produce the same results.
struct FaultSchedule: Sendable {
    private(set) var armed: [Fault] = []
    private var luck: SeededGenerator

    init(_ faults: [Fault] = [], seed: UInt64 = 0) {
        armed = faults
        luck = SeededGenerator(seed: seed)
    }

    mutating func add(_ fault: Fault) { armed.append(fault) }

    mutating func remove(_ name: String) { armed.removeAll { $0.name == name } }

    mutating func remove(_ fault: Fault) {
        if let index = armed.firstIndex(of: fault) { armed.remove(at: index) }
    }

    /// Returns the faults that start immediately because they have no start condition, and removes these faults from
    /// the schedule.
    mutating func beginning() -> [Fault] {
        begin { $0.kind.isOfPrinter && $0.start == Fault.Start() }
    }

    /// Returns the faults that start before the given side of a job.
    ///
    /// The function removes these faults from the schedule, except the faults with a probability.
    mutating func beginning(atJob job: Int, side: Int) -> [Fault] {
        begin { fault in
            let start = fault.start
            return fault.kind.isOfPrinter && start != Fault.Start() && start.job ?? job == job
                && start.page ?? (start.chance == nil ? 1 : side) == side
        }
    }

    mutating func answer(to operation: String) -> Fault? {
        wrongAnswer { !$0.isHandshake && $1.operation ?? operation == operation }
    }

    mutating func handshake() -> Fault? { wrongAnswer { answer, _ in answer.isHandshake } }

    private mutating func wrongAnswer(_ matches: (AnswerFault, Fault.Start) -> Bool) -> Fault? {
        for index in armed.indices {
            var fault = armed[index]
            guard case .answer(let answer) = fault.kind, matches(answer, fault.start), comesUp(fault) else { continue }
            if case .times(let left) = fault.end {
                if left <= 1 {
                    armed.remove(at: index)
                } else {
                    fault.end = .times(left - 1)
                    armed[index] = fault
                }
            }
            return fault
        }
        return nil
    }

    private mutating func begin(where matches: (Fault) -> Bool) -> [Fault] {
        var begun: [Fault] = []
        var left: [Fault] = []
        for fault in armed {
            let begins = matches(fault) && comesUp(fault)
            if begins { begun.append(fault) }
            // A fault with a chance can start again.
            if !begins || fault.start.chance != nil { left.append(fault) }
        }
        armed = left
        return begun
    }

    private mutating func comesUp(_ fault: Fault) -> Bool {
        fault.start.chance.map { luck.number() < $0 } ?? true
    }
}

extension Fault.Kind {
    fileprivate var isOfPrinter: Bool { if case .answer = self { false } else { true } }
}

/// A seeded pseudorandom number generator (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a random number from 0 up to but not including 1.
    mutating func number() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}
