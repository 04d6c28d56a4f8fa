// What it means when HTML could not be laid out.

import Glibc
import PrintModel
import ProcessLaunch

/// The errors of the HTML engine: what it said, or what its end says; no process.
enum HTMLEnding {
    /// It answered that it gave up.
    static func failed(_ reason: String, words: String?, limits: HTMLLimits) -> WorkError {
        switch reason {
        case "pages":
            WorkError(
                .outputTooLarge,
                "the HTML takes more than \(limits.pages) pages; print it in parts, or allow more pages")
        case "bytes":
            WorkError(
                .outputTooLarge,
                "the HTML makes a PDF of more than \(limits.outputBytes >> 20) MiB; "
                    + "print it in parts, or allow a larger one")
        case "memory": memory(limits, detail: words)
        case "depth":
            WorkError(.damaged, "the HTML is nested too deeply to be laid out; check that its elements are closed")
        default:
            WorkError(
                .damaged, "the HTML cannot be laid out; check its style sheets for numbers that are out of bounds",
                detail: words?.tamed())
        }
    }

    /// It was not heard to the end.
    static func interrupted(
        _ interruption: ConversingProcess.Interruption, ending: ConversingProcess.Ending, words: String?,
        limits: HTMLLimits
    ) -> WorkError {
        switch (interruption, ending) {
        case (.late, _):
            return WorkError(
                .timeExceeded,
                "laying out the HTML took more than \(limits.wallSeconds) s; print it in parts, or allow more time",
                detail: words)
        case (.tooLong, _):
            return WorkError(
                .workerCrashed, "the HTML engine gave no sensible answer; the document may be malicious", detail: words)
        case (.ended, .signaled(SIGXCPU)):
            return WorkError(
                .processorTimeExceeded,
                "laying out the HTML took more than \(limits.processorSeconds) s of processor time; "
                    + "print it in parts, or allow more",
                detail: words)
        case (.ended, _) where ranOutOfMemory(words):
            return memory(limits, detail: words)
        case (.ended, let ending):
            return WorkError(
                .workerCrashed, "the HTML engine broke down; try a simpler document",
                detail: "\(ending)" + (words.map { ": \($0)" } ?? ""))
        }
    }

    private static func memory(_ limits: HTMLLimits, detail: String?) -> WorkError {
        WorkError(
            .memoryExceeded,
            "laying out the HTML needed more than \(limits.memoryBytes >> 20) MiB of memory; "
                + "use smaller images, print it in parts, or allow more",
            detail: detail)
    }

    /// What libraries say before they give up.
    private static func ranOutOfMemory(_ words: String?) -> Bool {
        let said = (words ?? "").lowercased()
        return ["memoryerror", "failed to allocate", "cannot allocate memory", "out of memory"].contains {
            said.contains($0)
        }
    }
}
