// kill -9 of spooler and printer at each step of a delivery, as a table.

import Foundation
import PrintModel
import SpoolerTrials

/// The crash matrix: each step of a delivery to a printer of the network, and each choice of who is killed there.
enum CrashMatrix {
    /// Who is killed, as the columns of the table.
    static let columns = [
        Column(title: "printd killed", victims: [.printd, .workers]),
        Column(title: "the printer killed", victims: [.printsim, .workers]),
        Column(title: "both killed", victims: [.printd, .printsim, .workers]),
        Column(title: "the printer killed, and it forgets", victims: [.printsim, .workers], forgets: true),
        Column(title: "both killed, and the printer forgets", victims: [.printd, .printsim, .workers], forgets: true),
    ]

    /// Who is killed.
    struct Column: Sendable {
        var title: String
        var victims: Set<Journal.Victim>
        /// Whether the printer knows none of its jobs when it is there again, and counts them from 1.
        var forgets = false
    }

    /// Tries the cells, as many rounds as asked for; with a limit, so many of them that chance picks.
    static func run(_ options: Options, folder: String) async throws -> MatrixReport {
        var random = SeededRandom(seed: options.seed)
        let documents = MatrixDocuments()
        var report = MatrixReport(seed: options.seed)
        var cells = MatrixStep.all.indices.flatMap { row in columns.indices.map { (row: row, column: $0) } }
        if let limit = options.cells { cells = Array(cells.shuffled(using: &random).prefix(limit)) }
        for round in 0..<options.rounds {
            for (row, column) in cells {
                let place = "\(folder)/\(round)-\(row)-\(column)"
                let seed = UInt64.random(in: 1...(.max), using: &random)
                let cell = try MatrixCell(
                    MatrixStep.all[row], killing: columns[column], documents: documents,
                    random: SeededRandom(seed: seed), folder: place)
                do {
                    let outcome = try await cell.run()
                    report.add(outcome, row: row, column: column)
                    if outcome.problems.isEmpty { try? FileManager.default.removeItem(atPath: place) }
                } catch let stuck as MatrixCell.Stuck {
                    report.add(
                        MatrixCell.Outcome(words: "no end", problems: [stuck.description]), row: row, column: column)
                }
            }
        }
        return report
    }
}
