// What `printq watch` makes of the news: one event after the other.

package import SpoolerClient

extension EventWatch {
    /// Tells every event until there are enough, or the task is cancelled.
    ///
    /// - Parameters:
    ///   - onStart: called once, when no event can be missed any more; false to be told only what has happened already.
    ///   - onEvent: called for each event; false when it was the last one to wait for.
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
