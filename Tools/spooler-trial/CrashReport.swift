// Reports the results of a crash trial.

import SpoolerTrials

struct CrashReport: TrialReport {
    var rounds: Int
    var seconds: Double
    var seed: UInt64
    /// The numbers of killed programs, reached moments, lost responses and other events.
    var counts: [String: Int]
    /// The number of acknowledged jobs.
    var jobs: Int
    /// The final number of those jobs in each state.
    var states: [String: Int]
    /// The messages of aborted jobs, and how often each occurs.
    var aborted: [String: Int]
    /// The number of empty jobs that remained at printers.
    var abandoned: Int
    /// The messages of the jobs that were reported as suspended.
    var doubtful: [String]
    /// The number of violations of each kind, including kinds without violations.
    var violations: [String: Int]
    var problems: [String]

    init(
        rounds: Int, seconds: Double, seed: UInt64, journal: Journal, counts: [String: Int], verdict: Verdict?
    ) {
        self.rounds = rounds
        self.seconds = seconds
        self.seed = seed
        self.counts = counts
        jobs = Set(journal.acceptances.map(\.job)).count
        states = verdict?.states ?? [:]
        aborted = verdict?.aborted ?? [:]
        abandoned = verdict?.abandoned ?? 0
        doubtful = journal.lines.compactMap { line in
            if case .doubtShown(let job, let words) = line.entry { "job \(job): \(words)" } else { nil }
        }
        let found = verdict?.violations ?? []
        violations = [:]
        for kind in Verdict.Violation.Kind.allCases {
            violations[kind.rawValue] = found.count { $0.kind == kind }
        }
        problems = found.map(\.description)
    }

    var text: String {
        var lines = ["\(rounds) rounds in \(seconds) s, seed \(seed): \(jobs) jobs \(states)"]
        lines += counts.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value)" }
        lines += aborted.sorted { $0.key < $1.key }.map { "  aborted, \($0.value): \($0.key)" }
        lines.append("empty jobs left at printers: \(abandoned); doubtful: \(doubtful.count)")
        lines += doubtful.map { "  \($0)" }
        lines.append("violations: \(violations.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })")
        return lines.joined(separator: "\n")
    }
}
