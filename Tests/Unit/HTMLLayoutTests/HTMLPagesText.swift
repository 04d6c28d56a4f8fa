// Reads the text and positions of laid-out HTML with independent programs.

import FoundationEssentials
import PrintTestSupport
import Testing

@testable import HTMLLayout

/// A separate engine for these tests, which lays out several documents at the same time.
let testEngine = HTMLEngine(concurrent: 2, warm: 2)

extension HTMLPages {
    /// Returns the words of each page, as read by `pdftotext`.
    func words() async throws -> [[String]] {
        let run = try await tool("pdftotext", "-layout")
        return run.output.split(separator: "\u{C}", omittingEmptySubsequences: false).dropLast()
            .map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    }

    /// Returns the size of each page, as reported by `pdfinfo`.
    func sizes() async throws -> [String] {
        let folder = try TemporaryFolder()
        try Data(pdf).write(to: URL(fileURLWithPath: folder.path("a.pdf")))
        let run = try await ProgramRun(
            "/usr/bin/pdfinfo", ["-f", "1", "-l", "\(pageCount)", folder.path("a.pdf")], environment: [:],
            in: folder.path)
        return run.output.split(separator: "\n").filter { $0.contains(" size:") && $0.hasPrefix("Page ") }
            .map { $0.split(separator: ":")[1].split(separator: " ").prefix(3).joined(separator: " ") }
    }

    /// Returns the upper left corners of the words, in points.
    func boxes() async throws -> [(x: Double, y: Double)] {
        try await tool("pdftotext", "-bbox").output.split(separator: "\n").filter { $0.contains("<word") }.map { line in
            let numbers = line.split(separator: "\"").compactMap { Double($0) }
            return (numbers[0], numbers[1])
        }
    }

    /// Returns the output of a poppler program that lists fonts or images.
    func list(_ program: String, _ option: String...) async throws -> String {
        let folder = try TemporaryFolder()
        try Data(pdf).write(to: URL(fileURLWithPath: folder.path("a.pdf")))
        return try await ProgramRun(
            "/usr/bin/\(program)", option + [folder.path("a.pdf")], environment: [:], in: folder.path
        ).output
    }

    private func tool(_ program: String, _ option: String) async throws -> ProgramRun {
        let folder = try TemporaryFolder()
        try Data(pdf).write(to: URL(fileURLWithPath: folder.path("a.pdf")))
        return try await ProgramRun(
            "/usr/bin/\(program)", [option, folder.path("a.pdf"), "-"], environment: [:], in: folder.path)
    }
}
