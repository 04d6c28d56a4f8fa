// Which jobs have documents on their way in.

import Synchronization

/// Which jobs have documents on their way in, and how many.
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
