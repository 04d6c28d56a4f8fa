// Provides the spool's event log to IPP notifications.

public import PrintIPP
import PrintModel
import PrintSpool

extension SpoolService: EventSource {
    /// Returns the number of the newest event.
    public func latestEvent() async throws -> Int {
        try await spool.latestEventSequence()
    }

    /// Returns the events after the given event number, from memory if possible, otherwise from the event log.
    public func events(after number: Int, limit: Int) async throws -> EventPage {
        try await recent.page(after: number, limit: limit)
    }

    /// Returns a stream that has a new element after each database commit that changed the spool.
    public func eventChanges() -> AsyncStream<Void> { spool.changes() }
}
