import FoundationEssentials
import Testing

/// The README shows a package that is in Examples, and that scripts/test-outside tests.
struct ReadmeTests {
    @Test func `the package that the README shows is the one in Examples`() throws {
        let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
        func text(_ path: String) throws -> String { try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8) }
        let example = "Examples/PrintTestingExample"
        let readme = try text("README.md")
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
