// The health of a spool, for monitors.

import AsyncPrimitives
import Glibc
package import PrintScheduler
package import PrintSpool

/// Quick checks of whether `printd` can print.
///
/// The checks take milliseconds and query no printer, so that a monitoring system can repeat the checks every second.
package struct SpoolHealth: Sendable {
    private let spool: Spool
    private let scheduler: Scheduler
    private let folder: String

    /// The minimum free space of the spool's disk, in bytes.
    private static let leastSpace: UInt64 = 16 << 20
    /// The timeout of each check.
    private static let limit = Duration.seconds(2)

    package init(spool: Spool, scheduler: Scheduler, folder: String) {
        (self.spool, self.scheduler, self.folder) = (spool, scheduler, folder)
    }

    /// Returns the reasons why jobs cannot be printed; empty if jobs can be printed.
    ///
    /// The reasons contain no names of users, jobs, documents or folders.
    package func reasons() async -> [String] {
        var reasons: [String] = []
        switch await databaseResponds() {
        case true?: break
        case false?: reasons.append("the database cannot be read; run 'printq doctor'")
        case nil: reasons.append("the database did not respond within 2 seconds")
        }
        if let free = await freeSpace(), free < Self.leastSpace {
            reasons.append("only \(free >> 20) MiB are free for the spool; free some disk space")
        }
        if await !schedulerResponds() { reasons.append("the scheduler did not respond within 2 seconds") }
        return reasons
    }

    /// Returns whether the scheduler responds, and so does the database if it is a file of the spool.
    ///
    /// A restart of `printd` can fix these. A restart can fix neither a full disk, nor a file that cannot be read, nor
    /// a database server that does not respond: `printd` prints without a restart when the server responds again.
    package func responds() async -> Bool {
        if !spool.isShared, await databaseResponds() == nil { return false }
        return await schedulerResponds()
    }

    /// Returns whether the database can be read; nil if the database does not respond before the timeout.
    private func databaseResponds() async -> Bool? {
        let spool = spool
        return await outcome(within: Self.limit) { () async -> Bool in
            do throws(SpoolError) {
                _ = try await spool.latestEventSequence()
                return true
            } catch {
                return false
            }
        }
    }

    private func schedulerResponds() async -> Bool {
        let scheduler = scheduler
        return await outcome(within: Self.limit, of: { await scheduler.isIdle }) != nil
    }

    /// The free space of the spool's disk in bytes; nil if the free space is unknown.
    private func freeSpace() async -> UInt64? {
        await BlockingThreads.shared.run { [folder] () -> UInt64? in
            var file = statvfs()
            guard statvfs(folder, &file) == 0 else { return nil }
            return UInt64(file.f_bavail) * UInt64(file.f_frsize)
        }
    }
}
