import FoundationEssentials
import Testing

/// The README shows a package that is in Examples, and that scripts/test-outside tests.
struct ReadmeTests {
    @Test func `the package that the README shows is the one in Examples`() throws {
        let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        func text(_ path: String) throws -> String { try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8) }
        let example = "Examples/PrintTestingExample"
        let readme = try text("README.md")
        let package = try text("\(example)/Package.swift").split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.contains("name: \"printq\", path: \"../..\"") ? "        .package(path: \"../printq\")" : String($0)
        }
        let tests = try text("\(example)/Tests/LetterTests/LetterTests.swift")
        for lines in [package, tests.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)] {
            let shown = lines.dropLast().map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
            #expect(readme.contains(shown))
        }
    }
}
