import FoundationEssentials
import PrintTestSupport
import Testing

/// The articles of the documentation.
struct ArticleTests {
    /// The lines of a text that say something, without what the compiler does not need.
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
    func `every sample of an article stands among the samples that are compiled`(article: String) throws {
        let compiled = try ["PrintKitTests/ArticleSamples", "PrintSubmissionTests/ArticleSample"].flatMap {
            lines(try text("Tests/\($0).swift"))
        }
        let parts = try text("Sources/PrintKit/PrintKit.docc/\(article)").components(separatedBy: "```")
        let samples = stride(from: 1, to: parts.count, by: 2).map { parts[$0] }.filter { $0.hasPrefix("swift\n") }
        if article == "Printing.md" { #expect(samples.count == 6) }
        for sample in samples {
            let wanted = lines(sample.dropFirst("swift\n".count))
            let isThere = compiled.indices.contains { compiled[$0...].starts(with: wanted) }
            #expect(isThere, "not compiled, or changed:\n\(sample)")
        }
    }
}
