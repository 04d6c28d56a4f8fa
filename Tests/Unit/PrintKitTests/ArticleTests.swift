import FoundationEssentials
import PrintTestSupport
import Testing

/// Tests of the code samples in the documentation articles.
struct ArticleTests {
    /// Returns the lines of code without comments, imports and empty lines.
    private func lines(_ text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { line in
            let code = line.firstRange(of: " //").map { line[..<$0.lowerBound] } ?? line[...]
            return code.split(separator: " ").joined(separator: " ")
        }.filter { !$0.isEmpty && !$0.hasPrefix("import ") }
    }

    private let packageFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    private func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(packageFolder)/\(path)", encoding: .utf8)
    }

    @Test(arguments: ["PrintKit.md", "Printing.md", "LayingOut.md", "FromUIKit.md"])
    func `every code sample of an article is part of the compiled samples`(article: String) throws {
        let compiled = try ["PrintKitTests/ArticleSamples", "PrintSubmissionTests/ArticleSample"].flatMap {
            lines(try text("Tests/Unit/\($0).swift"))
        }
        let parts = try text("Sources/PrintKit/PrintKit/PrintKit.docc/\(article)").components(separatedBy: "```")
        let samples = stride(from: 1, to: parts.count, by: 2).map { parts[$0] }.filter { $0.hasPrefix("swift\n") }
        if article == "Printing.md" { #expect(samples.count == 8) }
        for sample in samples {
            let wanted = lines(sample.dropFirst("swift\n".count))
            let isThere = compiled.indices.contains { compiled[$0...].starts(with: wanted) }
            #expect(isThere, "the compiled samples do not contain this sample:\n\(sample)")
        }
    }
}
