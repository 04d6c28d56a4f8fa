// Jobs that were made for documents which cannot be printed.

import Synchronization

/// The newest jobs a document of which was refused; in memory, for one that is forgotten only stays in the history.
final class RefusedDocuments: Sendable {
    private static let most = 1_000
    private let jobs = Mutex<[Int]>([])

    func add(_ job: Int) {
        jobs.withLock { jobs in
            if jobs.count == Self.most { jobs.removeFirst() }
            jobs.append(job)
        }
    }

    /// Whether a document of the job was refused; the job is forgotten then.
    func take(_ job: Int) -> Bool {
        jobs.withLock { jobs in
            defer { jobs.removeAll { $0 == job } }
            return jobs.contains(job)
        }
    }
}
