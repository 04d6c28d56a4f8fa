// Creates errors for HTML layouts that failed.

import Glibc
package import PrintModel
import ProcessLaunch
import ProcessPools

/// A namespace for functions that convert responses and exit statuses of the HTML engine to errors.
///
/// The functions do not start processes.
enum HTMLLayoutFailure {
    /// Returns the error for a response that reports a failure.
    static func failed(
        _ step: String, reason: String? = nil, detail: String?, limits: HTMLLimits
    ) -> WorkError {
        switch step {
        case "pages":
            WorkError(
                .outputTooLarge,
                "the HTML has more than \(limits.pages) pages; print the document in parts, or raise the page limit")
        case "bytes":
            WorkError(
                .outputTooLarge,
                "the PDF of the HTML is larger than \(limits.outputBytes >> 20) MiB; "
                    + "print the document in parts, or raise the limit")
        case "memory": memory(limits, detail: detail)
        case "web":
            // `HTMLEngine.fetch` converts this error.
            WorkError(.damaged, reason ?? "", detail: HTMLEngine.webDetail + (detail ?? "").sanitized())
        case "tooLong":
            WorkError(.tooLong, "the source code is too long to be printed in color; print the document as plain text")
        case "depth":
            WorkError(.damaged, "the HTML is nested too deeply to be laid out; check that its elements are closed")
        default:
            WorkError(
                .damaged, "cannot lay out the HTML; check its style sheets for numbers that are out of range",
                detail: detail?.sanitized())
        }
    }

    /// Returns the error for an engine that was interrupted before its response was complete.
    static func interrupted(
        _ interruption: InteractiveProcess.Interruption, ending: InteractiveProcess.Ending, detail: String?,
        limits: HTMLLimits
    ) -> WorkError {
        switch (interruption, ending) {
        case (.late, _):
            return WorkError(
                .timeExceeded,
                "laying out the HTML took more than \(limits.wallSeconds) s; "
                    + "print the document in parts, or raise the time limit",
                detail: detail)
        case (.tooLong, _):
            return WorkError(
                .workerCrashed, "the HTML engine sent an invalid response; the document may be malicious",
                detail: detail)
        case (.ended, .signaled(SIGXCPU)):
            return WorkError(
                .processorTimeExceeded,
                "laying out the HTML took more than \(limits.processorSeconds) s of CPU time; "
                    + "print the document in parts, or raise the limit",
                detail: detail)
        case (.ended, _) where ranOutOfMemory(detail):
            return memory(limits, detail: detail)
        case (.ended, let ending):
            return WorkError(
                .workerCrashed, "the HTML engine crashed; try a simpler document",
                detail: "\(ending)" + (detail.map { ": \($0)" } ?? ""))
        }
    }

    private static func memory(_ limits: HTMLLimits, detail: String?) -> WorkError {
        WorkError(
            .memoryExceeded,
            "laying out the HTML needed more than \(limits.memoryBytes >> 20) MiB of memory; "
                + "use smaller images, print the document in parts, or raise the limit",
            detail: detail)
    }

    /// Returns whether the error output contains a library's message about insufficient memory.
    private static func ranOutOfMemory(_ detail: String?) -> Bool {
        let said = (detail ?? "").lowercased()
        return ["memoryerror", "failed to allocate", "cannot allocate memory", "out of memory"].contains {
            said.contains($0)
        }
    }
}

extension WorkError {
    /// The error for a machine on which the HTML engine is not installed.
    package static let htmlEngineMissing = WorkError(
        .unsupportedFormat,
        "HTML, Markdown, e-mail and source code require the HTML engine, which is not installed; "
            + "run 'apt install printq-html' or, in a checkout, 'scripts/setup documents'")

    /// Returns the error for an HTML engine whose files the user of the workers cannot read.
    static func htmlEngineUnreadable(_ engine: String, by user: WorkerUser) -> WorkError {
        WorkError(
            .unsupportedFormat,
            "the HTML engine in '\(engine)' cannot be read by the user of the workers (\(user.user)); "
                + "run 'scripts/setup documents' as root to install the engine in /usr/local/share/printq/html-engine")
    }
}
