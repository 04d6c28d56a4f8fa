// Waits for a server, with deadlines.

import CLibpq
import Glibc

extension PostgresConnection {
    /// Waits until the socket is readable or writable.
    ///
    /// - Parameter isInterruptible: Whether the descriptor `interruption` can end the wait.
    /// - Returns: The events that poll(2) reports; 0 at the deadline.
    /// - Throws: `closed` if the wait was interrupted, or `connectionLost` if poll(2) failed.
    func wait(
        for events: Int16, until end: ContinuousClock.Instant, isInterruptible: Bool = false
    ) throws(PostgresError) -> Int16 {
        let handle = try handle()
        let watched = isInterruptible ? interruption ?? -1 : -1
        while true {
            // poll(2) ignores negative descriptors.
            var descriptors = [
                pollfd(fd: PQsocket(handle), events: events, revents: 0),
                pollfd(fd: watched, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&descriptors, 2, ContinuousClock.now.milliseconds(until: end))
            if count < 0 {
                if errno == EINTR { continue }
                throw lost(handle)
            }
            if descriptors[1].revents != 0 {
                throw close(because: PostgresError(.closed, "the connection to PostgreSQL is closed"))
            }
            if count > 0 { return descriptors[0].revents }
            if ContinuousClock.now >= end { return 0 }
        }
    }

    /// Sends all unsent bytes to the server.
    ///
    /// The method also reads the responses that arrive. Otherwise the client and the server could wait for each other.
    func flush() throws(PostgresError) {
        let handle = try handle()
        unsentBytes = 0
        while true {
            switch PQflush(handle) {
            case 0: return
            case 1: break
            default: throw lost(handle)
            }
            let ready = try wait(for: Int16(POLLIN | POLLOUT), until: .now + waitLimit)
            guard ready != 0 else { throw noAnswer() }
            if ready & Int16(POLLIN) != 0, PQconsumeInput(handle) == 0 { throw lost(handle) }
        }
    }

    /// Returns the next result of a statement; nil after the last result of the statement.
    ///
    /// The caller must release the result.
    func nextResult() throws(PostgresError) -> OpaquePointer? {
        let handle = try handle()
        let end = ContinuousClock.now + waitLimit
        while PQisBusy(handle) != 0 {
            guard try wait(for: Int16(POLLIN), until: end) != 0 else { throw noAnswer() }
            if PQconsumeInput(handle) == 0 { break }
        }
        // If the connection was lost, the result contains the last error of the server.
        return PQgetResult(handle)
    }

    private func noAnswer() -> PostgresError {
        close(because: PostgresError(.timeout, "PostgreSQL did not respond within \(waitLimit)"))
    }
}

extension ContinuousClock.Instant {
    /// Returns the number of milliseconds until the instant `end`, rounded up; 0 if `end` is earlier than this instant.
    func milliseconds(until end: ContinuousClock.Instant) -> Int32 {
        let left = duration(to: end).components
        guard left.seconds >= 0, left.attoseconds >= 0 else { return 0 }
        guard left.seconds < 1_000_000 else { return 1_000_000_000 }
        return Int32(left.seconds * 1000 + (left.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
