// Runs a worker that is forked from a template.

import AsyncPrimitives
import Glibc
import PrintModel
import ProcessLaunch
import Subprocess

extension Worker {
    /// Forks the process from a template, and waits until the process has ended and was reaped.
    ///
    /// A cancellation of the task ends the process.
    func live(forkedBy template: WorkerTemplate) async {
        await withTaskCancellationHandler {
            guard let line = await requests.first(where: { _ in true }) else {
                return finish(notStarted: "no request was sent")
            }
            do throws(WorkError) {
                finish(
                    try await DedicatedThread.run { () throws(WorkError) in
                        let (process, errors) = try template.fork()
                        defer { close(errors) }
                        return self.accompany(process, errors: errors, sending: line)
                    })
            } catch {
                finish(notStarted: error.detail ?? error.message)
            }
        } onCancel: {
            stop(.canceled)
        }
    }

    /// Sends the request to a forked process, and returns how the process ended.
    private func accompany(
        _ process: InteractiveProcess, errors: CInt, sending line: [UInt8]
    ) -> TerminationStatus {
        state.withLock { state in
            state.process = process.pid
            if state.stop != nil { kill(-process.pid, SIGKILL) }
        }
        try? process.send(line, until: .now + .seconds(limits.wallSeconds))
        var sockets = [process.socket, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&sockets, 2, -1) >= 0 || errno == EINTR {
            if sockets[1].revents != 0, !keepErrors(from: errors) { sockets[1].fd = -1 }
            guard sockets[0].revents != 0 else { continue }
            guard let bytes = try? process.chunk(longest: 1 << 16, until: .now + .seconds(1)), !converse(bytes) else {
                break
            }
        }
        state.withLock { state in
            if state.conversation.answer == nil { state.processorSeconds = Self.processorSeconds(of: process.pid) }
            state.process = nil
        }
        let ending = process.end()
        while keepErrors(from: errors) {}
        switch ending {
        case .exited(let code): return .exited(code)
        case .signaled(let signal): return .signaled(signal)
        }
    }

    /// Keeps the available error output of a forked process; returns false if no more output is available.
    private func keepErrors(from socket: CInt) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(socket, &bytes, bytes.count, CInt(MSG_DONTWAIT))
        guard count > 0 else { return count < 0 && errno == EINTR }
        keep(errors: bytes.prefix(count))
        return true
    }
}
