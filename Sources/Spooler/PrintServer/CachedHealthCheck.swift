// The check-up of `printq doctor`, done once for all who ask at the same time.

/// Does one check-up at a time, and gives its result to all who ask meanwhile and shortly after.
///
/// A check-up starts processes and asks every printer, so it must not be done as often as clients ask for it.
actor CachedHealthCheck {
    /// How long a result is given out, as long as nothing has happened in the spool.
    static let validity = Duration.seconds(2)

    private let look: @Sendable () async -> [String]
    private let latestEvent: @Sendable () async -> Int?
    private let now: @Sendable () -> ContinuousClock.Instant
    private var last: (lines: [String], event: Int?, at: ContinuousClock.Instant)?
    private var running: Task<[String], Never>?

    /// A check-up of what `look` looks at.
    ///
    /// - Parameter latestEvent: the number of the spool's last event; a result is not given out any more after another one.
    init(
        latestEvent: @escaping @Sendable () async -> Int?,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        _ look: @escaping @Sendable () async -> [String]
    ) {
        (self.latestEvent, self.now, self.look) = (latestEvent, now, look)
    }

    /// The lines of a check-up.
    func lines() async -> [String] {
        let event = await latestEvent()
        if let running { return await running.value }
        if let last, last.event == event, now() - last.at < Self.validity { return last.lines }
        let task = Task { await look() }
        running = task
        let lines = await task.value
        running = nil
        last = (lines, event, now())
        return lines
    }
}
