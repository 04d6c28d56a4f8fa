// Creates errors for workers that ended without a response.

import Glibc
import PrintModel
import ProcessLaunch
import ProcessPools

/// The known facts about a worker that ended without a response.
///
/// This type uses no processes and no tasks.
struct WorkerTermination {
    /// The activity of the worker, such as `preparing`.
    var activity: String
    /// The program that worked on the document, such as `LibreOffice`; nil for printq's own code.
    var tool: String?
    var limits: WorkerLimits
    var status: InteractiveProcess.Ending
    /// The reason why the spooler stopped the worker; nil if the spooler did not stop the worker.
    var stop: WorkerStop?
    /// The reason why the worker's output is invalid; nil if the output is valid.
    var fault: String?
    /// The last part of the worker's standard error.
    var errors: String

    /// The error that explains why the worker ended without a response.
    var error: WorkError {
        let work = "\(activity) the document" + (tool.map { " with \($0)" } ?? "")
        switch (stop, fault, status) {
        case (.canceled, _, _):
            return WorkError(.canceled, "\(work) was canceled")
        case (.outOfTime, _, _):
            return WorkError(
                .timeExceeded,
                "\(work) took more than \(limits.wallSeconds) s; print fewer pages at a time, or raise the time limit",
                detail: detail)
        case (nil, let fault?, _):
            return WorkError(
                .workerCrashed, "the worker sent an invalid response while \(work); the document may be malicious",
                detail: "received \(fault)" + (detail.map { "; \($0)" } ?? ""))
        case (nil, nil, .signaled(SIGXCPU)):
            return WorkError(
                .processorTimeExceeded,
                "\(work) took more than \(limits.processorSeconds) s of CPU time; "
                    + "print fewer pages at a time, or raise the limit",
                detail: detail)
        case (nil, nil, .signaled(SIGPROF)):
            return WorkError(
                .pageTimeExceeded,
                "\(work) took more than \(limits.pageSeconds) s of CPU time for one page; "
                    + "print the document without this page, or raise the time limit per page",
                detail: detail)
        case (.outOfSpace, _, _), (nil, nil, .signaled(SIGXFSZ)):
            return WorkError(
                .outputTooLarge,
                "\(work) wrote a file of more than \(Self.mebibytes(limits.outputBytes)) MiB; "
                    + "print fewer pages at a time, or raise the limit",
                detail: detail)
        case (nil, nil, _) where ranOutOfMemory:
            return WorkError(
                .memoryExceeded,
                "\(work) needed more than \(Self.mebibytes(limits.memoryBytes)) MiB of memory; "
                    + "print the document at a lower resolution, or raise the limit",
                detail: detail)
        default:
            return WorkError(
                .workerCrashed,
                "the worker crashed while \(work); the document may be damaged, so save a new copy",
                detail: detail)
        }
    }

    /// Whether the worker ran out of memory, according to its exit status or the last error message of a library.
    private var ranOutOfMemory: Bool { status == .exited(Self.outOfMemory) || errors.reportsMissingMemory }

    /// The exit status for a crash of a worker that had used most of the allowed address space (CSandbox).
    private static let outOfMemory: CInt = 71

    /// The exit status and the last part of the error output, for developers.
    private var detail: String? {
        status.detail(isStopped: stop != nil || fault != nil, output: errors.isEmpty ? nil : errors)
    }

    private static func mebibytes(_ bytes: Int) -> Int { bytes >> 20 }
}

extension InteractiveProcess.Ending {
    /// Returns a description of the end of a process and the last part of its output; nil if there is nothing to say.
    ///
    /// - Parameter isStopped: Whether the spooler stopped the process.
    func detail(isStopped: Bool, output: String?) -> String? {
        let end: String? =
            switch self {
            case .signaled(SIGKILL) where isStopped: nil
            case .signaled(let signal): "signal \(signal) (\(String(cString: strsignal(signal))))"
            case .exited(let code): "exit status \(code)"
            }
        let parts = [end, output].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }
}

extension String {
    /// Whether the text contains a message of a program or its libraries about missing memory.
    var reportsMissingMemory: Bool {
        let said = lowercased()
        return [
            "bad_alloc", "cannot allocate memory", "could not allocate", "failed to allocate", "out of memory",
            "memoryerror", "/vmerror",
        ].contains { said.contains($0) }
    }
}
