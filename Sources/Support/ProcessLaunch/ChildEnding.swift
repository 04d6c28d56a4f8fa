// How a child process ends.

import Dispatch
import Glibc
import Synchronization

/// The end of a child process, which somebody has to wait for.
final class ChildEnding: Sendable {
    private struct State {
        var code: Int32?
        var waiting: [CheckedContinuation<Int32, Never>] = []
    }

    private let pid: pid_t
    private let state = Mutex(State())

    init(of pid: pid_t) {
        self.pid = pid
        // Waiting blocks a thread; it has one of its own.
        DispatchQueue(label: "process \(pid)").async { self.watch() }
    }

    var code: Int32? { state.withLock { $0.code } }

    private func watch() {
        // First it is waited for and left as it is: as long as it is not taken note of, its number is nobody else's.
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        let (code, waiting) = state.withLock { state in
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0, errno == EINTR {}
            let signal = status & 0x7F
            let code = signal == 0 ? (status >> 8) & 0xFF : -signal
            defer { state = State(code: code) }
            return (code, state.waiting)
        }
        for continuation in waiting { continuation.resume(returning: code) }
    }

    func wait() async -> Int32 {
        await withCheckedContinuation { continuation in
            let code = state.withLock { state in
                if state.code == nil { state.waiting.append(continuation) }
                return state.code
            }
            if let code { continuation.resume(returning: code) }
        }
    }

    /// Sends it a signal, unless it has ended: a number that has become another process's gets none.
    func send(_ signal: Int32) { state.withLock { if $0.code == nil { _ = Glibc.kill(pid, signal) } } }

    /// Waits until it has ended, and calls `late` when that takes longer than `patience`; its exit code, or minus the
    /// number of the signal that ended it.
    func wait(patience: Duration, late: @escaping @Sendable () -> Void) async -> Int32 {
        await withTaskGroup(of: Int32?.self) { tasks in
            tasks.addTask { await self.wait() }
            tasks.addTask {
                do { try await Task.sleep(for: patience) } catch { return nil }
                late()
                return nil
            }
            var code: Int32 = 0
            for await result in tasks {
                guard let result else { continue }
                code = result
                tasks.cancelAll()
            }
            return code
        }
    }
}
