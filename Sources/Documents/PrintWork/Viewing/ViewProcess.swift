// A worker process that keeps documents open and draws parts of their pages.

import FoundationEssentials
import Glibc
import PrintModel
import ProcessLaunch
import ProcessPools

/// A worker process that keeps documents open, and draws areas of their pages one after another.
///
/// The methods block the calling thread. The process ends when the last reference to this object is released.
///
/// `@unchecked Sendable`: only one thread at a time uses a process, the thread whose request took it from `ProcessPool`.
final class ViewProcess: PooledProcess, @unchecked Sendable {
    typealias Command = WorkerCommand

    /// A function that returns whether a client still waits for the result.
    typealias IsWanted = @Sendable () -> Bool

    /// The documents that the process has opened; nil for a process that waits for documents.
    private(set) var documents: ViewedDocuments?
    /// The sizes and properties of the documents' pages.
    private(set) var pages = OpenedPages(sizes: [], documentPages: [])
    private let process: InteractiveProcess
    private let command: WorkerCommand
    private var limits: WorkerLimits { command.limits }

    /// The maximum length of a response, in bytes.
    private static let longestAnswer = 48 << 20
    /// The time limit for a command whose client no longer waits for the result.
    ///
    /// Most commands end within this time, and the process still has the documents open afterwards.
    private static let timeout = Duration.milliseconds(500)

    /// Starts a process that waits for documents.
    ///
    /// The process has a lower priority than printing.
    init(_ command: WorkerCommand) throws(WorkError) {
        self.command = command
        if let unavailability = command.unavailability { throw unavailability }
        do throws(LaunchError) {
            process = try InteractiveProcess(
                program: "nice", arguments: ["-n", "5", "prlimit"] + command.prlimitArguments,
                environment: command.environment, errors: "/dev/null", host: command.host)
        } catch {
            throw WorkError(
                .workerUnavailable,
                "the document worker '\(command.executable)' does not start; run 'printq doctor'",
                detail: error.description)
        }
    }

    /// Opens documents.
    ///
    /// The caller must call this method only once.
    ///
    /// - Parameter isWanted: A function that returns whether a client still waits for the result.
    func open(_ documents: ViewedDocuments, isWanted: IsWanted) throws(WorkError) {
        self.documents = documents
        let (line, files) = try command.message(.view(documents.request))
        defer { for file in files { close(file) } }
        let end = ContinuousClock.now + .seconds(limits.wallSeconds)
        var answer = try Self.exchange(line, files, with: process, limits, until: end, isWanted)
        if case .locked = answer { answer = try Self.receive(from: process, limits, until: end, isWanted) }
        switch answer {
        case .opened(let pages): self.pages = pages
        case .failed(let error): throw error
        default: throw WorkerPool.mismatch
        }
    }

    /// Performs a view command.
    ///
    /// - Throws: The error of the command. `isAlive` is false after an error that ended the process.
    func answer(_ command: ViewCommand, isWanted: IsWanted) throws(WorkError) -> WorkerLine {
        guard let line = try? JSONEncoder().encode(command) else {
            throw WorkError(.workerUnavailable, "cannot encode the command as JSON")
        }
        let end = ContinuousClock.now + .seconds(limits.wallSeconds)
        let answer = try Self.exchange(Array(line) + [UInt8(ascii: "\n")], with: process, limits, until: end, isWanted)
        if case .failed(let error) = answer { throw error }
        return answer
    }

    func dismiss() { process.end() }

    /// Whether the process is running and waits for a command.
    var isAlive: Bool { process.isQuiet }

    private static func exchange(
        _ line: [UInt8], _ files: [CInt] = [], with process: InteractiveProcess, _ limits: WorkerLimits,
        until end: ContinuousClock.Instant, _ isWanted: IsWanted
    ) throws(WorkError) -> WorkerLine {
        do throws(InteractiveProcess.Interruption) {
            try process.send(line, passing: files, until: end)
        } catch {
            throw ended(process, limits, stop: error == .late ? .outOfTime : nil)
        }
        return try receive(from: process, limits, until: end, isWanted)
    }

    private static func receive(
        from process: InteractiveProcess, _ limits: WorkerLimits, until end: ContinuousClock.Instant,
        _ isWanted: IsWanted
    ) throws(WorkError) -> WorkerLine {
        var deadline = end
        while true {
            do throws(InteractiveProcess.Interruption) {
                let line = try process.line(longest: longestAnswer, until: min(deadline, .now + .milliseconds(100)))
                guard let message = try? JSONDecoder().decode(WorkerLine.self, from: Data(line)), message.isPlausible
                else {
                    throw InteractiveProcess.Interruption.tooLong
                }
                return message.sanitized
            } catch {
                switch error {
                case .late:
                    if ContinuousClock.now >= deadline {
                        throw ended(process, limits, stop: deadline < end ? .canceled : .outOfTime)
                    }
                    if !isWanted() { deadline = min(deadline, .now + timeout) }
                case .ended: throw ended(process, limits, stop: nil)
                case .tooLong: throw ended(process, limits, stop: nil, fault: "an invalid or very long response line")
                }
            }
        }
    }

    /// Ends the process, and returns the reason for the failure as an error.
    private static func ended(
        _ process: InteractiveProcess, _ limits: WorkerLimits, stop: WorkerStop?, fault: String? = nil
    ) -> WorkError {
        // The process has closed its socket because it ends. Its exit status is lost if it is killed before.
        let status = stop == nil && fault == nil ? process.awaitEnd(atMost: .seconds(1)) : .signaled(SIGKILL)
        process.end()
        return WorkerTermination(
            activity: "showing", tool: nil, limits: limits, status: status, stop: stop, fault: fault, errors: ""
        ).error
    }
}
