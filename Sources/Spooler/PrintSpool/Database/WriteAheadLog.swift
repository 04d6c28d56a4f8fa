// Checkpoints that limit the length of the write-ahead log.

import GRDB
import GRDBSQLite
import Synchronization

/// The checkpoints that copy the write-ahead log into the database, so that the log restarts from its beginning.
///
/// By default, SQLite makes a checkpoint after every 4 MiB and never waits for readers. If some reader is always
/// active, the log never restarts and grows without limit. This type makes a checkpoint after 16 MiB, between two
/// commits and after the callers of the first commit are notified. From 32 MiB on, the checkpoint waits for the readers
/// of old pages: shortly at first, and longer when the log has grown by another half. So a reader that never ends
/// delays writes only for a short time.
final class WriteAheadLog: Sendable {
    /// The length at which a checkpoint is made, in pages of 4 KiB.
    private static let copied = 4_000
    /// The length at which the checkpoint waits for readers, in pages.
    private static let awaited = 8_000
    /// How long the checkpoint waits for the readers of old pages at first and at most, in milliseconds.
    private static let patience = (first: 100, last: 1000)

    private struct State {
        /// The length after the last commit.
        var pages = 0
        /// The length at which the next checkpoint is made.
        var limit = copied
        /// How long the next checkpoint waits for readers, in milliseconds.
        var patience = WriteAheadLog.patience.first
    }

    private let state = Mutex(State())

    /// Observes the length of the log on the writing connection.
    ///
    /// This ends SQLite's automatic checkpoints.
    ///
    /// The log must live as long as the connection.
    func watch(_ db: Database) {
        sqlite3_wal_hook(
            db.sqliteConnection,
            { context, _, _, pages in
                if let context { Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue().note(Int(pages)) }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    private func note(_ pages: Int) {
        state.withLock { state in
            // A shorter log has restarted from its beginning.
            if pages < state.pages { (state.limit, state.patience) = (Self.copied, Self.patience.first) }
            state.pages = pages
        }
    }

    /// Makes a checkpoint if one is due.
    ///
    /// Call this function outside of transactions.
    func keepShort(_ db: Database) {
        let due: (isLong: Bool, patience: Int)? = state.withLock { state in
            guard state.pages >= state.limit else { return nil }
            // The length for the next attempt, if this checkpoint cannot restart the log.
            state.limit = state.pages + max(1_000, state.pages / 2)
            guard state.pages >= Self.awaited else {
                state.limit = min(state.limit, Self.awaited)
                return (false, 0)
            }
            defer { state.patience = min(2 * state.patience, Self.patience.last) }
            return (true, state.patience)
        }
        guard let due else { return }
        // Pages that cannot be copied now, because of readers or a full disk, are copied later.
        if !due.isLong {
            _ = try? db.checkpoint(.passive)
        } else {
            sqlite3_busy_timeout(db.sqliteConnection, Int32(due.patience))
            _ = try? db.checkpoint(.restart)
            sqlite3_busy_timeout(db.sqliteConnection, Int32(DiskDatabase.busyTimeout * 1000))
        }
    }
}
