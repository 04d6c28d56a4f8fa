// kill -9 of spooler, cupsd and printer at each step of a delivery, as tables.

import Foundation
import PrintModel
import SpoolerTrials

/// The crash matrix: each step of a delivery, and each choice of who is killed there.
enum CrashMatrix {
    /// How a job comes to the printer; each has a table of its own.
    enum Way: String, CaseIterable, Sendable {
        /// From printd to the printer.
        case network
        /// From printd to a cupsd, and from there to the printer.
        case cups

        /// The rows of its table.
        var steps: [MatrixStep] { self == .network ? MatrixStep.all : MatrixStep.throughCUPS }

        /// The columns of its table.
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

    /// Who is killed.
    struct Column: Sendable {
        var title: String
        var victims: Set<Journal.Victim>
        /// Whether the printer knows none of its jobs when it is there again, and counts them from 1.
        var forgets = false
        /// Whether cupsd has its jobs on the disk when it tells of them, as it has not by default.
        var isDurable = false
    }

    /// One cell.
    struct Place: Sendable, Hashable {
        var way: Way
        var row: Int
        var column: Int

        /// Its name, such as `cups-3-1`; rows and columns are counted from 0.
        var name: String { "\(way)-\(row)-\(column)" }
    }

    /// Tries the cells, as many rounds as asked for; with a limit, so many of them that chance picks.
    static func run(_ options: Options, folder: String) async throws -> MatrixReport {
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
