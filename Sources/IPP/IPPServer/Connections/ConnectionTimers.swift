// Which deadlines run on a connection, and what falls due. No clock.

package import NIOCore

/// A deadline of a connection.
package enum ConnectionTimer: Int, CaseIterable, Sendable {
    /// Until the first request's header.
    case head
    /// Between an answer and the next header.
    case keepAlive
    /// Until the next piece of a body.
    case bodyIdle
    /// Until the end of a body.
    case request
    /// Until so much of a body must have come that its client can be called honest.
    case pace
    /// Until a client that does not read its answer has read some of it.
    case answerIdle
    /// Until a client that has its answer stops sending.
    case linger
    /// Until requests in progress have ended after the server was asked to stop.
    case shutdown

    /// Whether it is the client that must send something in time.
    package var waitsForClient: Bool {
        switch self {
        case .head, .keepAlive, .bodyIdle, .request, .pace: true
        case .answerIdle, .linger, .shutdown: false
        }
    }
}

/// The deadlines that run on one connection.
///
/// Starting and stopping one costs next to nothing, as they do several times a request. The event loop's own timers are
/// kept in one list, which is searched from its start for each that is canceled: with a thousand connections that is
/// what a request would mostly wait for. So a connection has one timer there, which is left alone until it rings, and
/// asks here what is due.
package struct ConnectionTimers: Sendable {
    /// How long the sockets get to show what came in time.
    package static let lastCall = TimeAmount.milliseconds(20)

    private var ends = [NIODeadline?](repeating: nil, count: ConnectionTimer.allCases.count)
    private var lastCalls: Set<ConnectionTimer> = []

    /// Timers of which none runs.
    package init() {}

    /// Lets a deadline fall due at a moment, instead of when it would have.
    package mutating func start(_ timer: ConnectionTimer, until end: NIODeadline) {
        ends[timer.rawValue] = end
        lastCalls.remove(timer)
    }

    /// Calls a deadline off.
    package mutating func stop(_ timer: ConnectionTimer) { ends[timer.rawValue] = nil }

    /// Calls all deadlines off.
    package mutating func stopAll() { for timer in ConnectionTimer.allCases { stop(timer) } }

    /// When there is to be a look at the deadlines again; nil when none runs.
    package var next: NIODeadline? { ends.lazy.compactMap(\.self).min() }

    /// A deadline that has fallen due by now, which is called off with that; nil when there is none.
    ///
    /// A busy event loop comes to its timers before it looks at its sockets: what a client sent in time may still lie
    /// there. So a deadline that waits for the client runs for a moment more, once, in which the sockets are looked at.
    package mutating func takeDue(at now: NIODeadline) -> ConnectionTimer? {
        for timer in ConnectionTimer.allCases {
            guard let end = ends[timer.rawValue], end <= now else { continue }
            if timer.waitsForClient, lastCalls.insert(timer).inserted {
                ends[timer.rawValue] = now + Self.lastCall
            } else {
                stop(timer)
                return timer
            }
        }
        return nil
    }
}
