// The interface of event logs.

package import PrintModel

/// A log of job and printer events.
///
/// `PrinterOperations` sends the events as notifications (RFC 3995, RFC 3996).
///
/// Event numbers only increase. The log does not reuse a number that a client can still use.
public protocol EventSource: Sendable {
    /// Returns the number of the newest event, or 0 if there are no events.
    func latestEvent() async throws -> Int

    /// Returns at most `limit` events that follow the event with the given number, oldest first.
    func events(after number: Int, limit: Int) async throws -> EventPage

    /// Returns a stream that produces an element when the log might have new events.
    ///
    /// One element of the stream can represent several events.
    ///
    /// To receive every event, create the stream, then read the log, and then wait for the stream.
    func eventChanges() -> AsyncStream<Void>
}

/// A part of an event log.
public struct EventPage: Sendable {
    /// The events of this part of the log, oldest first.
    package var events: [JobEvent]
    /// The number of the last event that the log might have removed; 0 if the log has removed no events.
    package var purgedThrough: Int

    /// Creates a part of an event log.
    ///
    /// Some of the events up to `purgedThrough` might be missing.
    package init(_ events: [JobEvent], purgedThrough: Int = 0) {
        self.events = events
        self.purgedThrough = purgedThrough
    }
}
