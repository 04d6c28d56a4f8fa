// `printsim compare`: the pages of two jobs side by side.

import ArgumentParser
import PageComparison

struct CompareCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare", abstract: "Compares the page images of two folders.",
        discussion: "The exit code is 0 when they are alike, 1 when they differ, 66 when they cannot be read.")

    @Argument(help: "The folder with the pages as they should be.") var golden: String
    @Argument(help: "The folder with the pages that came out, such as output/color-laser/job-000001.") var pages: String

    @Option(help: "By how much a colour may differ, from 0 to 255.") var tolerance = 0
    @Option(help: "A folder for pictures of what differs (default: none are made).") var pictures: String?

    func validate() throws {
        guard (0...255).contains(tolerance) else {
            throw ValidationError("--tolerance takes 0 to 255, not \(tolerance)")
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
        for page in comparison.pages where !page.words.isEmpty {
            print("\(page.name): \(page.words)\(page.picture.map { "; see \($0)" } ?? "")")
        }
        if comparison.pages.isEmpty { print("neither folder has a page") }
        guard comparison.isEqual else { throw ExitCode(1) }
        print("\(comparison.pages.count) page\(comparison.pages.count == 1 ? "" : "s") alike")
    }
}
