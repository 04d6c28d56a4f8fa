// Event numbers that are not reused after a power loss.

import FoundationEssentials
import GRDB

/// The protection of event numbers against reuse after a power loss.
///
/// Some events are committed without a flush (`JobStateMachine.Event.durability`), and their watchers are notified at
/// once. A killed process loses no events, but a power loss may undo the last ones. A watcher continues after the last
/// number it has seen, so that number must not become the number of another event. Therefore the numbers jump after a
/// restart of the machine.
enum EventNumbers {
    /// The size of the jump.
    ///
    /// It is far above the number of events in the part of the write-ahead log that is not flushed, which contains at
    /// most a thousand pages.
    static let jump = 100_000

    /// The kernel's identifier of the current boot; nil if the kernel does not provide it.
    static var boot: String? {
        guard let data = FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id") else { return nil }
        return String(decoding: data, as: UTF8.self).filter { !$0.isWhitespace }
    }

    /// Makes the numbers jump if the machine was restarted since the spool was last open, and stores the current boot.
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
