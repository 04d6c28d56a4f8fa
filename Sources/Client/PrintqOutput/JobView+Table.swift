// Formats jobs as a table.

package import PrintModel
package import SpoolerClient

package enum TimeStyle: Sendable, Hashable {
    /// Relative times such as `2 min ago` for the last 24 hours, for people at a terminal.
    case relative
    /// Absolute times: `18:30` for today, `2030-01-31 18:30` for other days.
    case absolute

    func text(_ moment: UnixTime, now: UnixTime) -> String {
        self == .relative ? LocalTime.relative(moment, now: now) : LocalTime.short(moment, now: now)
    }
}

extension [JobView] {
    /// Returns the jobs as a table.
    ///
    /// If `ended` is true, the table is the log of ended jobs. Otherwise the table is the queue.
    ///
    /// - Parameter reasons: The reasons to show, in the order of the jobs; nil to show the short reason of each job.
    package func table(
        now: UnixTime, ended: Bool = false, reasons: [String]? = nil, times: TimeStyle = .absolute
    ) -> TextTable {
        var table = TextTable([
            .right("JOB"), .left("PRINTER"), .flexible("OWNER"), .left("STATE"), .right("PAGES"),
            .left(ended ? "ENDED" : "SINCE"), .flexible("NAME"), .note("REASON"),
        ])
        for (index, job) in enumerated() {
            let moment = ended ? job.completedAt : job.createdAt
            let reason = reasons.flatMap { $0.indices.contains(index) ? $0[index] : nil } ?? job.shortReason
            table.add(
                [
                    "\(job.id)", job.printer, job.owner, job.stateText(now: now), job.pages,
                    moment.map { times.text($0, now: now) } ?? "", job.name, reason,
                ], tones: job.tone.map { [3: $0] } ?? [:])
        }
        return table
    }
}

extension JobView {
    /// The reason why the job ended, or the first part of the message of a job that has not ended.
    package var shortReason: String { hasEnded ? endReason : message.firstClause }
}

extension String {
    /// The text before the first `; `, without a full stop, for lists: a semicolon separates the advice of a message.
    var firstClause: String {
        let clause = firstRange(of: "; ").map { self[..<$0.lowerBound] } ?? self[...]
        return String(clause.last == "." ? clause.dropLast() : clause)
    }
}

/// The short reasons why the jobs of a queue wait.
///
/// The type determines the reasons from the states of the printers and the order of the jobs. Therefore a client
/// requires only one request, even for a long queue. `printq why` explains one job in sentences.
package struct QueueReasons: Sendable {
    private let printers: [String: PrinterView]
    private let seesAllJobs: Bool
    private var ahead: [String: Int] = [:]

    /// Creates the reasons for the queue of the given printers.
    ///
    /// - Parameter seesAllJobs: Whether the caller passes all jobs of these printers to `reason(of:)`, in queue order.
    package init(printers: [PrinterView], seesAllJobs: Bool) {
        self.printers = Dictionary(printers.map { ($0.name, $0) }) { first, _ in first }
        self.seesAllJobs = seesAllJobs
    }

    /// Returns whether the reason of a job depends on its printer or on the jobs before the job.
    package static func dependsOnPrinter(_ job: JobView) -> Bool { job.state == .pending && job.message.isEmpty }

    /// Returns the reason why a job waits, has stopped or has ended; empty if there is no reason to show.
    ///
    /// Call this function for the jobs in queue order.
    package mutating func reason(of job: JobView) -> String {
        guard !job.hasEnded else { return job.endReason }
        let counted = ahead[job.printer, default: 0]
        // A held job is not printed before the jobs behind it.
        if job.state != .pendingHeld { ahead[job.printer] = counted + 1 }
        guard Self.dependsOnPrinter(job) else { return job.shortReason }
        if let reason = printers[job.printer]?.stopReason { return reason }
        let jobsAhead = job.jobsBefore ?? (seesAllJobs ? counted : 0)
        guard jobsAhead > 0 else { return "" }
        return "\(jobsAhead) job\(jobsAhead == 1 ? "" : "s") ahead"
    }
}

extension PrinterView {
    /// The reason why the printer cannot print, as a short text; nil if the printer can print.
    var stopReason: String? {
        switch phase {
        case .ready, .printing, .refusing: return nil
        case .paused: return "printer paused" + (pauseMessage.isEmpty ? "" : ": \(pauseMessage)")
        case .offline: return "printer does not respond"
        case .stopped:
            let clause = message.firstClause
            let reason = clause.isEmpty ? alerts.first ?? reasons.first ?? "" : clause
            return reason.isEmpty ? "printer stopped" : "printer stopped: \(reason)"
        }
    }
}
