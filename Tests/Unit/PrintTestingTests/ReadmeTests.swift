import FoundationEssentials
import Testing

/// A test that compares the package in the README with the package in Examples.
///
/// `scripts/test-outside` builds and tests the package.
struct ReadmeTests {
    @Test func `the package in docs/testing-without-a-printer.md is equal to the package in Examples`() throws {
        let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
        func text(_ path: String) throws -> String { try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8) }
        let example = "Examples/PrintTestingExample"
        let readme = try text("docs/testing-without-a-printer.md")
        let package = try text("\(example)/Package.swift").replacing(
            ".package(name: \"printq\", path: \"../..\")", with: ".package(path: \"../printq\")")
        let tests = try text("\(example)/Tests/LetterTests/LetterTests.swift")
        for file in [package, tests] {
            let lines = file.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            let shown = lines.map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
            #expect(readme.contains(shown))
        }
    }
}
