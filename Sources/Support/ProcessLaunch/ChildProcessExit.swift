// Waits for the end of a child process.

import Dispatch
import Glibc
import Synchronization

/// An observer of one child process.
///
/// Tasks use the observer to wait until the process exits.
final class ChildProcessExit: Sendable {
    private struct State {
        var code: Int32?
        var waiting: [CheckedContinuation<Int32, Never>] = []
    }

    private let pid: pid_t
    private let state = Mutex(State())

    init(of pid: pid_t) {
        self.pid = pid
        // Waiting blocks a thread, so a dedicated thread is used.
        DispatchQueue(label: "process \(pid)").async { self.watch() }
    }

    var code: Int32? { state.withLock { $0.code } }

    private func watch() {
        // Wait without reaping first: the process ID cannot be reused before the process is reaped.
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

    /// Sends a signal to the process if the process has not ended.
    ///
    /// The process ID stays reserved during this call, so that a new process with the same ID never receives the
    /// signal.
    func send(_ signal: Int32) { state.withLock { if $0.code == nil { _ = Glibc.kill(pid, signal) } } }

    /// Waits until the process ends.
    ///
    /// - Parameters:
    ///   - timeout: The time after which `late` is called.
    ///   - late: The function that is called if the process is still running after `timeout`.
    /// - Returns: The exit code, or the negated number of the signal that ended the process.
    func wait(timeout: Duration, late: @escaping @Sendable () -> Void) async -> Int32 {
        await withTaskGroup(of: Int32?.self) { tasks in
            tasks.addTask { await self.wait() }
            tasks.addTask {
                do { try await Task.sleep(for: timeout) } catch { return nil }
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
