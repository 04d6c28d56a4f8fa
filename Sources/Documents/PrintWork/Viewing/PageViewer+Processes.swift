// Selects the processes of a `PageViewer`.

import PrintModel
import ProcessPools

extension PageViewer {
    /// The variant of processes that have not opened documents.
    private static let spare = ["spare"]

    /// Calls a function on the current thread, with a worker process that has the documents open.
    ///
    /// A previously used process may have exhausted its limits, or may have been killed. In this case, another attempt
    /// with a new process is necessary.
    func attempt<Value: Sendable>(
        _ documents: ViewedDocuments, usesIdle: Bool, isWanted: @escaping ViewProcess.IsWanted,
        _ work: (ViewProcess, @escaping ViewProcess.IsWanted) throws(WorkError) -> Value
    ) throws(WorkError) -> ProcessPool<ViewProcess>.Attempt<Value> {
        if usesIdle, let used = processes.take(where: { $0.documents == documents }) {
            do throws(WorkError) {
                let value = try work(used, isWanted)
                processes.giveBack(used)
                return .answered(value)
            } catch {
                if used.isAlive {
                    processes.giveBack(used)
                    throw error
                }
                if error.code == .canceled || error.code == .pageTimeExceeded { throw error }
                return .idleProcessEnded
            }
        }
        let process: ViewProcess
        if let spare = takeSpare() { process = spare } else { process = try ViewProcess(processes.command) }
        try process.open(documents, isWanted: isWanted)
        defer { if process.isAlive { processes.giveBack(process) } }
        return .answered(try work(process, isWanted))
    }

    private func takeSpare() -> ViewProcess? {
        let taken = processes.take { $0.documents == nil }
        // The next documents probably follow soon: the printed sides after the document.
        if let next = try? ViewProcess(processes.command) {
            processes.giveBack(next, variant: Self.spare, most: 1)
        }
        return taken
    }
}
