// Jobs that were created for rejected documents.

import Synchronization

/// The newest jobs with a rejected document.
///
/// They are stored in memory: a job that is forgotten here only remains in the history.
final class RefusedDocuments: Sendable {
    private static let most = 1_000
    private let jobs = Mutex<[Int]>([])

    func add(_ job: Int) {
        jobs.withLock { jobs in
            if jobs.count == Self.most { jobs.removeFirst() }
            jobs.append(job)
        }
    }

    /// Returns whether a document of the job was rejected, and removes the job from the list.
    func take(_ job: Int) -> Bool {
        jobs.withLock { jobs in
            defer { jobs.removeAll { $0 == job } }
            return jobs.contains(job)
        }
    }
}
