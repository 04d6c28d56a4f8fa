// Reports the tables of a crash matrix.

import SpoolerTrials

/// The results of the job at each step for each set of killed programs.
struct MatrixReport: TrialReport {
    var seed: UInt64
    /// The number of tested cells.
    private(set) var cells = 0
    /// The outcomes and their frequencies, by connection, row and column.
    private(set) var outcomes: [String: [String: Int]] = [:]
    /// The violations.
    private(set) var problems: [String] = []
    private let ways: [CrashMatrix.Way]

    init(seed: UInt64, ways: [CrashMatrix.Way]) { (self.seed, self.ways) = (seed, ways) }

    private enum CodingKeys: CodingKey { case seed, cells, outcomes, problems }

    mutating func add(_ outcome: MatrixCell.Outcome, at place: CrashMatrix.Place) {
        cells += 1
        outcomes[place.name, default: [:]][outcome.words, default: 0] += 1
        let words = "\(place.way.steps[place.row].name), \(place.way.columns[place.column].title)"
        problems += outcome.problems.map { "\(words): \($0)" }
    }

    /// The tables in Markdown.
    var text: String { ways.map(table).joined(separator: "\n\n") }

    private func table(_ way: CrashMatrix.Way) -> String {
        let titles = way.columns.map(\.title)
        var lines = [
            "| The first job is … | \(titles.joined(separator: " | ")) |",
            "|---|" + titles.map { _ in "---|" }.joined(),
        ]
        for (row, step) in way.steps.enumerated() {
            let cells = way.columns.indices.map { words(CrashMatrix.Place(way: way, row: row, column: $0)) }
            lines.append("| \(step.name) | \(cells.joined(separator: " | ")) |")
        }
        return lines.joined(separator: "\n")
    }

    private func words(_ place: CrashMatrix.Place) -> String {
        let seen = outcomes[place.name] ?? [:]
        return seen.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key): \($0.value)" }
            .joined(separator: "; ")
    }
}
