// Checks the jobs of a program under test.

import FoundationEssentials
import PageComparison
import PrintModel
package import PrinterSimulator

/// The result of running a program with a simulated printer: a list of checks.
///
///     var verdict = TrialVerdict()
///     verdict.judge(exitCode: 0)
///     verdict.judge(jobs, expecting: 1)
///     verdict.isGood
///
/// The result is good if no check has failed.
package struct TrialVerdict: Sendable {
    package struct Check: Hashable, Sendable {
        package var name: String
        package var failure: String?
        /// The duration of what was checked, in seconds; nil if it has no duration.
        var seconds: Double?
        /// The path of a picture of the failure.
        var picture: String?
    }

    package private(set) var checks: [Check] = []

    package var isGood: Bool { checks.allSatisfy { $0.failure == nil } }

    package init() {}

    /// The argument `failure` is nil if the check passed.
    package mutating func add(
        _ name: String, failure: String?, seconds: Double? = nil, picture: String? = nil
    ) {
        checks.append(Check(name: name, failure: failure, seconds: seconds, picture: picture))
    }

    /// A negative code is the number of the signal that ended the program.
    package mutating func judge(exitCode code: Int32) {
        let failure = code == 0 ? nil : code > 0 ? "the exit code is \(code)" : "signal \(-code) ended the program"
        add("the program succeeds", failure: failure)
    }

    /// Checks the printer's jobs, in the order of their arrival.
    ///
    /// - Parameter count: The expected number of jobs; nil if at least one job is expected.
    package mutating func judge(_ jobs: [SimulatedJob], expecting count: Int?) {
        let came = jobs.isEmpty ? "no job arrived" : "\(jobs.count) arrived"
        if let count {
            add("\(count) job\(count == 1 ? "" : "s") arrived", failure: jobs.count == count ? nil : came)
        } else {
            add("a job arrived", failure: jobs.isEmpty ? came : nil)
        }
        for job in jobs {
            let message = job.message.isEmpty ? "" : ": \(job.message)"
            add(
                "\(Self.name(of: job)) is completed",
                failure: job.state == .completed ? nil : "the state is \(job.state)\(message)",
                seconds: job.completedAt.map { $0 - job.createdAt })
            for warning in job.warnings { add("\(Self.name(of: job)) has no warning", failure: warning) }
        }
    }

    /// Checks the content of each job.
    package mutating func judge(_ jobs: [SimulatedJob], checking checks: [JobCheck]) {
        for job in jobs {
            for check in checks {
                let failure = job.failedChecks.first { $0.check == check }
                add("\(Self.name(of: job)) passes the check \(check.rawValue)", failure: failure?.message)
            }
        }
    }

    /// The check fails for reasons with the suffix `-warning` or `-error`, but not for other reasons.
    ///
    /// - Parameters:
    ///   - expected: The reasons that must occur, with or without a suffix.
    ///   - allowsOthers: Whether all other reasons are allowed.
    package mutating func judge(
        printerReasons reasons: Set<String>, expecting expected: [String] = [], allowsOthers: Bool = false
    ) {
        func isExpected(_ reason: String, _ name: String) -> Bool {
            reason == name || ["-report", "-warning", "-error"].contains { reason == name + $0 }
        }
        for name in expected {
            let found = reasons.contains { isExpected($0, name) }
            let had = reasons.isEmpty ? "none" : reasons.sorted().joined(separator: ", ")
            add("the printer reports \(name)", failure: found ? nil : "printer-state-reasons had \(had)")
        }
        for reason in reasons.sorted() where !allowsOthers && !expected.contains(where: { isExpected(reason, $0) }) {
            guard reason.hasSuffix("-warning") || reason.hasSuffix("-error") else { continue }
            add("the printer has no warning", failure: "printer-state-reasons had \(reason)")
        }
    }

    /// Compares the jobs' pages with the golden pages.
    ///
    /// - Parameters:
    ///   - jobs: The jobs in the order of their arrival, each with its folder.
    ///   - tolerance: The largest allowed difference of a color component, from 0 to 255.
    ///   - pictures: The folder for pictures of the differences, with a subfolder for each job.
    /// - Throws: `ComparisonError` when pages cannot be read, `goldenMissing` when the golden folder does not exist.
    package mutating func compare(
        _ jobs: [(job: SimulatedJob, folder: String)], with golden: GoldenFolder, tolerance: Int, pictures: String
    ) throws {
        guard golden.exists else {
            throw SimulatorServerError(
                .goldenMissing, "no folder '\(golden.path)' with golden pages; create the folder with --record")
        }
        let layout =
            "golden pages of several jobs must be in the folders job-000001, job-000002 and so on; "
            + "create these folders with --record"
        for (number, (job, folder)) in zip(1..., jobs) {
            let (name, wanted) = (Self.name(of: job), golden.folder(ofJob: number, of: jobs.count))
            guard GoldenFolder(wanted).exists else {
                add("\(name) has golden pages", failure: "no folder '\(wanted)'; \(layout)")
                continue
            }
            let comparison = try FolderComparison(
                wanted, folder, tolerance: tolerance, pictures: "\(pictures)/\(job.folder)")
            if comparison.pages.isEmpty { add("\(name) has pages", failure: "the job has no pages to compare") }
            for page in comparison.pages {
                add(
                    "\(name), \(page.name)", failure: page.summary.isEmpty ? nil : page.summary,
                    picture: page.picture)
            }
        }
        let expected = Set((1...(jobs.count + 1)).dropLast().map(GoldenFolder.name(ofJob:)))
        for folder in golden.jobFolders where !expected.contains(folder) {
            add(
                "a job arrived for \(folder)",
                failure: "no job arrived for the golden pages in '\(golden.path)/\(folder)'")
        }
    }

    private static func name(of job: SimulatedJob) -> String { "job \(job.id) (\(job.name))" }

    /// Returns the checks in JUnit's XML format for continuous integration.
    ///
    /// The output of a failed comparison names the picture of the differences, in the form that CI servers attach.
    ///
    /// - Parameter seconds: The duration of the run.
    package func junit(seconds: Double) -> String {
        let cases = checks.map { check in
            let time = check.seconds.map { " time=\"\(Self.decimal($0))\"" } ?? ""
            let start = "  <testcase classname=\"printsim\" name=\"\(Self.escaped(check.name))\"\(time)"
            guard let failure = check.failure else { return start + "/>" }
            let picture = check.picture.map {
                "<system-out>[[ATTACHMENT|\(Self.escaped($0))]]</system-out>"
            }
            return "\(start)><failure message=\"\(Self.escaped(failure))\"/>\(picture ?? "")</testcase>"
        }
        let failures = checks.count { $0.failure != nil }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuite name="printsim" tests="\(checks.count)" failures="\(failures)" time="\(Self.decimal(seconds))">
            \(cases.joined(separator: "\n"))
            </testsuite>

            """
    }

    /// Returns a number with three decimal places.
    private static func decimal(_ seconds: Double) -> String {
        let milliseconds = Int((max(0, seconds) * 1000).rounded())
        let rest = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
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
