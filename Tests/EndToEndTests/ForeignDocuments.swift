// PDFs of Debian and PyPI with their expected outcomes.

import Foundation
import PrintTestSupport
import Testing

/// PDFs of other projects.
///
/// `scripts/foreign-documents` downloads them to a cache outside of the checkout.
struct ForeignDocuments {
    /// The folder of the documents.
    let folder: String

    /// Downloads the documents that are not in the cache.
    init() async throws {
        let run = try await Self.script("foreign-documents")
        try #require(run.code == 0, "cannot download the documents:\n\(run.complaints)")
        folder = try #require(run.lines.last, "scripts/foreign-documents printed no folder")
    }

    /// A document with the expected outcome of its job.
    struct Document: Decodable {
        /// The path relative to the folder of the documents.
        var file: String
        var path: String
        var outcome: Outcome
        /// The number of pages if the document must be printed, else 0.
        var pages: Int
        var opinions: Opinions
    }

    /// The outcome of a job.
    enum Outcome: String, Decodable {
        case printed, password, damaged
        /// The reference programs disagree.
        case unsure
    }

    /// The results of the reference programs, which are used only in messages.
    struct Opinions: Decodable, CustomStringConvertible {
        let description: String

        init(from decoder: any Decoder) throws {
            let opinions = try decoder.container(keyedBy: Name.self)
            description = try opinions.allKeys.sorted { $0.stringValue < $1.stringValue }.map { name in
                let words =
                    try (try? opinions.decode(Int.self, forKey: name)).map { "\($0)" }
                    ?? opinions.decode(String.self, forKey: name)
                return "\(name.stringValue): \(words)"
            }.joined(separator: ", ")
        }

        private struct Name: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }
            init?(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }
    }

    /// Returns the documents with the outcomes on which other programs agree.
    func judged() async throws -> [Document] {
        let run = try await Self.script("document-outcomes", folder)
        try #require(run.code == 0, "cannot determine the expected outcomes:\n\(run.complaints)")
        return try JSONDecoder().decode([Document].self, from: Data(run.output.utf8))
    }

    /// A reviewed outcome that differs from the outcome of other programs.
    struct Exception {
        var outcome: Outcome
        var pages: Int
    }

    /// Returns the reviewed exceptions by file.
    static func exceptions() throws -> [String: Exception] {
        var found: [String: Exception] = [:]
        for line in text(of: list("exceptions.txt")).split(separator: "\n") where !line.hasPrefix("#") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            let words = fields.count == 3 && !fields[2].isEmpty ? fields[1].split(separator: " ") : []
            let outcome = try #require(
                words.first.flatMap { Outcome(rawValue: String($0)) }, "exceptions.txt has an invalid line: \(line)")
            let pages = words.count == 2 ? Int(words[1]) : nil
            try #require((outcome == .printed) == (pages != nil), "exceptions.txt has an invalid line: \(line)")
            try #require(found[String(fields[0])] == nil, "exceptions.txt contains a document twice: \(line)")
            found[String(fields[0])] = Exception(outcome: outcome, pages: pages ?? 0)
        }
        return found
    }

    /// Returns the path of a list in the folder of this file.
    static func list(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ForeignDocuments/\(name)").path
    }

    /// Returns the option that writes a table of results for the documentation; empty unless tables must be written.
    static func table(_ name: String) -> [String] {
        guard ProcessInfo.processInfo.environment["PRINTQ_WRITE_DOCUMENT_RESULTS"] != nil else { return [] }
        return ["--table", root.appending(path: "docs/results/\(name)").path]
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Runs a script of the checkout with the environment of the tests, which has the network settings.
    static func script(_ name: String, _ arguments: String...) async throws -> ProgramRun {
        try await script(name, arguments)
    }

    /// Runs a script of the checkout with the environment of the tests, which has the network settings.
    static func script(_ name: String, _ arguments: [String]) async throws -> ProgramRun {
        try await ProgramRun(
            root.appending(path: "scripts/\(name)").path, arguments, environment: ProcessInfo.processInfo.environment,
            in: root.path)
    }
}
