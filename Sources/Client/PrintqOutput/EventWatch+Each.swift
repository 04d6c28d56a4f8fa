// Delivers the events of `printq watch` one at a time.

package import SpoolerClient

extension EventWatch {
    /// Delivers events until `onEvent` returns false or the task is canceled.
    ///
    /// - Parameters:
    ///   - onStart: Called once, when printd records all later events for this watch. If `onStart` returns false, only
    ///     past events are delivered.
    ///   - onEvent: Called for each event. Returns false to end the watch.
    package func run(
        onStart: () async throws(SpoolerClientError) -> Bool, onEvent: (EventView) throws(SpoolerClientError) -> Bool
    ) async throws(SpoolerClientError) {
        var waits: Bool?
        try await run { (events: [EventView]) async throws(SpoolerClientError) in
            guard let isWaiting = waits else {
                let isWaiting = try await onStart()
                waits = isWaiting
                return isWaiting ? .wait : .catchUp
            }
            for event in events {
                let isLast = try !onEvent(event)
                if isLast, isWaiting { return .stop }
            }
            return isWaiting ? .wait : .catchUp
        }
    }
}
