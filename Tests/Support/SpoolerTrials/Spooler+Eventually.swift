// Waiting for what becomes of jobs.

package import SpoolerClient
import PrintTestSupport

extension Spooler {
    /// Looks until something is so, each time printd tells that something has happened to a job or a printer.
    ///
    /// A printd that goes and comes back tells what happened meanwhile. Every half minute it is looked without news, and then
    /// it is seen that the time is over.
    ///
    /// - Throws: `NeverSo` when it never is; what `isSo` throws.
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
