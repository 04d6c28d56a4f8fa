// Reports the results of a trial with several hosts.

import Foundation
import PrintTestSupport
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

    /// The commit of the checkout.
    var commit: String
    /// The day of the trial in UTC.
    var date: String
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
    /// The number of jobs that did not end, although all programs worked.
    var stuck: Int
    /// The number of acknowledged changes of printers that another host has overwritten.
    var lostUpdates: Int
    /// The time from the death of a host until other hosts drove all its printers.
    var takeover: Times
    /// The same time while other hosts or the database also failed.
    var disturbedTakeover: Times
    /// The numbers of lost responses and other events.
    var counts: [String: Int]
    /// The effects of failovers to an asynchronous standby.
    var losses: [String]
    var problems: [String]

    init(
        _ options: TrialOptions, commit: String, seconds: Double, _ journal: HostsJournal, _ verdict: HostsVerdict
    ) {
        (self.commit, date) = (commit, Date.now.formatted(.iso8601.year().month().day()))
        (seed, self.seconds, isSynchronous) = (options.seed, seconds, options.isSynchronous)
        faults = Dictionary(uniqueKeysWithValues: journal.faults.map { ($0.key.rawValue, $0.value) })
        rounds = journal.faults.values.reduce(0, +)
        acknowledged = journal.acknowledged.count
        (printed, twice, lost) = (verdict.printed, verdict.twice.count, verdict.lost.count)
        forgotten = verdict.forgotten.count
        suspended = verdict.suspended
        losses = verdict.losses
        (stuck, lostUpdates) = (journal.stuck + verdict.stuck, journal.lostUpdates)
        takeover = Times(journal.takeovers)
        disturbedTakeover = Times(journal.disturbedTakeovers)
        counts = journal.counts
        problems = journal.problems + verdict.problems
    }

    /// A section of `docs/results/trials.md`.
    var text: String {
        let columns: [(title: String, value: String)] = [
            ("Rounds", "\(rounds)"), ("Acknowledged", "\(acknowledged)"), ("Printed", "\(printed)"),
            ("Printed twice", "\(twice)"), ("Lost", "\(lost)"), ("Forgotten", "\(forgotten)"),
            ("Suspended", "\(suspended.count)"), ("Stuck", "\(stuck)"), ("Lost updates", "\(lostUpdates)"),
            ("Takeover, median / worst", takeover.text), ("With other faults", disturbedTakeover.text),
        ]
        var lines = [
            "Commit `\(commit)`, \(date): `spooler-trial hosts --seed \(seed) --rounds \(rounds) --standby "
                + "\(isSynchronous ? "" : "a")synchronous`, \(Int(seconds / 60)) minutes.",
            "",
            "| \(columns.map(\.title).joined(separator: " | ")) |",
            "|" + columns.map { _ in "---|" }.joined(),
            "| \(columns.map(\.value).joined(separator: " | ")) |",
            "", "| Fault or event | Times |", "|---|---|",
        ]
        lines += faults.sorted { $0.key < $1.key }.map { "| \($0.key) | \($0.value) |" }
        lines += counts.sorted { $0.key < $1.key }.map { "| \($0.key) | \($0.value) |" }
        let notes = suspended.map { "suspended: \($0)" } + losses
        return (lines + (notes.isEmpty ? [] : [""]) + notes).joined(separator: "\n")
    }

    /// Returns the abbreviated commit of the checkout of this program.
    static func commit() async -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized.path
        let run = try? await ProgramRun(
            "\(root)/scripts/packaging/commit", [], environment: ["PATH": "/usr/bin:/bin"], in: "/")
        return run?.output.trimmingCharacters(in: .whitespacesAndNewlines) ?? "unknown"
    }
}
