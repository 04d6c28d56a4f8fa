// Prevents the reuse of event sequence numbers after a power cut.

import FoundationEssentials
import GRDB

/// A guard against the reuse of event sequence numbers after a power failure.
///
/// Some events are committed without being synced to disk (`JobStateMachine.Event.durability`), but clients receive
/// these events immediately. A killed process loses no events, but a power failure may lose the last events. Clients
/// continue after the last sequence number that they received. Therefore the numbers of lost events must not be used
/// again. After each restart of the machine, the sequence numbers skip a range.
package enum EventNumbers {
    /// The number of skipped sequence numbers.
    ///
    /// The number is greater than the number of events that a power failure can lose. A power failure can lose at most
    /// the events in a thousand pages of the write-ahead log.
    package static let jump = 100_000

    /// The kernel's id of the current boot; nil if the kernel does not provide this id.
    static var boot: String? {
        guard let data = FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id") else { return nil }
        return String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
    }

    /// Skips sequence numbers if the machine was restarted since the spool was last opened, and stores the current boot
    /// id.
    static func secure(in db: Database, boot: String?) throws {
        let last = try String.fetchOne(db, sql: "SELECT boot FROM event_log")
        guard let boot, boot != last else { return }
        try db.inTransaction {
            if last != nil {
                try db.execute(
                    sql: "UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'events'", arguments: [jump])
            }
            try db.execute(sql: "UPDATE event_log SET boot = ?", arguments: [boot])
            return .commit
        }
    }
}
