// A world in which nothing is left to chance, for runs that must be the same each time.

import PrintModel
import Synchronization

extension SimulatorEnvironment {
    /// Takes the clock, the date and the names from a seed: the same jobs, one after the other, leave the same `job.json`.
    ///
    /// The printer's time stands at 2026-01-01 and moves only when the printer waits, at once and by just as much.
    package mutating func become(seeded seed: UInt64) {
        let clock = SeededClock()
        let luck = Mutex(SeededGenerator(seed: seed))
        self.seed = seed
        self.clock = clock
        now = { 1_767_225_600 + clock.now.offset / .seconds(1) }
        makeUUID = { luck.withLock { "urn:uuid:\($0.uuid())" } }
    }
}

/// A clock that stands still until someone sleeps by it, and then is at the end of that sleep at once.
private final class SeededClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (a: Instant, b: Instant) -> Bool { a.offset < b.offset }
    }

    private let time = Mutex(Instant(offset: .zero))

    var now: Instant { time.withLock { $0 } }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        await Task.yield()
        time.withLock { $0 = max($0, deadline) }
    }
}

extension SeededGenerator {
    /// A name of RFC 9562's version 8, which may be made in any way.
    fileprivate mutating func uuid() -> String {
        func hex(_ value: UInt64, _ digits: Int) -> String {
            let text = String(value & ((1 << (4 * UInt64(digits))) - 1), radix: 16)
            return String(repeating: "0", count: digits - text.count) + text
        }
        let (high, low) = (next(), next())
        return "\(hex(high >> 32, 8))-\(hex(high >> 16, 4))-8\(hex(high, 3))-\(hex(low >> 48 & 0x3FFF | 0x8000, 4))"
            + "-\(hex(low, 12))"
    }
}
