import PrintTestSupport

/// A clock that also provides the wall-clock time; sleeping advances both times.
protocol FixtureClock: Clock<Duration> {
    /// The time since the start, in seconds.
    var seconds: Double { get }
}

extension TestClock: FixtureClock {
    var seconds: Double { now.offset / .seconds(1) }
}

/// A clock on which every sleep ends at once and advances the time to the deadline of the sleep.
final class FlyingClock: FixtureClock {
    typealias Instant = TestClock.Instant

    private let clock = TestClock()

    var now: Instant { clock.now }
    var minimumResolution: Duration { clock.minimumResolution }
    var seconds: Double { clock.seconds }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        clock.advance(by: max(.zero, clock.now.duration(to: deadline)))
        await Task.yield()
        try Task.checkCancellation()
    }
}
