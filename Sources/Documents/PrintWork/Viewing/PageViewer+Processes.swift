// Keeps the processes of a `PageViewer` that have documents open.

import PrintModel
import ProcessLaunch
import Synchronization

extension PageViewer {
    /// Calls a function on the current thread, with a worker process that has the documents open.
    ///
    /// A previously used process may have exhausted its limits, or may have been killed. In this case, the function is
    /// called once more with a new process.
    func perform<Value>(
        _ documents: ViewedDocuments, isWanted: @escaping ViewProcess.IsWanted,
        _ work: (ViewProcess, @escaping ViewProcess.IsWanted) throws(WorkError) -> Value
    ) throws(WorkError) -> Value {
        if let used = takeIdle(documents) {
            do throws(WorkError) {
                let value = try work(used, isWanted)
                putBack(used)
                return value
            } catch {
                if used.isAlive {
                    putBack(used)
                    throw error
                }
                if error.code == .canceled || error.code == .pageTimeExceeded { throw error }
            }
        }
        let started: InteractiveProcess
        if let spare = takeSpare() { started = spare } else { started = try ViewProcess.start(command) }
        let process = try ViewProcess(documents, in: started, limits: command.limits, isWanted: isWanted)
        defer { if process.isAlive { putBack(process) } }
        return try work(process, isWanted)
    }

    private func takeIdle(_ documents: ViewedDocuments) -> ViewProcess? {
        state.withLock { state in
            guard let index = state.idle.lastIndex(where: { $0.process.documents == documents }) else {
                return nil as Handed<ViewProcess>?
            }
            return Handed(state.idle.remove(at: index).process)
        }?.value
    }

    private func takeSpare() -> InteractiveProcess? {
        let spare = state.withLock { state in
            defer { state.spare = nil }
            return Handed(state.spare?.process)
        }
        // The next documents probably follow soon: the printed sides after the document.
        let next = Handed(try? ViewProcess.start(command))
        let dropped = state.withLock { state -> Dropped in
            guard !state.isStopped, state.spare == nil, let process = next.value else {
                return Dropped(spare: next.value)
            }
            state.spare = (process, .now)
            return Dropped()
        }
        wakeUp.yield()
        dropped.end()
        return spare.value
    }

    private func putBack(_ process: ViewProcess) {
        let handed = Handed(process)
        let dropped = state.withLock { state in
            guard !state.isStopped else { return Dropped(views: [handed.value]) }
            state.idle.append((handed.value, .now))
            guard state.idle.count > bounds.idle else { return Dropped() }
            return Dropped(views: [state.idle.removeFirst().process])
        }
        wakeUp.yield()
        dropped.end()
    }

    /// The time at which the next idle process ends; nil if no process is idle.
    var nextEnd: ContinuousClock.Instant? {
        state.withLock { state in
            (state.idle.map(\.since) + [state.spare?.since].compactMap(\.self)).min().map { $0 + bounds.idleTime }
        }
    }

    func endIdle() {
        let limit = ContinuousClock.now - bounds.idleTime
        let dropped = state.withLock { state in
            var dropped = Dropped(views: state.idle.filter { $0.since <= limit }.map(\.process))
            state.idle.removeAll { $0.since <= limit }
            if let spare = state.spare, spare.since <= limit {
                dropped.spare = spare.process
                state.spare = nil
            }
            return dropped
        }
        dropped.end()
    }

    static func takeAll(_ state: inout State) -> Dropped {
        defer { (state.idle, state.spare) = ([], nil) }
        return Dropped(views: state.idle.map(\.process), spare: state.spare?.process)
    }

    /// A value that one thread transfers to another thread.
    private struct Handed<Value>: @unchecked Sendable {
        let value: Value
        init(_ value: Value) { self.value = value }
    }

    /// The processes that were removed from the viewer's list of processes.
    ///
    /// The processes end after the viewer's lock is released.
    struct Dropped: @unchecked Sendable {
        var views: [ViewProcess] = []
        var spare: InteractiveProcess?

        /// Releases the last references to the processes.
        ///
        /// The processes then end.
        consuming func end() {}
    }
}
