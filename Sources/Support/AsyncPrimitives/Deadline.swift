// Limits the time of asynchronous work.

/// Runs asynchronous work with a time limit, and returns the result of the work.
///
/// Returns nil if the work exceeds the time limit, or if the calling task is canceled before the work ends.
///
/// Work that exceeds the limit is canceled. The function returns only after the work has ended, so the work must handle
/// cancellation.
///
///     let answer = await outcome(within: .seconds(2)) { await printer.status() }
public func outcome<Value: Sendable>(
    within time: Duration, by clock: any Clock<Duration> = ContinuousClock(),
    of work: @escaping @Sendable () async -> Value
) async -> Value? {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { await work() }
        group.addTask {
            try? await clock.sleep(for: time)
            return nil
        }
        defer { group.cancelAll() }
        return await group.next() ?? nil
    }
}
