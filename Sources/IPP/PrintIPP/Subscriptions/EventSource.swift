// The port behind event notifications: a log of what happens.

public import PrintModel

/// A log of what happens to jobs and printers; `PrinterOperations` gives it out as notifications (RFC 3995, RFC 3996).
///
/// Its numbers only go up, and are never given twice as long as clients may remember them.
public protocol EventSource: Sendable {
    /// The number of the newest event; 0 when nothing ever happened.
    func latestEvent() async throws(IPPFailure) -> Int

    /// What happened after an event, oldest first, and no more than `limit` of it.
    func events(after number: Int, limit: Int) async throws(IPPFailure) -> EventPage

    /// A stream that wakes its reader when there may be new events: once for all since it last looked.
    ///
    /// Begin the stream, then look, then wait for it: so nothing is missed.
    func eventChanges() -> AsyncStream<Void>
}

/// Some events of a log.
public struct EventPage: Sendable {
    /// The events, oldest first.
    public var events: [JobEvent]
    /// Of the events up to this number some are not kept any more; 0 when all are.
    public var purgedThrough: Int

    /// Events, of which those up to a number may be incomplete.
    public init(_ events: [JobEvent], purgedThrough: Int = 0) {
        self.events = events
        self.purgedThrough = purgedThrough
    }
}
