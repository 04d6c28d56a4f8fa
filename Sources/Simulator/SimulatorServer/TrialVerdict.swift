// Whether what was printed is what was wanted: for tests of programs that print.

import FoundationEssentials
import PageComparison
import PrintModel
package import PrinterSimulator

/// What came of a program that was to print at a simulated printer.
///
///     var verdict = TrialVerdict()
///     verdict.judge(exitCode: 0)
///     verdict.judge(jobs, expecting: 1)
///     verdict.isGood
///
/// It is well when all that was looked at is.
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

    /// A verdict on nothing yet.
    package init() {}

    /// Adds something that was looked at, with what is wrong with it.
    package mutating func add(_ name: String, failure: String?) { checks.append(Check(name: name, failure: failure)) }

    /// Looks at how the program ended: its exit code, or minus the number of the signal that ended it.
    package mutating func judge(exitCode code: Int32) {
        let failure = code == 0 ? nil : code > 0 ? "its exit code is \(code)" : "signal \(-code) ended it"
        add("the program succeeds", failure: failure)
    }

    /// Looks at the printer's jobs, in the order in which they came.
    ///
    /// - Parameter count: how many must have come; nil for any number but 0.
    package mutating func judge(_ jobs: [SimulatedJob], expecting count: Int?) {
        let came = jobs.isEmpty ? "nothing was printed" : "\(jobs.count) came"
        if let count {
            add("\(count) job\(count == 1 ? "" : "s") came", failure: jobs.count == count ? nil : came)
        } else {
            add("a job came", failure: jobs.isEmpty ? came : nil)
        }
        for job in jobs {
            let message = job.message.isEmpty ? "" : ": \(job.message)"
            add(
                "\(Self.name(of: job)) is completed",
                failure: job.state == .completed ? nil : "it is \(job.state)\(message)")
            for warning in job.warnings { add("\(Self.name(of: job)) has no warning", failure: warning) }
        }
    }

    /// Looks at what the printer had to say of itself meanwhile (`printer-state-reasons`): warnings and errors count, and
    /// reports do not.
    package mutating func judge(printerReasons reasons: Set<String>) {
        for reason in reasons.sorted() where reason.hasSuffix("-warning") || reason.hasSuffix("-error") {
            add("the printer has no warning", failure: "it said \(reason)")
        }
    }

    /// Compares the jobs' pages with the golden ones.
    ///
    /// - Parameters:
    ///   - jobs: the jobs in the order in which they came, each with its folder.
    ///   - tolerance: by how much a colour may differ, 0 to 255.
    ///   - pictures: where pictures of differences go, in a folder for each job.
    /// - Throws: `ComparisonError` when pages cannot be read, `goldenMissing` when there is no golden folder.
    package mutating func compare(
        _ jobs: [(job: SimulatedJob, folder: String)], with golden: GoldenFolder, tolerance: Int, pictures: String
    ) throws {
        guard golden.exists else {
            throw SimulatorServerError(
                .goldenMissing, "there is no folder '\(golden.path)' with golden pages; make it with --record")
        }
        let layout =
            "the golden pages of several jobs lie in a folder for each, job-000001, job-000002 …; make them with --record"
        for (number, (job, folder)) in zip(1..., jobs) {
            let (name, wanted) = (Self.name(of: job), golden.folder(ofJob: number, of: jobs.count))
            guard GoldenFolder(wanted).exists else {
                add("\(name) has golden pages", failure: "there is no folder '\(wanted)': \(layout)")
                continue
            }
            let comparison = try FolderComparison(
                wanted, folder, tolerance: tolerance, pictures: "\(pictures)/\(job.folder)")
            if comparison.pages.isEmpty { add("\(name) has its pages", failure: "there are none to compare") }
            for page in comparison.pages {
                add("\(name), \(page.name)", failure: page.words.isEmpty ? nil : page.words)
            }
        }
        let expected = Set((1...(jobs.count + 1)).dropLast().map(GoldenFolder.name(ofJob:)))
        for folder in golden.jobFolders where !expected.contains(folder) {
            add("a job came for \(folder)", failure: "'\(golden.path)/\(folder)' has golden pages of one more job")
        }
    }

    private static func name(of job: SimulatedJob) -> String { "job \(job.id) (\(job.name))" }

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
