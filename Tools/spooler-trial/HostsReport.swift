// Reports the results of a trial with several hosts.

import SpoolerTrials

/// The results of a trial with several hosts.
struct HostsReport: TrialReport {
    /// A duration that was measured several times, in seconds.
    struct Times: Encodable {
        var count: Int
        var median: Double
        var worst: Double

        init(_ seconds: [Double]) {
            let sorted = seconds.sorted()
            count = sorted.count
            median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
            worst = sorted.last ?? 0
        }

        var text: String { count == 0 ? "–" : "\(Self.text(median)) / \(Self.text(worst)) s (\(count)×)" }
        private static func text(_ seconds: Double) -> String { "\((seconds * 10).rounded() / 10)" }
    }

    var seed: UInt64
    var seconds: Double
    /// The number of faults.
    var rounds: Int
    /// Whether commits waited for the standby.
    var isSynchronous: Bool
    /// The number of faults of each kind.
    var faults: [String: Int]
    var acknowledged: Int
    var printed: Int
    /// The number of jobs that were printed more than once.
    var twice: Int
    /// The number of acknowledged jobs that were not printed, and are missing or completed.
    var lost: Int
    /// The number of acknowledged jobs that were printed, but are missing in the queue.
    var forgotten: Int
    var suspended: [String]
    /// The time from the death of a host until other hosts drove all its printers.
    var takeover: Times
    /// The same time while other hosts or the database also failed.
    var disturbedTakeover: Times
    /// The numbers of lost responses and other events.
    var counts: [String: Int]
    /// The effects of failovers to an asynchronous standby.
    var losses: [String]
    var problems: [String]

    init(_ options: TrialOptions, seconds: Double, _ journal: HostsJournal, _ verdict: HostsVerdict) {
        (seed, self.seconds, isSynchronous) = (options.seed, seconds, options.isSynchronous)
        faults = Dictionary(uniqueKeysWithValues: journal.faults.map { ($0.key.rawValue, $0.value) })
        rounds = journal.faults.values.reduce(0, +)
        acknowledged = journal.acknowledged.count
        (printed, twice, lost) = (verdict.printed, verdict.twice.count, verdict.lost.count)
        forgotten = verdict.forgotten.count
        suspended = verdict.suspended
        losses = verdict.losses
        takeover = Times(journal.takeovers)
        disturbedTakeover = Times(journal.disturbedTakeovers)
        counts = journal.counts
        problems = journal.problems + verdict.problems
    }

    var text: String {
        var lines = [
            "\(rounds) rounds in \(Int(seconds)) s, seed \(seed), \(isSynchronous ? "" : "a")synchronous standby", "",
            "| Rounds | Acknowledged | Printed | Printed twice | Lost | Forgotten | Suspended | Takeover, median / worst |",
            "|---|---|---|---|---|---|---|---|",
            "| \(rounds) | \(acknowledged) | \(printed) | \(twice) | \(lost) | \(forgotten) | \(suspended.count) "
                + "| \(takeover.text) |",
            "", "| Fault | Times |", "|---|---|",
        ]
        lines += faults.sorted { $0.key < $1.key }.map { "| \($0.key) | \($0.value) |" }
        lines += ["", "takeover with concurrent faults: \(disturbedTakeover.text)"]
        lines += counts.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        lines += suspended.map { "suspended: \($0)" } + losses
        return lines.joined(separator: "\n")
    }
}
