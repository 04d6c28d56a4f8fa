// Runs the process of a worker, and exchanges messages with it.

import AsyncPrimitives
import FoundationEssentials
import Glibc
import PrintModel
import ProcessLaunch
import ProcessPools

extension Worker {
    /// Starts the process, and waits until the process has ended and was reaped.
    ///
    /// A cancellation of the task ends the process.
    func live() async {
        guard command.host != nil else { return await live(startedBy: start) }
        let template = WorkerTemplate(command: command)
        await live(forkedBy: template)
        template.end()
    }

    /// Forks the process from a template, and waits until the process has ended and was reaped.
    ///
    /// A cancellation of the task ends the process.
    func live(forkedBy template: WorkerTemplate) async { await live(startedBy: template.fork) }

    private func live(
        startedBy start: @escaping @Sendable () throws(WorkError) -> (process: InteractiveProcess, errors: CInt)
    ) async {
        await withTaskCancellationHandler {
            do throws(WorkError) {
                finish(
                    try await DedicatedThread.run { () throws(WorkError) in
                        let (process, errors) = try start()
                        defer { close(errors) }
                        return try self.accompany(process, errors: errors)
                    })
            } catch {
                finish(notStarted: error.detail ?? error.message)
            }
        } onCancel: {
            stop(.canceled)
        }
    }

    /// Starts the process, and returns the process and the pipe with its standard error, which the caller closes.
    @Sendable private func start() throws(WorkError) -> (process: InteractiveProcess, errors: CInt) {
        // A pipe instead of a socket, because a converter can open /dev/stderr. Other processes do not inherit the
        // pipe, because `Launch` closes it.
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw WorkError(.workerUnavailable, "the worker does not start: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        do throws(LaunchError) {
            let process = try InteractiveProcess(
                program: "prlimit", arguments: command.prlimitArguments, environment: command.environment,
                errors: ends[1])
            return (process, ends[0])
        } catch {
            close(ends[0])
            throw WorkError(.workerUnavailable, error.description)
        }
    }

    /// Sends the request to the process as soon as a client makes the request, and returns how the process ended.
    private func accompany(
        _ process: InteractiveProcess, errors: CInt
    ) throws(WorkError) -> InteractiveProcess.Ending {
        var wake: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &wake) == 0 else {
            throw WorkError(.workerUnavailable, "the worker does not start: \(String(cString: strerror(errno)))")
        }
        defer { close(wake[0]) }
        _ = fcntl(errors, F_SETFL, O_NONBLOCK)
        state.withLock { state in
            (state.process, state.hosted, state.wake) = (process.pid, process.hosted, wake[1])
            if state.request != nil { state.announceRequest() }
            if state.stop != nil { state.kill() }
        }
        let failure = converse(with: process, errors: errors, wake: wake[0])
        state.withLock { state in
            if process.hosted == nil, state.conversation.answer == nil {
                state.processorSeconds = ProcessorTime.seconds(of: process.pid)
            }
            (state.process, state.hosted, state.wake) = (nil, nil, nil)
        }
        close(wake[1])
        let ending = process.end()
        if let hosted = process.hosted { state.withLock { $0.processorSeconds = hosted.processorSeconds } }
        // No process of a program is left that could write. Its last lines explain its failure.
        while keepErrors(from: errors) {}
        if let failure { throw failure }
        return ending
    }

    /// Exchanges messages with the process until the conversation or the process has ended.
    ///
    /// - Returns: The reason why the request was not sent; nil if the request was sent or no request was made.
    private func converse(with process: InteractiveProcess, errors: CInt, wake: CInt) -> WorkError? {
        var files = [process.socket, errors, wake].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&files, 3, -1) >= 0 || errno == EINTR {
            if files[2].revents != 0 {
                files[2].fd = -1
                do throws(WorkError) { try sendRequest(to: process) } catch { return error }
            }
            if files[1].revents != 0, !keepErrors(from: errors) { files[1].fd = -1 }
            if files[0].revents != 0 {
                if let bytes = try? process.chunk(longest: 1 << 16, until: .now + .seconds(1)) {
                    if converse(bytes) { break }
                } else {
                    // A launcher closes its standard output when it becomes the program, whose messages follow.
                    guard command.executesProgram else { break }
                    files[0].fd = -1
                }
            }
            if files[0].fd < 0, files[1].fd < 0 {
                var information = siginfo_t()
                while waitid(P_PID, id_t(process.pid), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
                break
            }
        }
        return nil
    }

    private func sendRequest(to process: InteractiveProcess) throws(WorkError) {
        guard let request = state.withLock({ $0.request }) else { return }
        let end = ContinuousClock.now + .seconds(limits.wallSeconds)
        // A waiting program knows the path of the document, and needs only a line. Like any other program, it has an
        // empty standard input while it converts the document.
        guard command.startLine == nil else {
            try? process.send(Array("start\n".utf8), until: end)
            return process.finishSending()
        }
        let (line, files) = try command.message(request)
        defer { for file in files { close(file) } }
        // If the process has ended, its end explains the failure.
        try? process.send(line, passing: files, until: end)
    }

    /// Keeps the available error output of the process; returns false if no more output is available.
    private func keepErrors(from file: CInt) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return count < 0 && errno == EINTR }
        keep(errors: bytes.prefix(count))
        return true
    }
}
