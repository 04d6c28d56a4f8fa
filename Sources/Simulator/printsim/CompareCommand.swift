// `printsim compare`: compares the page images of two folders.

import ArgumentParser
import PageComparison
import SpoolerClient

struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Compare the page images of two folders.",
        discussion: "The exit code is 0 when the pages match, 1 when they differ, 66 when they cannot be read.")

    @Argument(help: "The folder with the golden pages.") var golden: String
    @Argument(help: "The folder with the printed pages, such as output/color-laser/job-000001.") var pages: String

    @Option(help: "The largest allowed difference of a color component, from 0 to 255.") var tolerance = 0
    @Option(help: "The folder for pictures of the differences (default: none).") var pictures: String?
    @Flag(help: "Writes JSON.") var json = false

    func validate() throws {
        guard (0...255).contains(tolerance) else {
            throw ValidationError("invalid value '\(tolerance)' for --tolerance; expected 0 to 255")
        }
    }

    func run() throws {
        let comparison: FolderComparison
        do throws(ComparisonError) {
            comparison = try FolderComparison(golden, pages, tolerance: tolerance, pictures: pictures)
        } catch {
            Notice.write("printsim: \(error.message)")
            throw ExitCode(66)
        }
        if json {
            Notice.print(Self.json(comparison).text)
            guard comparison.isEqual else { throw ExitCode(1) }
            return
        }
        for page in comparison.pages where !page.summary.isEmpty {
            Notice.print("\(page.name): \(page.summary)\(page.picture.map { "; see \($0)" } ?? "")")
        }
        if comparison.pages.isEmpty { Notice.print("neither folder contains pages") }
        guard comparison.isEqual else { throw ExitCode(1) }
        Notice.print("\(comparison.pages.count) page\(comparison.pages.count == 1 ? " matches" : "s match")")
    }

    private static func json(_ comparison: FolderComparison) -> JSONText {
        .object([
            ("equal", .bool(comparison.isEqual)),
            (
                "pages",
                .array(
                    comparison.pages.map { page in
                        .object([
                            ("name", .string(page.name)),
                            ("difference", page.summary.isEmpty ? .null : .string(page.summary)),
                            ("picture", page.picture.map { .string($0) } ?? .null),
                        ])
                    })
            ),
        ])
    }
}
