// Whether what was printed is what was wanted: for tests of programs that print.

import FoundationEssentials
package import PageComparison
import PrintModel
package import PrinterSimulator

/// What came of a program that was to print at a simulated printer.
///
/// It is well when jobs came, all were completed, none has a warning, and their pages are like the golden ones.
package struct TrialVerdict: Sendable {
    /// Something that was looked at.
    package struct Check: Hashable, Sendable {
        /// What it was.
        package var name: String
        /// What is wrong with it; nil when all is well.
        package var failure: String?
    }

    /// Everything that was looked at, in order.
    package private(set) var checks: [Check] = []

    /// Whether all is well.
    package var isGood: Bool { checks.allSatisfy { $0.failure == nil } }

    /// Looks at a printer's jobs.
    ///
    /// - Parameters:
    ///   - jobs: the jobs by their number, each with its folder.
    ///   - golden: a folder with the pages as they should be, in a folder for each job, or by themselves for a single one;
    ///     nil compares none.
    ///   - tolerance: by how much a colour may differ, 0 to 255.
    ///   - pictures: where pictures of differences go, in a folder for each job.
    /// - Throws: `ComparisonError` when pages cannot be read.
    package init(
        _ jobs: [(job: SimulatedJob, folder: String)], golden: String? = nil, tolerance: Int = 0,
        pictures: String? = nil
    ) throws(ComparisonError) {
        checks.append(Check(name: "a job came", failure: jobs.isEmpty ? "nothing was printed" : nil))
        for (job, folder) in jobs {
            let name = "job \(job.id) (\(job.name))"
            let message = job.message.isEmpty ? "" : ": \(job.message)"
            checks.append(
                Check(
                    name: "\(name) is completed",
                    failure: job.state == .completed ? nil : "it is \(job.state)\(message)"))
            checks += job.warnings.map { Check(name: "\(name) has no warning", failure: $0) }
            guard let golden else { continue }
            let wanted =
                FileManager.default.fileExists(atPath: "\(golden)/\(job.folder)") || jobs.count > 1
                ? "\(golden)/\(job.folder)" : golden
            let comparison = try FolderComparison(
                wanted, folder, tolerance: tolerance, pictures: pictures.map { "\($0)/\(job.folder)" })
            if comparison.pages.isEmpty {
                checks.append(Check(name: "\(name) has its pages", failure: "there are none to compare"))
            }
            checks += comparison.pages.map { page in
                Check(name: "\(name), \(page.name)", failure: page.words.isEmpty ? nil : page.words)
            }
        }
    }

    /// The verdict as JUnit's XML, which continuous integration reads.
    package var junit: String {
        let cases = checks.map { check in
            let name = Self.escaped(check.name)
            guard let failure = check.failure else { return "  <testcase classname=\"printsim\" name=\"\(name)\"/>" }
            return
                "  <testcase classname=\"printsim\" name=\"\(name)\"><failure message=\"\(Self.escaped(failure))\"/></testcase>"
        }
        let failures = checks.count { $0.failure != nil }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuite name="printsim" tests="\(checks.count)" failures="\(failures)">
            \(cases.joined(separator: "\n"))
            </testsuite>

            """
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "&": escaped += "&amp;"
            case "\"": escaped += "&quot;"
            case "\u{0}"..<" ": escaped += " "
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }
}
