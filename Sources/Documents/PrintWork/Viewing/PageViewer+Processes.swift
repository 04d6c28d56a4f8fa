// Keeps the processes of a `PageViewer` that have documents open.

import PrintModel
import ProcessLaunch

extension PageViewer {
    /// Calls a function on the current thread, with a worker process that has the documents open.
    ///
    /// A previously used process may have exhausted its limits, or may have been killed. In this case, the function is
    /// called once more with a new process.
    func perform<Value>(
        _ documents: ViewedDocuments, isWanted: @escaping ViewProcess.IsWanted,
        _ work: (ViewProcess, @escaping ViewProcess.IsWanted) throws(WorkError) -> Value
    ) throws(WorkError) -> Value {
        if let used = idle.take(where: { $0.documents == documents }) {
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
        let process = try ViewProcess(documents, in: started, command: command, isWanted: isWanted)
        defer { if process.isAlive { putBack(process) } }
        return try work(process, isWanted)
    }

    private func takeSpare() -> InteractiveProcess? {
        let taken = spare.take()
        // The next documents probably follow soon: the printed sides after the document.
        if let next = try? ViewProcess.start(command) { spare.giveBack(next) }
        wakeUp.yield()
        return taken
    }

    private func putBack(_ process: ViewProcess) {
        idle.giveBack(process)
        wakeUp.yield()
    }

    /// The time at which the next idle process ends; nil if no process is idle.
    var nextEnd: ContinuousClock.Instant? {
        [idle.oldest, spare.oldest].compactMap(\.self).min().map { $0 + bounds.idleTime }
    }

    func endIdle() {
        idle.end(idleFor: bounds.idleTime)
        spare.end(idleFor: bounds.idleTime)
    }
}
