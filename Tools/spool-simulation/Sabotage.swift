// Faults put in on purpose, to see that they are found.

import PrintModel

/// Faults put in on purpose: a checker that does not find them proves nothing.
enum Sabotage: String, CaseIterable {
    /// After a crash, jobs that were in hand are printed again without a look at the printer.
    case resendBlindly = "resend-blindly"
    /// An fsync says that it succeeded and does nothing.
    case forgetSync = "forget-sync"
    /// Ids begin anew after a crash, when the tables are empty enough.
    case reuseIDs = "reuse-ids"
    /// A crash loses the newest job.
    case loseNewest = "lose-newest"
    /// After a crash, what waits is turned round.
    case lastComeFirst = "last-come-first"

    /// What it does to a spool whose process was killed.
    func beforeBoot(of world: World) {
        let statements: [String] =
            switch self {
            case .resendBlindly:
                [
                    """
                    UPDATE jobs SET state = 3, reasons = '[]', remote_id = NULL, remote_uuid = NULL
                    WHERE state IN (5, 6) AND remote_id IS NOT NULL
                    """
                ]
            case .forgetSync: []
            case .reuseIDs:
                [
                    "DELETE FROM jobs WHERE id = (SELECT MAX(id) FROM jobs) AND state >= 7",
                    "UPDATE sqlite_sequence SET seq = (SELECT IFNULL(MAX(id), 0) FROM jobs) WHERE name = 'jobs'",
                ]
            case .loseNewest: ["DELETE FROM jobs WHERE id = (SELECT MAX(id) FROM jobs)"]
            case .lastComeFirst: ["UPDATE jobs SET priority = MIN(100, priority + id) WHERE state = 3"]
            }
        for statement in statements {
            do { try world.database.execute(statement) } catch { world.violate("sabotage: \(error)") }
        }
    }
}
