// The deadlines of a connection. Uses no clock.

package import NIOCore

/// A deadline of a connection.
package enum ConnectionTimer: Int, CaseIterable, Sendable {
    /// The deadline for the complete header of the first request.
    case head
    /// The deadline from a response to the next header.
    case keepAlive
    /// The deadline for the next piece of a body.
    case bodyIdle
    /// The deadline for the complete body.
    case request
    /// The deadline for the minimum amount of body data.
    case pace
    /// The deadline by which the client must read the next part of its response.
    case answerIdle
    /// The deadline for a client that has received its response to stop sending.
    case linger
    /// The deadline for requests in progress after the server was asked to stop.
    case shutdown

    /// Whether the deadline requires the client to send something.
    package var waitsForClient: Bool {
        switch self {
        case .head, .keepAlive, .bodyIdle, .request, .pace: true
        case .answerIdle, .linger, .shutdown: false
        }
    }
}

/// The active deadlines of one connection.
///
/// Each request starts and stops several deadlines, so both operations must be cheap. The event loop keeps its timers
/// in one list and searches the list for each canceled timer. With 1,000 connections, requests would spend most of
/// their time in this search. A connection therefore has only one event loop timer. When the timer fires, the
/// connection gets the expired deadlines from this type.
package struct ConnectionTimers: Sendable {
    /// The extra time to read data that arrived before the deadline.
    package static let gracePeriod = TimeAmount.milliseconds(20)

    private var ends = [NIODeadline?](repeating: nil, count: ConnectionTimer.allCases.count)
    private var lastCalls: Set<ConnectionTimer> = []

    /// Creates timers without active deadlines.
    package init() {}

    /// Starts a deadline, or moves it if it is active.
    package mutating func start(_ timer: ConnectionTimer, until end: NIODeadline) {
        ends[timer.rawValue] = end
        lastCalls.remove(timer)
    }

    /// Cancels a deadline.
    package mutating func stop(_ timer: ConnectionTimer) { ends[timer.rawValue] = nil }

    /// Cancels all deadlines.
    package mutating func stopAll() { for timer in ConnectionTimer.allCases { stop(timer) } }

    /// The time of the next check, or `nil` if no deadline is active.
    package var next: NIODeadline? { ends.lazy.compactMap(\.self).min() }

    /// Returns an expired deadline and cancels it, or returns `nil` if no deadline has expired.
    ///
    /// A busy event loop runs its timers before it reads its sockets, so data that the client sent in time may still
    /// be unread. A deadline that waits for the client is therefore extended once by ``gracePeriod``, so that the
    /// sockets are read.
    package mutating func takeDue(at now: NIODeadline) -> ConnectionTimer? {
        for timer in ConnectionTimer.allCases {
            guard let end = ends[timer.rawValue], end <= now else { continue }
            if timer.waitsForClient, lastCalls.insert(timer).inserted {
                ends[timer.rawValue] = now + Self.gracePeriod
            } else {
                stop(timer)
                return timer
            }
        }
        return nil
    }
}
