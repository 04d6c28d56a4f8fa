// Starts print-preview and receives its results.

import FoundationEssentials
package import PrintModel
import ProcessLaunch

/// A running `print-preview`, which draws the pages of documents as they would be printed.
///
/// `print-preview` runs with the user ID of the user, and reads the documents only in sandboxed workers.
package final class PreviewProcess {
    /// The failures of a preview.
    package enum Failure: Error, Sendable {
        /// An error for a program that is not installed.
        case missing
        /// An error for a program that cannot be started or that does not accept the request.
        case notStarted(program: String, cause: any Error)
        /// An error for a program that has ended before it returned all results.
        case endedEarly
    }

    /// The maximum length of a line of `print-preview`, in bytes.
    private static let longestLine = 1 << 20

    private let process: InteractiveProcess

    /// Whether `print-preview` is installed.
    package static var isInstalled: Bool { Programs.find("print-preview") != nil }

    /// Starts the preview.
    ///
    /// - Parameter spool: The folder of the spool that contains the registered document types; nil for no registered types.
    package init(_ request: PreviewRequest, spool: String?) throws(Failure) {
        guard let program = Programs.find("print-preview") else { throw .missing }
        do {
            process = try InteractiveProcess(
                program: program, arguments: spool.map { ["--spool=\($0)"] } ?? [],
                environment: Programs.environment, errors: "/dev/null")
            let line = Array(try JSONEncoder().encode(request)) + [UInt8(ascii: "\n")]
            try process.send(line, until: .now + .seconds(20))
        } catch {
            throw .notStarted(program: program, cause: error)
        }
    }

    /// Ends the preview.
    ///
    /// At the end of its input, print-preview ends its workers and removes its temporary folder. This also happens if this
    /// program is killed. This method kills print-preview if print-preview does not end within 5 seconds.
    package func end() {
        process.finishSending()
        while (try? process.line(longest: Self.longestLine, until: .now + .seconds(5))) != nil {}
        process.end()
    }

    /// The file descriptor that becomes readable when results are available.
    package var descriptor: Int32 { process.socket }

    /// Waits for the next result.
    ///
    /// Returns nil after the last result.
    ///
    /// - Throws: `Failure.endedEarly` if print-preview has ended before it returned all results.
    package func next() throws(Failure) -> PreviewEvent? {
        do throws(InteractiveProcess.Interruption) {
            let event = try event(try process.line(longest: Self.longestLine, until: .now + .seconds(24 * 3600)))
            return event == .finished ? nil : event
        } catch {
            throw .endedEarly
        }
    }

    /// Returns the results that have arrived, without waiting for more results.
    ///
    /// - Throws: `Failure.endedEarly` if print-preview has ended before it returned all results.
    package func available() throws(Failure) -> [PreviewEvent] {
        do throws(InteractiveProcess.Interruption) {
            var events: [PreviewEvent] = []
            for line in try process.availableLines(longest: Self.longestLine) { events.append(try event(line)) }
            return events
        } catch {
            throw .endedEarly
        }
    }

    private func event(_ line: [UInt8]) throws(InteractiveProcess.Interruption) -> PreviewEvent {
        guard let event = try? JSONDecoder().decode(PreviewEvent.self, from: Data(line)) else { throw .tooLong }
        return event
    }
}
