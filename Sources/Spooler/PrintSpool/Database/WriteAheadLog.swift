// The write-ahead log, kept short.

import GRDB
import GRDBSQLite
import Synchronization

/// Copies the write-ahead log into the database now and then, so that it can begin again from its start.
///
/// Left to itself, SQLite does that after every fourth MiB, and never waits for readers: where some reader is always at
/// work, the log never begins again and grows without end. Here it is done after 16 MiB, between two commits and when
/// those who waited for the first have their answer. From 32 MiB on it waits for the readers of old pages: a moment, and when
/// that does not do, longer, when the log is half as long again. So a reader that never ends holds up nobody for long.
final class WriteAheadLog: Sendable {
    /// The length from which on the log is copied, in pages of 4 KiB.
    private static let copied = 4_000
    /// The length from which on readers are waited for, in pages.
    private static let awaited = 8_000
    /// How long the readers of old pages are waited for at first, and at most, in milliseconds; new ones need not be.
    private static let patience = (first: 100, last: 1000)

    private struct State {
        /// The length after the last commit.
        var pages = 0
        /// The length from which on something is done.
        var limit = copied
        /// How long readers are waited for next time, in milliseconds.
        var patience = WriteAheadLog.patience.first
    }

    private let state = Mutex(State())

    /// Has the connection that writes tell how long the log is; its own checkpoints end with that.
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
            // Shorter than before, it has begun again.
            if pages < state.pages { (state.limit, state.patience) = (Self.copied, Self.patience.first) }
            state.pages = pages
        }
    }

    /// Does what is due, outside of any transaction.
    func keepShort(_ db: Database) {
        let due: (isLong: Bool, patience: Int)? = state.withLock { state in
            guard state.pages >= state.limit else { return nil }
            // The next try, should this one not let it begin again.
            state.limit = state.pages + max(1_000, state.pages / 2)
            guard state.pages >= Self.awaited else {
                state.limit = min(state.limit, Self.awaited)
                return (false, 0)
            }
            defer { state.patience = min(2 * state.patience, Self.patience.last) }
            return (true, state.patience)
        }
        guard let due else { return }
        // What cannot be copied now, because of readers or of a full disk, is copied later.
        if !due.isLong {
            _ = try? db.checkpoint(.passive)
        } else {
            sqlite3_busy_timeout(db.sqliteConnection, Int32(due.patience))
            _ = try? db.checkpoint(.restart)
            sqlite3_busy_timeout(db.sqliteConnection, Int32(DiskDatabase.busyTimeout * 1000))
        }
    }
}
