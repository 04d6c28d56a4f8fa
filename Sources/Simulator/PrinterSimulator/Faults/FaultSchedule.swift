// Which faults begin when. No clock, no printer.

/// The faults that are to come, and the luck that decides those left to chance.
///
/// The same seed, faults and questions give the same answers.
struct FaultSchedule: Sendable {
    /// Those that have not begun, or may begin again.
    private(set) var armed: [Fault] = []
    private var luck: SeededGenerator

    init(_ faults: [Fault] = [], seed: UInt64 = 0) {
        armed = faults
        luck = SeededGenerator(seed: seed)
    }

    /// Adds a fault that is to come.
    mutating func add(_ fault: Fault) { armed.append(fault) }

    /// Takes back those of that name.
    mutating func remove(_ name: String) { armed.removeAll { $0.name == name } }

    /// Takes back one of them.
    mutating func remove(_ fault: Fault) {
        if let index = armed.firstIndex(of: fault) { armed.remove(at: index) }
    }

    /// Those that wait for no job and no page, and so begin now.
    mutating func beginning() -> [Fault] {
        begin { $0.kind.isOfPrinter && $0.start == Fault.Start() }
    }

    /// Those that begin before a side of a job is printed.
    mutating func beginning(atJob job: Int, side: Int) -> [Fault] {
        begin { fault in
            let start = fault.start
            return fault.kind.isOfPrinter && start != Fault.Start() && start.job ?? job == job
                && start.page ?? (start.chance == nil ? 1 : side) == side
        }
    }

    /// How a request of an operation is answered wrongly; nil when it is answered well.
    mutating func answer(to operation: String) -> Fault? {
        wrongAnswer { !$0.isHandshake && $1.operation ?? operation == operation }
    }

    /// How a handshake goes wrong; nil when it goes well.
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
            // What chance decides may begin again.
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
    /// Whether it happens to the printer, rather than to an answer.
    fileprivate var isOfPrinter: Bool { if case .answer = self { false } else { true } }
}

/// Numbers that look random and follow from a seed (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// The luck of a seed.
    package init(seed: UInt64) { state = seed }

    /// The next 64 bits.
    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not, 1.
    mutating func number() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}
