// Work that may not take for ever.

/// What comes of work within a time; nil when it takes longer, or when the task is cancelled before.
///
/// Work that takes too long is cancelled, and has ended when this returns: it must heed that.
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
