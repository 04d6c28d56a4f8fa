// Delivers the events of `printq watch` one at a time.

package import SpoolerClient

extension EventWatch {
    /// Delivers events until `onEvent` returns false or the task is canceled.
    ///
    /// - Parameters:
    ///   - onStart: The function that is called one time, when the subscription is active. If the function returns
    ///     false, only past events are delivered.
    ///   - onEvent: The function that is called for each event. The function returns false to end the delivery.
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
