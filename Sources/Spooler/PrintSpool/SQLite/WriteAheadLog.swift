// Limits the length of the write-ahead log.

import GRDB
import GRDBSQLite
import Synchronization

/// The checkpoints of the write-ahead log.
///
/// After a checkpoint, SQLite can reuse the log from the beginning.
///
/// By default, SQLite runs a checkpoint every 4 MiB, and does not wait for readers. With continuous readers, the log
/// never restarts and grows without limit.
///
/// This class runs a checkpoint after 16 MiB. The checkpoint runs after a commit, when the callers of the commit have
/// already continued.
///
/// When the log has at least 32 MiB, the checkpoint waits briefly for readers of old pages. If SQLite still cannot
/// restart the log, the next attempt runs after the log has grown by half, and waits longer. Therefore a reader that
/// never ends delays writers only briefly.
final class WriteAheadLog: Sendable {
    /// The length of the log that triggers a checkpoint, in pages of 4 KiB.
    private static let copied = 4_000
    /// The minimum length of the log at which a checkpoint waits for readers, in pages of 4 KiB.
    private static let awaited = 8_000
    /// The shortest and the longest time that a checkpoint waits for readers of old pages, in milliseconds.
    ///
    /// The first checkpoint waits for the shortest time. Each further checkpoint waits twice as long as the previous
    /// checkpoint, up to the longest time. After SQLite has restarted the log, the shortest time applies again.
    private static let timeout = (first: 100, last: 1000)

    private struct State {
        /// The length of the log after the last commit, in pages.
        var pages = 0
        /// The length of the log that triggers the next checkpoint, in pages.
        var limit = copied
        /// The time that the next checkpoint waits for readers, in milliseconds.
        var timeout = WriteAheadLog.timeout.first
    }

    private let state = Mutex(State())

    /// Starts to observe the length of the log through the writing connection.
    ///
    /// The observer replaces SQLite's automatic checkpoints.
    ///
    /// This object must live as long as the connection.
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
            // SQLite has restarted the log if the log is shorter than before.
            if pages < state.pages { (state.limit, state.timeout) = (Self.copied, Self.timeout.first) }
            state.pages = pages
        }
    }

    /// Runs a checkpoint if the log is long enough.
    ///
    /// Call this function outside a transaction.
    func keepShort(_ db: Database) {
        let due: (isLong: Bool, timeout: Int)? = state.withLock { state in
            guard state.pages >= state.limit else { return nil }
            // The length for the next attempt, in case the log cannot restart now.
            state.limit = state.pages + max(1_000, state.pages / 2)
            guard state.pages >= Self.awaited else {
                state.limit = min(state.limit, Self.awaited)
                return (false, 0)
            }
            defer { state.timeout = min(2 * state.timeout, Self.timeout.last) }
            return (true, state.timeout)
        }
        guard let due else { return }
        // If readers or a full disk prevent the checkpoint, a later checkpoint succeeds.
        if !due.isLong {
            _ = try? db.checkpoint(.passive)
        } else {
            sqlite3_busy_timeout(db.sqliteConnection, Int32(due.timeout))
            _ = try? db.checkpoint(.restart)
            sqlite3_busy_timeout(db.sqliteConnection, Int32(SQLiteStore.busyTimeout * 1000))
        }
    }
}
