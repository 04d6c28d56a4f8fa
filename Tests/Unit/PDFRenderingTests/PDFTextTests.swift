import FoundationEssentials
import PDFRendering
import PrintGraphics
import PrintTestSupport
import Testing

/// Tests of reading the text of PDFs.
struct PDFTextTests {
    @Test func `the text of a PDF in memory is the drawn text, in each script and with ligatures`() throws {
        let lines = ["Ärger effizient", "שלום", "日本語 テキスト", "100 €"]
        let data = try PDFContext.data { pdf in
            for line in lines {
                pdf.beginPage()
                line.draw(at: Point(x: 50, y: 50), with: Font(family: "DejaVu Serif", size: 12))
            }
        }
        let file = try PDFFile(data: data)
        #expect(try file.text().map { String($0.filter { $0 != "\n" }) } == lines)
        #expect(try file.page(at: 1)?.text() == file.text()[1])
    }

    @Test(arguments: ["Examples/welcome.pdf", "Examples/report.pdf"])
    func `the text of another program's PDF is the text that pdftotext prints`(path: String) async throws {
        let whole = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined() + "/\(path)"
        let folder = try TemporaryFolder()
        for (index, text) in try PDFFile(path: whole).text().enumerated() {
            let run = try await ProgramRun(
                "/usr/bin/pdftotext", ["-f", "\(index + 1)", "-l", "\(index + 1)", "-enc", "UTF-8", whole, "-"],
                environment: [:], in: folder.path)
            func words(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }
            #expect(words(text) == words(run.output), "page \(index + 1)")
        }
    }

    @Test func `a PDF that needs a password or is damaged causes an error`() throws {
        let file = try PDFFile(data: EncryptedPDF.userPassword, password: "secret")
        #expect(try file.text().count == file.pageCount)
        let folder = try TemporaryFolder()
        let path = folder.path("gone.pdf")
        try PDFBuilder.numbered(pages: 1).write(to: path)
        let page = try #require(try PDFFile(path: path).page(at: 0))
        try FileManager.default.removeItem(atPath: path)
        let failure = #expect(throws: GraphicsError.self) { try page.text() }
        #expect(failure?.code == .damaged && failure?.message.contains("page 1 of '\(path)'") == true)
    }
}
