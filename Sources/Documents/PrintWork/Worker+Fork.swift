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
                        // A worker of another user gets other paths than the ones in the line.
                        let request = self.command.host == nil ? nil : self.state.withLock { $0.request }
                        let (line, files) =
                            try request.map { request throws(WorkError) in
                                try self.command.message(request)
                            } ?? (line, [])
                        defer { for file in files { close(file) } }
                        let (process, errors) = try template.fork()
                        defer { close(errors) }
                        return self.accompany(process, errors: errors, sending: line, files)
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
        _ process: InteractiveProcess, errors: CInt, sending line: [UInt8], _ files: [CInt]
    ) -> TerminationStatus {
        state.withLock { state in
            (state.process, state.hosted) = (process.pid, process.hosted)
            if state.stop != nil { state.kill() }
        }
        try? process.send(line, passing: files, until: .now + .seconds(limits.wallSeconds))
        var sockets = [process.socket, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&sockets, 2, -1) >= 0 || errno == EINTR {
            if sockets[1].revents != 0, !keepErrors(from: errors) { sockets[1].fd = -1 }
            guard sockets[0].revents != 0 else { continue }
            guard let bytes = try? process.chunk(longest: 1 << 16, until: .now + .seconds(1)), !converse(bytes) else {
                break
            }
        }
        state.withLock { state in
            if process.hosted == nil, state.conversation.answer == nil {
                state.processorSeconds = Self.processorSeconds(of: process.pid)
            }
            (state.process, state.hosted) = (nil, nil)
        }
        let ending = process.end()
        if let hosted = process.hosted { state.withLock { $0.processorSeconds = hosted.processorSeconds } }
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
