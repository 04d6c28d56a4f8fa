// Laid out HTML, as people see it.

import FoundationEssentials
import PrintTestSupport
import PrintWork
import Testing

/// An engine of these tests' own, which lays several documents out at a time.
let testEngine = HTMLEngine(concurrent: 2, warm: 2)

extension HTMLPages {
    /// The text of each page, as `pdftotext` finds it, in words.
    func words() async throws -> [[String]] {
        let run = try await tool("pdftotext", "-layout")
        return run.output.split(separator: "\u{C}", omittingEmptySubsequences: false).dropLast()
            .map { $0.split(whereSeparator: \.isWhitespace).map(String.init) }
    }

    /// What `pdfinfo` says of each page's size.
    func sizes() async throws -> [String] {
        let folder = try TemporaryFolder()
        try Data(pdf).write(to: URL(fileURLWithPath: folder.path("a.pdf")))
        let run = try await ProgramRun(
            "/usr/bin/pdfinfo", ["-f", "1", "-l", "\(pageCount)", folder.path("a.pdf")], environment: [:],
            in: folder.path)
        return run.output.split(separator: "\n").filter { $0.contains(" size:") && $0.hasPrefix("Page ") }
            .map { $0.split(separator: ":")[1].split(separator: " ").prefix(3).joined(separator: " ") }
    }

    /// Where words lie, by their upper left corners, in points.
    func boxes() async throws -> [(x: Double, y: Double)] {
        try await tool("pdftotext", "-bbox").output.split(separator: "\n").filter { $0.contains("<word") }.map { line in
            let numbers = line.split(separator: "\"").compactMap { Double($0) }
            return (numbers[0], numbers[1])
        }
    }

    /// What poppler's program that lists fonts or images says.
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
