// Runs CUPS' conformance suites.

import FoundationEssentials
import Subprocess

/// A copy of ipptool's suites with all sample documents that they name.
///
///     let suite = try await IPPTool(folder: folder.path("suite"))
///     let run = try await suite.run("ipp-1.1.test", against: "ipp://localhost:\(port)/ipp/print/laser", document: pdf)
///     #expect(run.results.count == run.names)
///     #expect(run.failures.isEmpty)
///     #expect(run.errors.isEmpty)
public struct IPPTool: Sendable {
    /// The folder of the copy.
    public let folder: String

    /// Makes the copy with `scripts/ipptool-data`.
    public init(folder: String) async throws {
        self.folder = folder
        let script = "\(Self.packageFolder)/scripts/ipptool-data"
        let made = try await Subprocess.run(
            .path("/usr/bin/env"), arguments: ["python3", script, folder], output: .discarded,
            error: .string(limit: 1 << 16))
        guard made.terminationStatus.isSuccess else { throw Failure(description: made.standardError) }
    }

    /// The output of a suite.
    public struct Run: Sendable {
        /// The number of tests in the suite's file, including skipped tests.
        public var names: Int
        /// The results of all tests that ran, in order.
        public var results: [Result]
        /// The text on standard error.
        public var errors: String

        /// The failed tests, with expected and actual values.
        public var failures: [Result] { results.filter { $0.outcome == .fail } }
    }

    /// The result of one test.
    public struct Result: Sendable, CustomStringConvertible {
        /// The outcomes of a test.
        public enum Outcome: String, Sendable {
            /// The test passed.
            case pass = "PASS"
            /// The test failed.
            case fail = "FAIL"
            /// The printer does not support the tested feature.
            case skip = "SKIP"
        }

        /// The name of the test, truncated by ipptool.
        public var name: String
        /// The outcome of the test.
        public var outcome: Outcome
        /// The lines that follow the name in ipptool's output.
        public var details: [String]

        /// The name, the outcome and the details.
        public var description: String { ([name, outcome.rawValue] + details).joined(separator: "\n") }
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Runs a suite with the caller's document; continues after failures.
    public func run(_ suite: String, against uri: String, document: String) async throws -> Run {
        let path = "\(folder)/\(suite)"
        let ran = try await Subprocess.run(
            .name("ipptool"), arguments: ["-tI", "-f", document, uri, path], output: .string(limit: 16 << 20),
            error: .string(limit: 1 << 20))
        return Run(names: try names(in: suite), results: Self.results(ran.standardOutput), errors: ran.standardError)
    }

    /// Returns the number of tests in a suite, including the suites that it includes.
    private func names(in suite: String) throws -> Int {
        let lines = try String(contentsOfFile: "\(folder)/\(suite)", encoding: .utf8).split(separator: "\n").map(
            \.trimmed)
        let own = lines.count { $0.hasPrefix("NAME ") }
        return try lines.filter { $0.hasPrefix("INCLUDE ") }.reduce(own) { count, line in
            count + (try names(in: String(line.dropFirst(8).filter { $0 != "\"" })))
        }
    }

    /// Parses lines such as `    Print-Job: job-name                           [PASS]`, and the details after each
    /// line.
    static func results(_ output: String) -> [Result] {
        var results: [Result] = []
        for line in output.split(separator: "\n") {
            if line.hasSuffix("]"), let bracket = line.lastIndex(of: "["),
                let outcome = Result.Outcome(rawValue: String(line[line.index(after: bracket)...].dropLast()))
            {
                results.append(Result(name: String(line[..<bracket].trimmed), outcome: outcome, details: []))
            } else if !results.isEmpty {
                results[results.count - 1].details.append(String(line.trimmed))
            }
        }
        return results
    }

    /// The folder of the package, which contains the `Tests` folder.
    private static let packageFolder = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        .dropLast(4).joined(separator: "/")
}

extension Substring {
    fileprivate var trimmed: Substring {
        let start = drop { $0 == " " || $0 == "\t" }
        let end = start.lastIndex { $0 != " " && $0 != "\t" }
        return end.map { start[...$0] } ?? start.prefix(0)
    }
}
