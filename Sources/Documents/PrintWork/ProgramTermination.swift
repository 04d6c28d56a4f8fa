// Creates errors for converter programs that failed.

import Glibc
import PrintModel
import ProcessLaunch
import ProcessPools

/// The known facts about a converter program that has ended.
///
/// This type uses no processes and no tasks. The output is untrusted, because a document can control the program.
struct ProgramTermination {
    /// The converter whose name appears in the error messages.
    var converter: DocumentConverter
    var limits: WorkerLimits
    var status: InteractiveProcess.Ending
    /// The reason why the spooler stopped the program; nil if the spooler did not stop the program.
    var stop: WorkerStop?
    /// The last part of the program's standard output and standard error.
    var output: String

    /// The maximum number of bytes that a program is allowed to write to standard output and standard error.
    static let longestMessages = 16 << 20

    private var name: String { converter.programName.sanitized(to: 100) }

    /// The error that explains why the program did not succeed; nil if the program succeeded.
    var error: WorkError? {
        switch (stop, status) {
        case (.canceled, _): WorkError(.canceled, "the conversion of the document was canceled")
        case (.outOfTime, _), (nil, .signaled(SIGALRM)):
            failure(
                .timeExceeded, "took more than \(limits.wallSeconds) s",
                "save the document as PDF and print the PDF, or raise worker.wallSeconds")
        case (nil, .signaled(SIGXCPU)):
            failure(
                .processorTimeExceeded, "took more than \(limits.processorSeconds) s of CPU time",
                "save the document as PDF and print the PDF, or raise worker.processorSeconds")
        case (.outOfSpace, _), (nil, .signaled(SIGXFSZ)): outputTooLarge
        case (.tooManyMessages, _):
            failure(.outputTooLarge, "wrote more than \(Self.longestMessages >> 20) MiB of messages", advice)
        case (nil, .exited(0)): pagesError
        case (nil, _) where contains(["File too large"]): outputTooLarge
        case (nil, _) where output.reportsMissingMemory:
            failure(
                .memoryExceeded, "needed more than \(limits.memoryBytes >> 20) MiB of memory",
                "save the document as PDF and print the PDF, or raise worker.memoryMiB")
        case (nil, .signaled(let signal)):
            failure(
                .workerCrashed, "crashed (\(String(cString: strsignal(signal))))",
                "the document may be damaged; save a new copy, or save the document as PDF and print the PDF")
        case (nil, .exited(let code)): refusal(code)
        }
    }

    /// The error for a program that succeeded, but created no PDF.
    var missingOutput: WorkError {
        WorkError(
            .workerCrashed, "\(name) exited with status 0, but created no PDF; \(advice)", detail: detail)
    }

    /// The last lines of the output, joined to one line.
    var lastLines: String? {
        let lines = output.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix(ConverterProgram.pageCountMark) }
            .map { $0.trimmed().sanitized(to: 300) }.filter { !$0.isEmpty }.suffix(5)
        return lines.isEmpty ? nil : lines.joined(separator: " / ")
    }

    // MARK: - Failures

    private func failure(_ code: WorkError.Code, _ what: String, _ advice: String) -> WorkError {
        WorkError(code, "\(name) \(what) while converting the document; \(advice)", detail: detail)
    }

    private var outputTooLarge: WorkError {
        failure(
            .outputTooLarge, "wrote more than \(limits.outputBytes >> 20) MiB",
            "save the document as PDF and print the PDF, or raise worker.outputMiB")
    }

    /// Returns the error for a program that exits with a failure status.
    private func refusal(_ code: CInt) -> WorkError {
        if converter == .postScript, let message = ghostscriptError {
            return WorkError(
                .damaged, "Ghostscript cannot convert the document: \(message); save a new copy, or print a PDF",
                detail: detail)
        }
        let message = lastLines?.split(separator: " / ").last.map { ": \($0.prefix(200))" } ?? ""
        return WorkError(
            .damaged, "\(name) failed with exit status \(code)\(message); \(advice)", detail: detail)
    }

    private var advice: String {
        converter == .postScript
            ? "save a new copy of the document, or print a PDF"
            : "check the document, or correct the converter's entry in the spool's folder 'types'"
    }

    /// The last error message of Ghostscript, such as `Error: /undefined in foo`.
    private var ghostscriptError: String? {
        let lines = output.split(whereSeparator: \.isNewline)
        // A last line follows: "Unrecoverable error, exit code 1".
        let line = lines.last { $0.hasPrefix("Error: /") } ?? lines.last { $0.contains("Unrecoverable error") }
        return line.map { $0.trimmed().sanitized(to: 200) }
    }

    /// The error for a PostScript document without pages, which Ghostscript converts to a blank page.
    private var pagesError: WorkError? {
        let last = output.split(whereSeparator: \.isNewline).last { $0.contains(ConverterProgram.pageCountMark) }
        guard converter == .postScript, last?.trimmed() == "\(ConverterProgram.pageCountMark)0" else { return nil }
        return WorkError(.noPages, "the PostScript document has no pages; check the program that made the document")
    }

    private func contains(_ parts: [String]) -> Bool { parts.contains { output.contains($0) } }

    /// The exit status and the last lines of the output.
    private var detail: String? { status.detail(isStopped: stop != nil, output: lastLines) }
}

extension Substring {
    /// Returns the text without leading and trailing spaces.
    fileprivate func trimmed() -> String {
        var text = self
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
