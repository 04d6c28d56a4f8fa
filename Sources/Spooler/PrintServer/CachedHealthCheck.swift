// The health check of `printq doctor`, shared by concurrent requests.

/// A health check that runs once at a time, and whose result is shared by concurrent and immediately following
/// requests.
///
/// A health check starts processes and asks every printer, so it must not run as often as clients request it.
actor CachedHealthCheck {
    /// How long a result is reused if no event has happened in the spool.
    static let validity = Duration.seconds(2)

    private let look: @Sendable () async -> [String]
    private let latestEvent: @Sendable () async -> Int?
    private let now: @Sendable () -> ContinuousClock.Instant
    private var last: (lines: [String], event: Int?, at: ContinuousClock.Instant)?
    private var running: Task<[String], Never>?

    /// Creates a health check from the function `look`.
    ///
    /// - Parameter latestEvent: Returns the number of the spool's last event. After another event, a result is not
    ///   reused.
    init(
        latestEvent: @escaping @Sendable () async -> Int?,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        _ look: @escaping @Sendable () async -> [String]
    ) {
        (self.latestEvent, self.now, self.look) = (latestEvent, now, look)
    }

    /// Returns the lines of the health check.
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
