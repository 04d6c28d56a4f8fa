// Kills the spooler, cupsd and the printer at each step of a delivery, and reports the results as tables.

import Foundation
import PrintModel
import SpoolerTrials

/// The crash matrix: all combinations of a delivery step and the programs to kill.
enum CrashMatrix {
    /// The connection to the printer; each connection has a separate table.
    enum Way: String, CaseIterable, Sendable {
        /// From printd directly to the printer.
        case network
        /// From printd to cupsd, and from cupsd to the printer.
        case cups

        /// The rows of the table.
        var steps: [MatrixStep] { self == .network ? MatrixStep.all : MatrixStep.throughCUPS }

        /// The columns of the table.
        var columns: [Column] {
            switch self {
            case .network:
                [
                    Column(title: "printd killed", victims: [.printd, .workers]),
                    Column(title: "the printer killed", victims: [.printsim, .workers]),
                    Column(title: "both killed", victims: [.printd, .printsim, .workers]),
                    Column(title: "the printer killed, and it forgets", victims: [.printsim, .workers], forgets: true),
                    Column(
                        title: "both killed, and the printer forgets", victims: [.printd, .printsim, .workers],
                        forgets: true),
                ]
            case .cups:
                [
                    Column(title: "printd killed", victims: [.printd, .workers]),
                    Column(title: "cupsd killed", victims: [.cupsd]),
                    Column(title: "the printer killed", victims: [.printsim]),
                    Column(title: "printd and cupsd killed", victims: [.printd, .cupsd, .workers]),
                    Column(title: "all three killed", victims: [.printd, .cupsd, .printsim, .workers]),
                    Column(title: "cupsd killed, which keeps its jobs", victims: [.cupsd], isDurable: true),
                ]
            }
        }
    }

    /// A set of programs to kill.
    struct Column: Sendable {
        var title: String
        var victims: Set<Journal.Victim>
        /// Whether the printer loses its jobs at the restart, and starts its job numbers at 1.
        var forgets = false
        /// Whether cupsd writes its jobs to the disk before it acknowledges them, which is not its default.
        var isDurable = false
    }

    /// The position of one cell.
    struct Place: Sendable, Hashable {
        var way: Way
        var row: Int
        var column: Int

        /// The name of the cell, such as `cups-3-1`; rows and columns are counted from 0.
        var name: String { "\(way)-\(row)-\(column)" }
    }

    /// Tests all cells for a number of rounds; with a limit, tests that many random cells.
    static func run(_ options: TrialOptions, folder: String) async throws -> MatrixReport {
        var random = SeededRandom(seed: options.seed)
        let documents = MatrixDocuments()
        let ways = options.way.map { [$0] } ?? Way.allCases
        var report = MatrixReport(seed: options.seed, ways: ways)
        var places = ways.flatMap { way in
            way.steps.indices.flatMap { row in
                way.columns.indices.map { Place(way: way, row: row, column: $0) }
            }
        }
        if let cell = options.cell { places.removeAll { $0.name != cell } }
        if let limit = options.cells { places = Array(places.shuffled(using: &random).prefix(limit)) }
        for round in 0..<options.rounds {
            for place in places {
                let seed = UInt64.random(in: 1...(.max), using: &random)
                let folder = "\(folder)/\(round)-\(place.name)"
                report.add(try await outcome(at: place, documents, seed: seed, folder: folder), at: place)
            }
        }
        return report
    }

    private static func outcome(
        at place: Place, _ documents: MatrixDocuments, seed: UInt64, folder: String
    ) async throws -> MatrixCell.Outcome {
        let cell = try MatrixCell(
            place.way.steps[place.row], killing: place.way.columns[place.column], on: place.way, documents: documents,
            random: SeededRandom(seed: seed), folder: folder)
        do {
            let outcome = try await cell.run()
            if outcome.problems.isEmpty { try? FileManager.default.removeItem(atPath: folder) }
            return outcome
        } catch let stuck as MatrixCell.Stuck {
            return MatrixCell.Outcome(words: "no end", problems: [stuck.description])
        }
    }
}
