// PDFs of Debian and PyPI, and what has to become of them.

import Foundation
import PrintTestSupport
import Testing

/// PDFs that other projects publish, fetched into a cache outside of the checkout by `scripts/foreign-documents`.
struct ForeignDocuments {
    /// The folder of the documents.
    let folder: String

    /// Fetches the documents that are not in the cache yet.
    init() async throws {
        let run = try await Self.script("foreign-documents")
        try #require(run.code == 0, "the documents cannot be fetched:\n\(run.complaints)")
        folder = try #require(run.lines.last, "scripts/foreign-documents printed no folder")
    }

    /// A document, and what has to become of its job.
    struct Document: Decodable {
        /// The path, relative to the folder of the documents.
        var file: String
        var path: String
        var outcome: Outcome
        /// The number of pages of a document that has to be printed, else 0.
        var pages: Int
        var opinions: Opinions
    }

    /// What becomes of a job.
    enum Outcome: String, Decodable {
        case printed, password, damaged
        /// The programs that were asked disagree.
        case unsure
    }

    /// What the programs that were asked found; only for messages.
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

    /// The documents with the outcomes on which other programs agree.
    func judged() async throws -> [Document] {
        let run = try await Self.script("document-outcomes", folder)
        try #require(run.code == 0, "the documents cannot be judged:\n\(run.complaints)")
        return try JSONDecoder().decode([Document].self, from: Data(run.output.utf8))
    }

    /// A reviewed outcome that other programs do not give.
    struct Exception {
        var outcome: Outcome
        var pages: Int
    }

    /// The reviewed exceptions, by file.
    static func exceptions() throws -> [String: Exception] {
        var found: [String: Exception] = [:]
        for line in text(of: list("exceptions.txt")).split(separator: "\n") where !line.hasPrefix("#") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            let words = fields.count == 3 && !fields[2].isEmpty ? fields[1].split(separator: " ") : []
            let outcome = try #require(
                words.first.flatMap { Outcome(rawValue: String($0)) }, "exceptions.txt has a wrong line: \(line)")
            let pages = words.count == 2 ? Int(words[1]) : nil
            try #require((outcome == .printed) == (pages != nil), "exceptions.txt has a wrong line: \(line)")
            try #require(found[String(fields[0])] == nil, "exceptions.txt names a document twice: \(line)")
            found[String(fields[0])] = Exception(outcome: outcome, pages: pages ?? 0)
        }
        return found
    }

    /// The path of a list beside this file.
    static func list(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "ForeignDocuments/\(name)").path
    }

    /// Runs a script of the checkout with the environment of the tests, which knows the network.
    static func script(_ name: String, _ arguments: String...) async throws -> ProgramRun {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try await ProgramRun(
            root.appending(path: "scripts/\(name)").path, arguments, environment: ProcessInfo.processInfo.environment,
            in: root.path)
    }
}
