// Runs the health check of `printq doctor` once for concurrent requests.

/// A cache that runs one health check at a time. All concurrent requests, and all requests for a short time afterwards,
/// get the same result.
///
/// A health check starts processes and queries every printer, so it must not run for each request.
actor CachedHealthCheck {
    /// The time for which a result is reused, if the spool has no new events.
    static let validity = Duration.seconds(2)

    private let look: @Sendable () async -> [String]
    private let latestEvent: @Sendable () async -> Int?
    private let now: @Sendable () -> ContinuousClock.Instant
    private var last: (lines: [String], event: Int?, at: ContinuousClock.Instant)?
    private var running: Task<[String], Never>?

    /// Creates a cache for the health check `look`.
    ///
    /// - Parameter latestEvent: A closure that returns the number of the spool's latest event. A new event invalidates
    ///   the cached result.
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
