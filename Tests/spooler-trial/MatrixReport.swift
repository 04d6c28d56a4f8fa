// The table of a crash matrix.

import SpoolerTrials

/// What became of the job at each step and of each kill, and how often.
struct MatrixReport: TrialReport {
    var seed: UInt64
    /// How many cells were tried.
    var cells = 0
    /// Outcomes and how often they were seen, by row and column.
    private(set) var outcomes: [String: [String: Int]] = [:]
    /// What must never be.
    private(set) var problems: [String] = []

    init(seed: UInt64) { self.seed = seed }

    mutating func add(_ outcome: MatrixCell.Outcome, row: Int, column: Int) {
        cells += 1
        outcomes["\(row)-\(column)", default: [:]][outcome.words, default: 0] += 1
        let place = "\(MatrixStep.all[row].name), \(CrashMatrix.columns[column].title)"
        problems += outcome.problems.map { "\(place): \($0)" }
    }

    /// The table in Markdown.
    var text: String {
        let titles = CrashMatrix.columns.map(\.title)
        var lines = [
            "| The first job is … | \(titles.joined(separator: " | ")) |",
            "|---|" + titles.map { _ in "---|" }.joined(),
        ]
        for (row, step) in MatrixStep.all.enumerated() {
            let cells = CrashMatrix.columns.indices.map { words(row, $0) }
            lines.append("| \(step.name) | \(cells.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n")
    }

    private func words(_ row: Int, _ column: Int) -> String {
        let seen = outcomes["\(row)-\(column)"] ?? [:]
        return seen.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key): \($0.value)" }
            .joined(separator: "; ")
    }
}
