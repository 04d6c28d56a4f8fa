// Waits for changes of jobs.

package import SpoolerClient
import PrintTestSupport

extension Spooler {
    /// Checks a condition after each event of a job or a printer, until the condition holds.
    ///
    /// After a restart, printd reports the events that happened meanwhile. The condition and the timeout are also
    /// checked every 30 seconds without an event.
    ///
    /// - Throws: `NeverSo` after `limit`, or the error of `isSo`.
    package func eventually(
        _ what: String, within limit: Duration = .seconds(60), file: StaticString = #fileID, line: Int = #line,
        _ isSo: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + limit
        var failure: (any Error)?
        try await EventWatch(self, WatchRequest(), notice: { _ in }).run { (_: [EventView]) in
            do {
                if try await isSo() { return .stop }
                guard ContinuousClock.now > end else { return .wait }
                failure = NeverSo(what, within: limit, at: "\(file):\(line)")
            } catch {
                failure = error
            }
            return .stop
        }
        if let failure { throw failure }
        try Task.checkCancellation()
    }
}
