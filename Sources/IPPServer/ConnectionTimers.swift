// Which deadlines run on a connection, and when the next one falls due. No clock.

import NIOCore

/// The deadlines that run on one connection.
///
/// Starting and stopping one costs next to nothing, as they do several times a request. The event loop's own timers are
/// kept in one list, which is searched from its start for each that is canceled: with a thousand connections that is
/// what a request would mostly wait for. So a connection has one timer there, which is left alone until it rings, and
/// asks here what is due.
struct ConnectionTimers {
    private var ends = [NIODeadline?](repeating: nil, count: ConnectionRules.Timer.allCases.count)

    /// Lets a deadline fall due at a moment, instead of when it would have.
    mutating func start(_ timer: ConnectionRules.Timer, until end: NIODeadline) { ends[timer.rawValue] = end }

    /// Calls a deadline off.
    mutating func stop(_ timer: ConnectionRules.Timer) { ends[timer.rawValue] = nil }

    /// Calls all deadlines off.
    mutating func stopAll() { for timer in ConnectionRules.Timer.allCases { stop(timer) } }

    /// When the next deadline falls due; nil when none runs.
    var next: NIODeadline? { ends.lazy.compactMap(\.self).min() }

    /// A deadline that has fallen due by now, which is called off with that; nil when there is none.
    mutating func takeDue(at now: NIODeadline) -> ConnectionRules.Timer? {
        for timer in ConnectionRules.Timer.allCases {
            if let end = ends[timer.rawValue], end <= now {
                stop(timer)
                return timer
            }
        }
        return nil
    }
}
