// Numbers of events that were told and then lost are not given again.

import FoundationEssentials
import GRDB

/// Keeps the numbers of events going up across a power cut.
///
/// Some events are committed without being forced onto the disk (`JobStateMachine.Event.durability`), and whoever watches
/// is told of them at once. A process that is killed loses none of them, a machine that loses its power may lose the
/// last. Whoever was told of them goes on after their numbers, so these must not become those of other events: when the
/// machine has been started anew, the numbers jump.
enum EventNumbers {
    /// By how much they jump: far more than there can be events in the part of the write-ahead log that is not forced
    /// onto the disk, which holds a thousand pages.
    static let jump = 100_000

    /// What the kernel calls the time since it was started; nil where it says nothing.
    static var boot: String? {
        guard let data = FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id") else { return nil }
        return String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
    }

    /// Lets the numbers jump when the spool was last open before the machine was started anew, and notes that it is open
    /// now.
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
