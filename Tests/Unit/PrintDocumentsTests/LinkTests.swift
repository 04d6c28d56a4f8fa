import PrintModel
import PrintTestSupport
import Testing

struct LinkTests {
    /// A document with three pages.
    ///
    /// The first page has links to a URL, to page 2 and to page 3.
    private var linked: PDFBuilder {
        var pdf = PDFBuilder()
        pdf.addPage(width: 60, height: 60) { page in
            page.link(to: "https://example.org/", x: 10, y: 20, width: 30, height: 10)
            page.link(toPage: 1, x: 10, y: 40, width: 30, height: 10)
            page.link(toPage: 2, x: 10, y: 0, width: 30, height: 10)
        }
        pdf.addPage(width: 60, height: 60)
        pdf.addPage(width: 60, height: 60)
        return pdf
    }

    /// Returns the links in the prepared PDF, sorted: `left bottom right top` in whole points, and the target.
    private func links(_ sheets: PreparedSheets) throws -> [String] {
        // qpdf's readable form has one entry on each line, so `links` reads the output line by line.
        let objects = try sheets.source().split(separator: "endobj\n").map(String.init)
        let pages = objects.filter { $0.contains("/Type /Page\n") }.compactMap(number)
        return objects.filter { $0.contains("/Subtype /Link") }.map { object in
            let rectangle = numbers(in: object, after: "/Rect [").map { "\(Int($0.rounded()))" }.joined(separator: " ")
            if let target = numbers(in: object, after: "/Dest [").first {
                let side = pages.firstIndex(of: Int(target)).map { "side \($0 + 1)" } ?? "nowhere"
                return "\(rectangle) to \(side)"
            }
            return "\(rectangle) to an address: \(object.contains("https://example.org/"))"
        }.sorted()
    }

    private func number(_ object: String) -> Int? {
        object.split(separator: "\n").first { $0.hasSuffix(" 0 obj") }.flatMap { Int($0.dropLast(6)) }
    }

    private func numbers(in object: String, after key: String) -> [Double] {
        guard let start = object.firstRange(of: key)?.upperBound, let end = object[start...].firstIndex(of: "]") else {
            return []
        }
        return object[start..<end].split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    }

    @Test
    func `a link moves with the page, and the target page number is replaced with the number of the printed side`()
        async throws
    {
        let sheets = try await PreparedSheets(linked)
        #expect(
            try links(sheets) == [
                "40 0 70 10 to side 3", "40 20 70 30 to an address: true", "40 40 70 50 to side 2",
            ])
    }

    @Test func `links are kept if two pages share a side`() async throws {
        let sheets = try await PreparedSheets(linked, paper: (240, 60)) {
            $0.numberUp = NumberUp(count: 2)
            $0.scaling = .fit
        }
        #expect(
            try links(sheets) == [
                "40 0 70 10 to side 2", "40 20 70 30 to an address: true", "40 40 70 50 to side 1",
            ])
    }

    @Test func `a link is omitted if its target page is not printed`() async throws {
        let sheets = try await PreparedSheets(linked) { $0.pageRanges = try PageRanges("1,3") }
        #expect(try links(sheets) == ["40 0 70 10 to side 2", "40 20 70 30 to an address: true"])
    }

    @Test func `only the appearances of printable annotations are drawn, with and without number-up`() async throws {
        let file = HandMadePDF(
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            """
            << /Type /Page /Parent 2 0 R /MediaBox [0 0 60 60] /Resources << >> /Annots [
            << /Type /Annot /Subtype /Stamp /Rect [0 30 30 60] /F 4 /AP << /N 4 0 R >> >>
            << /Type /Annot /Subtype /Stamp /Rect [30 30 60 60] /F 0 /AP << /N 4 0 R >> >>
            << /Type /Annot /Subtype /Stamp /Rect [0 0 30 30] /F 6 /AP << /N 4 0 R >> >>
            null << /Subtype /Text /Rect [0 0 1] >> 7 ] >>
            """,
            stream: "<< /Type /XObject /Subtype /Form /BBox [0 0 10 10] >>", "1 0 0 rg 0 0 10 10 re f")
        expectPixels(
            try await PreparedSheets(files: [file.bytes], paper: (60, 60)).side(0), "R_\n__")
        expectPixels(
            try await PreparedSheets(files: [file.bytes], paper: (120, 60)) { $0.numberUp = NumberUp(count: 2) }.side(
                0),
            "R___\n____")
    }
}
