// Formats the progress line of `--wait`.

package import PrintModel
package import SpoolerClient

/// The progress line of a job.
///
/// The line is written only when its text changes.
///
/// On a terminal, each update overwrites the line, and a bar shows the printed pages. If the output is not a terminal,
/// each new text is a separate line.
package struct ProgressLine: Sendable {
    private let width: Int?
    private var shown = ""

    /// Creates an empty progress line.
    ///
    /// - Parameter width: The width of the terminal in columns; nil if the output is not a terminal.
    package init(width: Int?) { self.width = width }

    /// Returns the text to write for the job's current state.
    ///
    /// The result is empty if the line has not changed.
    package mutating func update(_ job: JobView, now: UnixTime) -> String {
        var text = Self.text(job, now: now)
        if let width {
            text = ProgressBar(job)?.line(text, width: width) ?? text.truncated(to: max(1, width - 1))
        }
        // In a log file, a countdown is written once, not every second.
        let news = width == nil && job.state != .processing ? text.filter { !$0.isNumber } : text
        guard news != shown else { return "" }
        shown = news
        return width == nil ? text + "\n" : "\r\u{1B}[K" + text
    }

    /// Returns the text to write while documents are sent to printd: `Uploading report.pdf`.
    ///
    /// The result is empty if the output is not a terminal.
    package mutating func update(uploading names: [String]) -> String {
        guard let width, let first = names.first else { return "" }
        let words = names.count == 1 ? first : "\(first) and \(names.count - 1) more"
        shown = "Uploading \(words)".printable.truncated(to: max(1, width - 1))
        return "\r\u{1B}[K" + shown
    }

    /// Returns the text to write to erase the line.
    package mutating func clear() -> String {
        defer { shown = "" }
        return width == nil || shown.isEmpty ? "" : "\r\u{1B}[K"
    }

    /// Returns the state message of a job in progress, such as `Printing page 2 of 5`.
    ///
    /// For a waiting job, the result is the reason why the job is waiting.
    package static func text(_ job: JobView, now: UnixTime) -> String {
        let state = job.stateText(now: now)
        switch job.state {
        case .processing? where !job.message.isEmpty: return job.message
        case .processing? where job.impressionsCompleted > 0 && state == "printing":
            return job.pageProgress?.text ?? "page \(job.impressionsCompleted)"
        case .completed?, .canceled?, .aborted?: return state
        default: return job.explanation.isEmpty ? state : "\(state): \(job.explanation)"
        }
    }
}
