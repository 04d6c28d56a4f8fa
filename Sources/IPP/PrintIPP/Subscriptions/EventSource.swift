// The interface of event logs.

public import PrintModel

/// A log of job and printer events.
///
/// `PrinterOperations` sends the events as notifications (RFC 3995, RFC 3996).
///
/// Event numbers only increase. The log does not reuse a number that a client may still use.
public protocol EventSource: Sendable {
    /// Returns the number of the newest event, or 0 if there are no events.
    func latestEvent() async throws(IPPFailure) -> Int

    /// Returns the events after an event, oldest first, at most `limit` events.
    func events(after number: Int, limit: Int) async throws(IPPFailure) -> EventPage

    /// Returns a stream that wakes its reader when there may be new events.
    ///
    /// One element of the stream can stand for several events.
    ///
    /// To miss no event, create the stream, then read the log, then wait for the stream.
    func eventChanges() -> AsyncStream<Void>
}

/// A part of an event log.
public struct EventPage: Sendable {
    /// The events, oldest first.
    public var events: [JobEvent]
    /// The highest number up to which events have been removed from the log; 0 if no events have been removed.
    public var purgedThrough: Int

    /// Creates a page of events.
    ///
    /// Some of the events up to `purgedThrough` may be missing.
    public init(_ events: [JobEvent], purgedThrough: Int = 0) {
        self.events = events
        self.purgedThrough = purgedThrough
    }
}
