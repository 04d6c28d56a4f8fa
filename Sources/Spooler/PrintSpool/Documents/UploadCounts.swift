// Counts the uploads in progress for each job.

import PrintModel
import Synchronization

/// The number of uploads in progress for each job.
final class UploadCounts: Sendable {
    private struct State {
        var counts: [Int: Int] = [:]
        /// The time at which `due` last returned the ids of jobs.
        var checkedAt: UnixTime = 0
    }

    private let state = Mutex(State())

    func begin(for jobID: Int) { state.withLock { $0.counts[jobID, default: 0] += 1 } }

    func end(for jobID: Int) {
        state.withLock { state in
            let rest = state.counts[jobID, default: 0] - 1
            state.counts[jobID] = rest > 0 ? rest : nil
        }
    }

    func isUnderway(for jobID: Int) -> Bool { state.withLock { $0.counts[jobID] != nil } }

    /// Returns the ids of the jobs with an upload in progress, but at most once every `interval` seconds.
    ///
    /// The result is empty in the meantime.
    func due(every interval: Double, at now: UnixTime) -> [Int] {
        state.withLock { state in
            guard !state.counts.isEmpty, abs(now - state.checkedAt) >= interval else { return [] }
            state.checkedAt = now
            return state.counts.keys.sorted()
        }
    }
}
