// Caches the numbers of jobs until the next commit.

import PrintModel
import Synchronization

/// A cache of job counts for recently used filters.
///
/// The cache is valid until the next commit of the spool.
///
/// After an event, all browsers that show the Print Center request the same counts.
final class RecentCounts: Sendable {
    private struct Key: Hashable {
        var filter: JobFilter
        var troubledPrinters: Set<String>
    }

    private struct State {
        var commit = -1
        var counts: [Key: JobCounts] = [:]
    }

    /// The maximum number of filters in the cache.
    private static let most = 64

    private let state = Mutex(State())

    /// Returns the cached counts for a filter; nil if the spool has changed or the filter is not in the cache.
    func counts(_ filter: JobFilter, _ troubled: Set<String>, at commit: Int) -> JobCounts? {
        state.withLock { state in
            state.commit == commit ? state.counts[Key(filter: filter, troubledPrinters: troubled)] : nil
        }
    }

    /// Stores the counts for a filter, which were read after the commit with the number `commit`.
    func keep(_ counts: JobCounts, of filter: JobFilter, _ troubled: Set<String>, at commit: Int) {
        state.withLock { state in
            guard commit >= state.commit else { return }
            if commit > state.commit || state.counts.count >= Self.most { (state.commit, state.counts) = (commit, [:]) }
            state.counts[Key(filter: filter, troubledPrinters: troubled)] = counts
        }
    }
}
