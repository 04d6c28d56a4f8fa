// Records the jobs that had a refused document.

import Synchronization

/// The IDs of the 1,000 jobs for which a document was refused most recently.
///
/// When a client cancels an empty job in this list, `printd` removes the job from the history. The IDs are stored only
/// in memory. If `printd` restarts before the cancellation, the canceled job stays in the history.
final class RefusedDocuments: Sendable {
    private static let most = 1_000
    private let jobs = Mutex<[Int]>([])

    func add(_ job: Int) {
        jobs.withLock { jobs in
            if jobs.count == Self.most { jobs.removeFirst() }
            jobs.append(job)
        }
    }

    /// Returns whether a document of the job was refused, and removes the job from the list.
    func take(_ job: Int) -> Bool {
        jobs.withLock { jobs in
            defer { jobs.removeAll { $0 == job } }
            return jobs.contains(job)
        }
    }
}
