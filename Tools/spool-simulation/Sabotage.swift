// Injects bugs, to test that the simulation finds them.

import PrintModel
import PrintSpool
import SimulatedDatabase

/// Intentional bugs that the checks must find.
enum Sabotage: String, CaseIterable {
    /// After a crash, jobs that were being printed are printed again without asking the printer.
    case resendBlindly = "resend-blindly"
    /// fsync reports success without writing anything.
    case forgetSync = "forget-sync"
    /// A crash resets the ID counter, so that the ID of a removed job is used again.
    case reuseIDs = "reuse-ids"
    /// A crash removes the newest job.
    case loseNewest = "lose-newest"
    /// After a crash, the order of the waiting jobs is reversed.
    case lastComeFirst = "last-come-first"
    /// The server accepts every lease for claims and for writes about jobs in progress.
    case ignoreLeases = "ignore-leases"
    /// A host can take a lease six seconds before the lease has ended.
    case takeLeasesEarly = "take-leases-early"
    /// The monotonic clocks of the hosts do not advance, so that no host notices the end of its leases.
    case outliveLeases = "outlive-leases"

    /// The server locks nothing, so that two hosts change a job or a printer at the same time.
    case forgetLocks = "forget-locks"

    /// The fault of the database server; nil for another bug.
    var serverFault: SimulatedDatabaseServer.Fault? {
        switch self {
        case .ignoreLeases: .ignoresGuards
        case .takeLeasesEarly: .endsLeasesEarly
        case .forgetLocks: .forgetsLocks
        default: nil
        }
    }

    /// Changes the spool of a killed process before the next start.
    func beforeBoot(of simulation: Simulation) {
        let statements: [String] =
            switch self {
            case .resendBlindly:
                [
                    """
                    UPDATE jobs SET state = 3, reasons = '[]', remote_id = NULL, remote_uuid = NULL
                    WHERE state IN (5, 6) AND remote_id IS NOT NULL
                    """
                ]
            case .forgetSync, .ignoreLeases, .takeLeasesEarly, .outliveLeases, .forgetLocks: []
            case .reuseIDs:
                [
                    "DELETE FROM jobs WHERE id = (SELECT MAX(id) FROM jobs) AND state >= 7",
                    "UPDATE sqlite_sequence SET seq = (SELECT IFNULL(MAX(id), 0) FROM jobs) WHERE name = 'jobs'",
                ]
            case .loseNewest: ["DELETE FROM jobs WHERE id = (SELECT MAX(id) FROM jobs)"]
            case .lastComeFirst: ["UPDATE jobs SET priority = MIN(100, priority + id) WHERE state = 3"]
            }
        for statement in statements {
            do { try simulation.database.execute(statement) } catch { simulation.violate("sabotage: \(error)") }
        }
    }
}
