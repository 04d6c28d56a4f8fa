// A deterministic environment for reproducible runs.

import PrintModel
import Synchronization

extension SimulatorEnvironment {
    /// Makes the clock, the dates, the UUIDs and the random numbers for faults deterministic.
    ///
    /// After this call, equal sequences of jobs produce equal `job.json` files.
    ///
    /// The printer's time starts at 2026-01-01. The time advances only when the printer waits. A wait causes no real
    /// delay.
    package mutating func become(seeded seed: UInt64) {
        let clock = SeededClock()
        let luck = Mutex(SeededGenerator(seed: seed))
        self.seed = seed
        self.clock = clock
        now = { 1_767_225_600 + clock.now.offset / .seconds(1) }
        makeUUID = { luck.withLock { "urn:uuid:\($0.uuid())" } }
    }
}

/// A clock whose time advances only during a sleep.
///
/// A sleep returns immediately, and advances the clock by the duration of the sleep.
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
    /// Returns a UUID of version 8, because this version allows arbitrary bits (RFC 9562).
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
