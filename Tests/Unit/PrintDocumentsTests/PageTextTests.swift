import FoundationEssentials
import PrintModel
import PrintTestSupport
import Testing

struct PageTextTests {
    private func letters(_ letters: String..., title: String? = nil) -> PDFBuilder {
        var pdf = PDFBuilder()
        for letter in letters {
            pdf.addPage(width: 400, height: 300) { $0.text(letter, x: 190, y: 150, size: 30) }
        }
        if let title { pdf.title = title }
        return pdf
    }

    private func prepare(
        _ documents: PDFBuilder..., change: (inout Imposition) throws -> Void
    ) async throws -> PreparedSheets {
        try await PreparedSheets(files: documents.map(\.bytes), paper: (400, 300), change)
    }

    /// Returns the words of a side, from top to bottom.
    private func words(_ sheets: PreparedSheets, side: Int = 1) throws -> [String] {
        try run("pdftotext", "-f", "\(side)", "-l", "\(side)", sheets.path, "-").output
            .split(whereSeparator: \.isWhitespace).map(String.init)
    }

    /// Returns the text of each side without spaces, because poppler joins single letters.
    private func texts(_ sheets: PreparedSheets) throws -> [String] {
        try (1...sheets.result.impressions).map { try words(sheets, side: $0).joined() }
    }

    @Test func `the printed page number is the number of the page in the document`() async throws {
        let sheets = try await prepare(letters("a", "b", "c", "d")) {
            $0.pageRanges = try PageRanges("2,4")
            $0.texts = PageTexts(pageNumbers: .bottomCenter, pageNumberFormat: .numberOfTotal)
        }
        #expect(try texts(sheets) == ["b2/4", "d4/4"])
    }

    @Test func `page numbers continue across joined documents, and start at 1 in each separate document`() async throws
    {
        func numbers(_ joining: DocumentJoining?) async throws -> [String] {
            let sheets = try await prepare(letters("a", "b"), letters("c")) {
                $0.documentJoining = joining
                $0.texts = PageTexts(pageNumbers: .bottomRight, pageNumberFormat: .numberOfTotal)
            }
            return try texts(sheets)
        }
        #expect(try await numbers(.sameSide) == ["a1/3", "b2/3", "c3/3"])
        #expect(try await numbers(nil) == ["a1/2", "b2/2", "c1/1"])
    }

    @Test func `with several pages on a side, the page number is the number of the side`() async throws {
        let sheets = try await prepare(letters("a", "b", "c")) {
            $0.numberUp = NumberUp(count: 2)
            $0.texts = PageTexts(pageNumbers: .bottomCenter, pageNumberFormat: .numberOfTotal)
        }
        // The sides are turned, so the order of the texts differs.
        #expect(try texts(sheets).map { $0.sorted() } == ["/12ab", "/22c"].map(Array.init))
    }

    @Test(arguments: [
        (PageNumberPosition.topLeft, "#__\n___\n___"), (.topCenter, "_#_\n___\n___"), (.topRight, "__#\n___\n___"),
        (.bottomLeft, "___\n___\n#__"), (.bottomCenter, "___\n___\n_#_"), (.bottomRight, "___\n___\n__#"),
    ])
    func `page numbers are printed at the requested position`(position: PageNumberPosition, picture: String)
        async throws
    {
        let sheets = try await prepare(letters(" ")) { $0.texts = PageTexts(pageNumbers: position) }
        expectPixels(try sheets.side(0), picture)
    }

    @Test func `if a side is turned, the page number is at the bottom of the turned page`() async throws {
        let sheets = try await PreparedSheets(letters(" "), paper: (300, 400)) {
            $0.texts = PageTexts(pageNumbers: .bottomCenter)
        }
        // Turned counterclockwise, the lower edge of the page is the right edge of the paper.
        expectPixels(try sheets.side(0), "___\n__#\n___")
    }

    @Test func `placeholders in the header are replaced, but not placeholders in the document title`() async throws {
        let sheets = try await prepare(letters("a", "b", title: "{page} Report")) {
            $0.texts = PageTexts(header: "{title} - {page} of {pages} {unknown} {")
        }
        #expect(try words(sheets, side: 2) == ["{page}", "Report", "-", "2", "of", "2", "{unknown}", "{", "b"])
        let dated = try await prepare(letters("a")) { $0.texts = PageTexts(header: "{date} {title}") }
        let header = try words(dated)
        #expect(header[0].wholeMatch(of: /20\d\d-[01]\d-[0-3]\d/) != nil)
        #expect(header[1] == "document-1.pdf")
    }

    @Test(arguments: ["Größe 漢字 Привет", "Ελληνικά かな"])
    func `headers and watermarks in any script are printed`(text: String) async throws {
        let sheets = try await prepare(letters("a")) { $0.texts = PageTexts(header: text) }
        #expect(try words(sheets).dropLast().joined(separator: " ") == text)
    }

    @Test func `a watermark over the page is gray on white and does not hide the content`() async throws {
        var pdf = PDFBuilder()
        pdf.addPage(width: 400, height: 300) { $0.fill(.black, x: 0, y: 0, width: 200, height: 300) }
        let sheets = try await prepare(pdf) { $0.texts = PageTexts(watermark: "DRAFT") }
        let side = try sheets.side(0)
        var (grays, changed) = (0, 0)
        for y in 0..<300 {
            for x in 0..<400 {
                let pixel = side.rgb(x: x, y: y)
                if x < 199 {
                    if pixel.red > 0 { changed += 1 }
                } else if (200..<235).contains(pixel.red) {
                    grays += 1
                }
            }
        }
        #expect(grays > 1000)
        #expect(changed == 0)
        #expect(try texts(sheets)[0].sorted() == "ADFRT".map { $0 })
        #expect(!(try sheets.source()).contains("/Subtype /Image"))
    }

    @Test func `a watermark under the page is hidden by the content`() async throws {
        var pdf = PDFBuilder()
        pdf.addPage(width: 400, height: 300) { $0.fill(.red, x: 0, y: 0, width: 400, height: 300) }
        let sheets = try await prepare(pdf) {
            $0.texts = PageTexts(watermark: "DRAFT", watermarkLayer: .under)
        }
        expectPixels(try sheets.side(0), "RRRR\nRRRR\nRRRR")
    }

    @Test func `a watermark is stored once if the watermark is the same on all sides`() async throws {
        let sheets = try await prepare(letters("a", "b", "c", "d")) { $0.texts = PageTexts(watermark: "DRAFT") }
        let forms = try sheets.source().ranges(of: "/Subtype /Form").count
        #expect(forms == 5)
    }

    @Test func `each copy has the same page numbers`() async throws {
        let sheets = try await prepare(letters("a", "b")) {
            $0.copies = 2
            $0.texts = PageTexts(pageNumbers: .topLeft)
        }
        #expect(Set(try words(sheets, side: 3)) == ["a", "1"])
        #expect(Set(try words(sheets, side: 4)) == ["b", "2"])
    }

    @Test func `if a header or watermark is too long, the text is cut off at the edge of the page`() async throws {
        let sheets = try await prepare(letters("a")) {
            $0.texts = PageTexts(
                watermark: String(repeating: "long ", count: 40),
                header: String(repeating: "x", count: 255))
        }
        #expect(try sheets.side(0).rgb(x: 397, y: 20).red == 255)
    }
}
