// `--wait`: how a job is doing, in one line.

package import PrintModel
package import SpoolerClient

/// Decides what the progress line says, and when it says something new.
///
/// On a terminal the line is drawn over itself; elsewhere each new text is a line.
package struct ProgressLine: Sendable {
    private let width: Int?
    private var shown = ""

    /// Nothing shown yet.
    ///
    /// - Parameter width: the terminal's columns; nil when the output is no terminal.
    package init(width: Int?) { self.width = width }

    /// What to write to show how the job is doing now; empty when that is on the screen already.
    package mutating func update(_ job: JobView, now: UnixTime) -> String {
        var text = Self.words(job, now: now)
        if let width { text = text.truncated(to: max(1, width - 1)) }
        // In a log, a countdown is one line, not one a second.
        let news = width == nil && job.state != .processing ? text.filter { !$0.isNumber } : text
        guard news != shown else { return "" }
        shown = news
        return width == nil ? text + "\n" : "\r\u{1B}[K" + text
    }

    /// What to write to take the line away.
    package mutating func clear() -> String {
        defer { shown = "" }
        return width == nil || shown.isEmpty ? "" : "\r\u{1B}[K"
    }

    /// The state message of a job in progress, `Printing page 2 of 5`, or why it is still waiting.
    package static func words(_ job: JobView, now: UnixTime) -> String {
        let state = job.stateWords(now: now)
        switch job.state {
        case .processing? where !job.message.isEmpty: return job.message
        case .processing? where job.impressionsCompleted > 0 && state == "printing":
            return job.pageProgress?.words ?? "page \(job.impressionsCompleted)"
        case .completed?, .canceled?, .aborted?: return state
        default:
            let words = job.why.isEmpty ? job.message : job.why
            return words.isEmpty ? state : "\(state): \(words)"
        }
    }
}
