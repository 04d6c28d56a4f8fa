// Forks workers from a process that has already loaded the worker's libraries.

import CSandbox
import Glibc
import PrintModel
import ProcessLaunch
import Synchronization

/// A process of the worker program that opens no document, and forks a worker for each request.
///
/// The start of a worker program takes 16 ms of processor time, most of it for its libraries; a fork takes less than
/// 1 ms. Each worker is a child of this process, enters its own sandbox, and has the limits of a started worker. The
/// workers of one template have the same memory layout, so the pool replaces a template after a worker has crashed.
///
/// The template ends with `end()`.
final class WorkerTemplate: Sendable {
    private let command: WorkerCommand
    private struct State {
        var process: InteractiveProcess?
        var start = ContinuousClock.now
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// The time after which the process is replaced, so that upgraded libraries come into use.
    private static let longestLife = Duration.seconds(3600)

    /// The maximum time until a template has forked a worker, in milliseconds.
    private static let longestFork: CInt = 20_000

    init(command: WorkerCommand) { self.command = command }

    /// Starts the template if it does not run.
    ///
    /// The function blocks the calling thread.
    func start() throws(WorkError) { try state.withLock { state throws(WorkError) in try start(&state) } }

    private func start(_ state: inout State) throws(WorkError) {
        guard !state.hasEnded else { throw Self.unavailable("the template of the workers was replaced") }
        guard state.process == nil || ContinuousClock.now - state.start > Self.longestLife else { return }
        do throws(LaunchError) {
            state.start = .now
            state.process = try InteractiveProcess(
                program: "prlimit", arguments: command.templateArguments, environment: command.environment,
                errors: "/dev/null", host: command.host)
        } catch {
            throw Self.unavailable(error.description)
        }
    }

    /// Ends the process, and returns after it has ended.
    ///
    /// Its workers continue; the template forks no more workers.
    func end() {
        state.withLock { state in
            state.hasEnded = true
            state.process = nil
        }
    }

    /// Forks a worker, and returns the process and the socket with its standard error, which the caller closes.
    ///
    /// The function blocks the calling thread.
    func fork() throws(WorkError) -> (process: InteractiveProcess, errors: CInt) {
        let conversation = try Self.sockets()
        let errors: (own: CInt, other: CInt)
        do throws(WorkError) { errors = try Self.sockets() } catch {
            close(conversation.own)
            close(conversation.other)
            throw error
        }
        defer {
            close(conversation.other)
            close(errors.other)
        }
        do throws(WorkError) {
            let pid = try state.withLock { state throws(WorkError) in
                try start(&state)
                let pid = sandbox_request_worker(
                    state.process?.socket ?? -1, conversation.other, errors.other, Self.longestFork)
                if pid == 0 { state.process = nil }
                return pid
            }
            guard pid > 0 else { throw Self.unavailable("the template of the workers has ended") }
            do throws(LaunchError) {
                return (
                    try InteractiveProcess(pid: pid, socket: conversation.own, host: command.host), errors.own
                )
            } catch {
                throw Self.unavailable(error.description)
            }
        } catch {
            close(conversation.own)
            close(errors.own)
            throw error
        }
    }

    /// Returns the two ends of a socket.
    private static func sockets() throws(WorkError) -> (own: CInt, other: CInt) {
        var ends: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw unavailable(String(cString: strerror(errno)))
        }
        return (ends[0], ends[1])
    }

    private static func unavailable(_ reason: String) -> WorkError {
        WorkError(.workerUnavailable, "the document worker does not start; run 'printq doctor'", detail: reason)
    }
}
