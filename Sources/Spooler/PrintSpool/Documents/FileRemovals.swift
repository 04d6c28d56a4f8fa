// Removes the files of jobs while no request waits.

import Synchronization

/// Removes the files of ended jobs one after another, in the order of the commits that ended the jobs.
///
/// Removing a large file can take seconds, so the request that ends a job does not wait. If the process exits first, the
/// files are orphaned, and `Spool.sweep` removes them.
final class FileRemovals: Sendable {
    private struct State {
        /// The removals that have not finished; the first removal is running.
        var removals: [(jobs: Set<Int>, remove: @Sendable () -> Void)] = []
        var waiters: [(job: Int?, continuation: CheckedContinuation<Void, Never>)] = []

        func isPending(_ job: Int?) -> Bool {
            guard let job else { return !removals.isEmpty }
            return removals.contains { $0.jobs.contains(job) }
        }
    }

    private let state = Mutex(State())

    /// Removes files of the given jobs after earlier removals.
    ///
    /// - Parameter remove: A closure that removes the files. It runs on a thread that may block.
    func add(_ jobs: Set<Int>, in files: Files, _ remove: @escaping @Sendable () -> Void) {
        let isFirst = state.withLock { state in
            state.removals.append((jobs, remove))
            return state.removals.count == 1
        }
        if isFirst { files.system.perform { self.runAll(from: remove) } }
    }

    /// Runs the first removal, and the removals that are added until then.
    private func runAll(from first: @escaping @Sendable () -> Void) {
        var next: (@Sendable () -> Void)? = first
        while let remove = next {
            remove()
            // A removal that is added after the last one has finished starts a new run.
            let (finished, following) = state.withLock { state in
                state.removals.removeFirst()
                let waiters = state.waiters
                state.waiters = waiters.filter { state.isPending($0.job) }
                return (waiters.filter { !state.isPending($0.job) }, state.removals.first?.remove)
            }
            for waiter in finished { waiter.continuation.resume() }
            next = following
        }
    }

    /// Waits until no files of a job must be removed.
    ///
    /// - Parameter job: The number of the job; nil for all jobs.
    func finish(of job: Int? = nil) async {
        await withCheckedContinuation { continuation in
            let isPending = state.withLock { state in
                let isPending = state.isPending(job)
                if isPending { state.waiters.append((job, continuation)) }
                return isPending
            }
            if !isPending { continuation.resume() }
        }
    }
}
