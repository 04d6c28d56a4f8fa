// The deadlines of a connection. Uses no clock.

package import NIOCore

package enum ConnectionTimer: Int, CaseIterable, Sendable {
    /// The deadline for the complete header of the first request.
    case head
    /// The deadline for the header of the next request, after a response.
    case keepAlive
    case bodyIdle
    case request
    /// The deadline for the minimum number of body bytes that must arrive in each interval.
    case pace
    /// The deadline by which the client must read the next part of its response.
    case answerIdle
    /// The deadline by which a client that has received its response must stop sending data.
    case linger
    /// The deadline for requests in progress after the server was asked to stop.
    case shutdown
    /// The deadline for the first request after the server was asked to stop.
    case lastRequest

    /// Whether the deadline limits the time in which the client must send data.
    package var waitsForClient: Bool {
        switch self {
        case .head, .keepAlive, .bodyIdle, .request, .pace, .lastRequest: true
        case .answerIdle, .linger, .shutdown: false
        }
    }
}

/// The active deadlines of one connection.
///
/// A connection has only one event loop timer. When the timer fires, the connection requests the expired deadlines from
/// this type.
///
/// Each request starts and stops several deadlines, so starting and stopping a deadline must be cheap. The event loop
/// keeps its timers in one list, and searches the list for each canceled timer. With 1,000 connections and one timer
/// for each deadline, most of the time would be spent in this search.
package struct ConnectionTimers: Sendable {
    /// The extra time to read data that arrived before the deadline.
    package static let gracePeriod = TimeAmount.milliseconds(20)

    private var ends = [NIODeadline?](repeating: nil, count: ConnectionTimer.allCases.count)
    private var lastCalls: Set<ConnectionTimer> = []

    package init() {}

    /// If the deadline is active, the method sets a new time for the deadline.
    package mutating func start(_ timer: ConnectionTimer, until end: NIODeadline) {
        ends[timer.rawValue] = end
        lastCalls.remove(timer)
    }

    package mutating func stop(_ timer: ConnectionTimer) { ends[timer.rawValue] = nil }

    package mutating func stopAll() { for timer in ConnectionTimer.allCases { stop(timer) } }

    /// The time of the earliest active deadline, or `nil` if no deadline is active.
    package var next: NIODeadline? { ends.lazy.compactMap(\.self).min() }

    /// Cancels and returns an expired deadline, or returns `nil` if no deadline has expired.
    ///
    /// A busy event loop runs its timers before reading its sockets. Therefore data that the client sent in time can
    /// still be unread.
    ///
    /// A deadline for data from the client is extended one time by ``gracePeriod``, so that the event loop reads the
    /// sockets.
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
