// Runs the health check of `printq doctor` once for concurrent requests.

import PrintModel

/// A cache that runs one health check at a time.
///
/// Concurrent requests receive the same results. Requests within 2 seconds after the check also receive these results,
/// unless the spool has a new event.
///
/// A health check starts processes and queries every printer. Therefore the check must not run for each request.
actor CachedHealthCheck {
    /// The maximum time for which the cache reuses a result.
    ///
    /// A new event of the spool invalidates the result earlier.
    static let validity = Duration.seconds(2)

    private let look: @Sendable () async -> [HealthFinding]
    private let latestEvent: @Sendable () async -> Int?
    private let now: @Sendable () -> ContinuousClock.Instant
    private var last: (findings: [HealthFinding], event: Int?, at: ContinuousClock.Instant)?
    private var running: Task<[HealthFinding], Never>?

    /// Creates a cache for the results of the health check `look`.
    ///
    /// - Parameter latestEvent: A closure that returns the number of the spool's latest event. A new event invalidates
    ///   the cached result.
    init(
        latestEvent: @escaping @Sendable () async -> Int?,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        _ look: @escaping @Sendable () async -> [HealthFinding]
    ) {
        (self.latestEvent, self.now, self.look) = (latestEvent, now, look)
    }

    /// Returns the results of the health check.
    func findings() async -> [HealthFinding] {
        // A new check does not wait for the number of the event, because the database may not respond.
        async let event = latestEvent()
        if let last, now() - last.at < Self.validity, await event == last.event { return last.findings }
        if let running { return await running.value }
        let task = Task { await look() }
        running = task
        let findings = await task.value
        running = nil
        last = (findings, await event, now())
        return findings
    }
}
