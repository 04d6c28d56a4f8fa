// Keeps the processes that serve one request after another, between their requests.

import Synchronization

/// The idle processes of an engine whose processes serve several requests.
///
/// One thread at a time uses a process: the thread that has taken the process. A process that is removed ends when its
/// last reference is released, which happens outside of the lock.
final class IdleProcesses<Process>: Sendable {
    // The lock protects the processes, which are not Sendable.
    private struct State: @unchecked Sendable {
        var processes: [(process: Process, since: ContinuousClock.Instant)] = []
        var isStopped = false
    }

    /// Processes that are transferred from one thread to another.
    private struct Handed: @unchecked Sendable {
        let processes: [Process]
    }

    private let most: Int
    private let state = Mutex(State())

    /// Creates a list that keeps at most the given number of processes, the newest ones.
    init(most: Int) { self.most = most }

    /// Removes and returns the newest process that meets a condition; nil if there is no such process.
    func take(where condition: @Sendable (Process) -> Bool = { _ in true }) -> Process? {
        state.withLock { state in
            let index = state.processes.lastIndex { condition($0.process) }
            return Handed(processes: index.map { [state.processes.remove(at: $0).process] } ?? [])
        }.processes.first
    }

    /// Adds a process, and ends the oldest process if there are too many.
    func giveBack(_ process: Process) {
        let handed = Handed(processes: [process])
        remove { state in
            if !state.isStopped { state.processes += handed.processes.map { ($0, .now) } }
            return state.processes.count > most ? [0] : []
        }
    }

    /// Ends the processes that meet a condition.
    func end(where condition: @Sendable (Process) -> Bool = { _ in true }) {
        remove { state in state.processes.indices.filter { condition(state.processes[$0].process) } }
    }

    /// Ends the processes that have been idle for at least the given time.
    func end(idleFor time: Duration) {
        let latest = ContinuousClock.now - time
        remove { state in state.processes.indices.filter { state.processes[$0].since <= latest } }
    }

    /// Ends all processes, and each process that is given back later.
    func stop() {
        state.withLock { $0.isStopped = true }
        end()
    }

    /// The number of idle processes.
    var count: Int { state.withLock { $0.processes.count } }

    /// The time since which the oldest process has been idle; nil if no process is idle.
    var oldest: ContinuousClock.Instant? { state.withLock { $0.processes.first?.since } }

    private func remove(_ choose: @Sendable (inout State) -> [Int]) {
        // The processes end after the lock is released.
        _ = state.withLock { state in
            let removed = choose(&state)
            defer { for index in removed.reversed() { state.processes.remove(at: index) } }
            return Handed(processes: removed.map { state.processes[$0].process })
        }
    }
}
