// What the end of a worker that gave no answer means.

import Glibc
import PrintModel
import Subprocess

/// Why a worker was stopped by us.
enum WorkerStop: Equatable {
    case canceled
    case outOfTime
}

/// All that is known of a worker's end without an answer; no process, no task.
struct WorkerEnding {
    /// What it was doing: `preparing`.
    var activity: String
    var limits: WorkerLimits
    var status: TerminationStatus
    /// Why we stopped it, if we did.
    var stop: WorkerStop?
    /// What was wrong with what it said, if something was.
    var fault: String?
    /// The end of what it wrote to standard error.
    var errors: String

    /// The error for the people who wait, and for programs.
    var error: WorkError {
        let work = "\(activity) the document"
        switch (stop, fault, status) {
        case (.canceled, _, _):
            return WorkError(.canceled, "\(work) was canceled")
        case (.outOfTime, _, _):
            return WorkError(
                .timeExceeded,
                "\(work) took more than \(limits.wallSeconds) s; print fewer pages at a time, or allow workers more time",
                detail: detail)
        case (nil, let fault?, _):
            return WorkError(
                .workerCrashed, "the worker gave no sensible answer while \(work); the document may be malicious",
                detail: "it said \(fault)" + (detail.map { "; \($0)" } ?? ""))
        case (nil, nil, .signaled(SIGXCPU)):
            return WorkError(
                .processorTimeExceeded,
                "\(work) took more than \(limits.processorSeconds) s of processor time; "
                    + "print fewer pages at a time, or allow workers more",
                detail: detail)
        case (nil, nil, .signaled(SIGPROF)):
            return WorkError(
                .pageTimeExceeded,
                "\(work) took more than \(limits.pageSeconds) s of processor time for a page; "
                    + "print the other pages, or allow workers more time for a page",
                detail: detail)
        case (nil, nil, .signaled(SIGXFSZ)):
            return WorkError(
                .outputTooLarge,
                "\(work) made a file of more than \(Self.mebibytes(limits.outputBytes)) MiB; "
                    + "print fewer pages at a time, or allow workers larger files",
                detail: detail)
        case (nil, nil, _) where ranOutOfMemory:
            return WorkError(
                .memoryExceeded,
                "\(work) needed more than \(Self.mebibytes(limits.memoryBytes)) MiB of memory; "
                    + "print it at a lower resolution, or allow workers more",
                detail: detail)
        default:
            return WorkError(
                .workerCrashed,
                "the worker broke down while \(work); the document may be damaged, so try to save it anew",
                detail: detail)
        }
    }

    /// Whether there is evidence: the worker said so itself as it crashed, or a library did with its last words.
    private var ranOutOfMemory: Bool {
        if status == .exited(Self.outOfMemory) { return true }
        let words = [
            "bad_alloc", "could not allocate memory", "cannot allocate memory", "failed to allocate", "out of memory",
        ]
        let said = errors.lowercased()
        return words.contains { said.contains($0) }
    }

    /// The exit status of a worker that crashed with most of its address space used (CSandbox).
    private static let outOfMemory: CInt = 71

    /// For whoever debugs: how it ended, and its last words.
    private var detail: String? {
        let end: String? =
            switch status {
            case .signaled(SIGKILL) where stop != nil || fault != nil: nil  // by us
            case .signaled(let signal): "signal \(signal) (\(String(cString: strsignal(signal))))"
            case .exited(let code): "exit status \(code)"
            }
        let parts = [end, errors.isEmpty ? nil : errors].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ": ")
    }

    private static func mebibytes(_ bytes: Int) -> Int { bytes >> 20 }
}
