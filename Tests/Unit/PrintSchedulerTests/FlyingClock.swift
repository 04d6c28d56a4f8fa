import PrintTestSupport

/// A clock that tells the wall's time too, so that sleeping moves both.
protocol WorldClock: Clock<Duration> {
    /// How far it has come, in seconds.
    var seconds: Double { get }
}

extension TestClock: WorldClock {
    var seconds: Double { now.offset / .seconds(1) }
}

/// A clock on which every sleep is over at once: time flies to where the sleeper wants to wake.
final class FlyingClock: WorldClock {
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
