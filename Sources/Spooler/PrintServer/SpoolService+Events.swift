// The spool's log as the source of event notifications.

public import PrintIPP
import PrintModel
import PrintSpool

extension SpoolService: EventSource {
    /// The number of the newest event.
    public func latestEvent() async throws(IPPFailure) -> Int {
        try await asFailure { () throws(SpoolError) in try await spool.latestEventSequence() }
    }

    /// What happened after an event, from memory as far as it reaches, else from the log.
    public func events(after number: Int, limit: Int) async throws(IPPFailure) -> EventPage {
        try await asFailure { () throws(SpoolError) in try await recent.page(after: number, limit: limit) }
    }

    /// Wakes its reader after commits.
    public func eventChanges() -> AsyncStream<Void> { spool.changes() }
}
