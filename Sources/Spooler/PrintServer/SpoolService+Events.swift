// The spool's log as the source of event notifications.

public import PrintIPP
import PrintModel
import PrintSpool

extension SpoolService: EventSource {
    /// Returns the number of the newest event.
    public func latestEvent() async throws(IPPFailure) -> Int {
        try await asFailure { () throws(SpoolError) in try await spool.latestEventSequence() }
    }

    /// Returns the events after an event, from memory as far as possible, or else from the log.
    public func events(after number: Int, limit: Int) async throws(IPPFailure) -> EventPage {
        try await asFailure { () throws(SpoolError) in try await recent.page(after: number, limit: limit) }
    }

    /// Returns a stream that wakes its reader after commits.
    public func eventChanges() -> AsyncStream<Void> { spool.changes() }
}
