// Counts the uploads in progress for each job.

import Synchronization

/// The number of uploads in progress for each job.
final class Uploads: Sendable {
    private let counts = Mutex<[Int: Int]>([:])

    func begin(for jobID: Int) { counts.withLock { $0[jobID, default: 0] += 1 } }

    func end(for jobID: Int) {
        counts.withLock { counts in
            let rest = counts[jobID, default: 0] - 1
            counts[jobID] = rest > 0 ? rest : nil
        }
    }

    func isUnderway(for jobID: Int) -> Bool { counts.withLock { $0[jobID] != nil } }
}
