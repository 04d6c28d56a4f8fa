import FoundationEssentials
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

struct PosterSheetsTests {
    /// A page with four colored quarters and lines of text.
    private func page() -> PDFBuilder {
        var pdf = PDFBuilder()
        pdf.addPage(width: 200, height: 200) { page in
            page.fill(.red, x: 0, y: 100, width: 100, height: 100)
            page.fill(.green, x: 100, y: 100, width: 100, height: 100)
            page.fill(.blue, x: 0, y: 0, width: 100, height: 100)
            page.fill(.yellow, x: 100, y: 0, width: 100, height: 100)
            for line in 0..<6 { page.text("Poster line \(line)", x: 12, y: 20 + Double(line) * 30, size: 18) }
        }
        return pdf
    }

    @Test func `each sheet of a poster contains the part of the page for the sheet's row and column`() async throws {
        var pdf = PDFBuilder()
        pdf.addPage(width: 100, height: 100) { page in
            page.fill(.red, x: 0, y: 50, width: 50, height: 50)
            page.fill(.green, x: 50, y: 50, width: 50, height: 50)
            page.fill(.blue, x: 0, y: 0, width: 50, height: 50)
            page.fill(.yellow, x: 50, y: 0, width: 50, height: 50)
        }
        let sheets = try await PreparedSheets(pdf, paper: (100, 100), margin: 10) {
            $0.poster = Poster(columns: 2, rows: 2, overlap: .points(0))
            $0.scaling = .auto
        }
        #expect((sheets.result.impressions, sheets.result.sheets, sheets.result.pages) == (4, 4, 1))
        for (index, letter) in ["R", "G", "B", "Y"].enumerated() {
            let row = "_" + String(repeating: letter, count: 8) + "_\n"
            expectPixels(
                try sheets.side(index), "__________\n" + String(repeating: row, count: 8) + "__________")
        }
    }

    @Test func `neighboring sheets of a poster contain the same content in the overlap`() async throws {
        var pdf = PDFBuilder()
        // The middle fifth of the page is red.
        pdf.addPage(width: 180, height: 100) { $0.fill(.red, x: 80, y: 0, width: 20, height: 100) }
        let sheets = try await PreparedSheets(pdf, paper: (100, 100)) {
            $0.poster = Poster(columns: 2, rows: 1, overlap: .points(20))
        }
        let left = String(repeating: "________RR\n", count: 10)
        let right = String(repeating: "RR________\n", count: 10)
        // Cut marks and labels are in the overlap.
        expectPixels(try sheets.side(0), left)
        expectPixels(try sheets.side(1), right)
    }

    @Test(arguments: ["pdftoppm", "gs"])
    func `after cutting, the sheets of a poster form the enlarged page in pdftoppm and Ghostscript`(program: String)
        async throws
    {
        let poster = try #require(Poster(columns: 2, rows: 3, overlap: .points(36)))
        let sheets = try await PreparedSheets(page(), paper: (288, 216), margin: 12) {
            $0.poster = poster
            $0.scaling = .fill
        }
        let folder = try TemporaryFolder()
        let original = folder.path("page.pdf")
        try Data(page().bytes).write(to: URL(fileURLWithPath: original))
        // The area of the poster is 492 × 504 points, which a square page fills at 504 points, cropped at both sides.
        let area = Size(width: 264, height: 192)
        let whole = poster.size(onSheets: area)
        #expect(whole == Size(width: 492, height: 504))
        let expected = try image(original, pages: 1, dpi: 72 * 504 / 200, program, in: folder)[0]
        let tiles = try image(sheets.path, pages: 6, dpi: 72, program, in: folder)
        var difference = 0
        for tile in 0..<6 {
            let window = poster.window(ofTile: tile, onSheets: area)
            let trim = poster.trim(ofTile: tile, onSheets: area)
            for y in Int(trim.minY) + 2..<Int(trim.maxY) - 2 {
                for x in Int(trim.minX) + 2..<Int(trim.maxX) - 2 {
                    let seen = tiles[tile][x + 12, 216 - 12 - 1 - y]
                    let top = Int(whole.height) - 1 - (Int(window.minY) + y)
                    let wanted = expected[Int(window.minX) + x + 6, top]
                    if zip(seen, wanted).contains(where: { abs(Int($0) - Int($1)) > 96 }) { difference += 1 }
                }
            }
        }
        // Only edges of letters differ.
        #expect(difference < 492 * 504 / 100, "\(difference) pixels differ")
    }

    /// An image in the format PPM.
    private struct Image {
        let width: Int
        let pixels: ArraySlice<UInt8>

        init(_ bytes: [UInt8]) throws {
            // P6, width, height, maximum; Ghostscript adds a comment.
            var position = 0
            var fields: [Int] = []
            while fields.count < 4 {
                if bytes[position] == UInt8(ascii: "#") {
                    while bytes[position] != 10 { position += 1 }
                    position += 1
                    continue
                }
                let field = bytes[position...].prefix { $0 != 10 && $0 != 32 }
                fields.append(Int(String(decoding: field, as: UTF8.self)) ?? 0)
                position = field.endIndex + 1
            }
            width = fields[1]
            pixels = bytes[position...]
        }

        subscript(x: Int, y: Int) -> [UInt8] {
            let start = pixels.startIndex + (y * width + x) * 3
            return Array(pixels[start..<start + 3])
        }
    }

    private func image(
        _ path: String, pages: Int, dpi: Double, _ program: String, in folder: TemporaryFolder
    ) throws -> [Image] {
        let prefix = folder.path(UUID().uuidString)
        let command =
            program == "gs"
            ? [
                "gs", "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=ppmraw", "-dTextAlphaBits=4",
                "-dGraphicsAlphaBits=4", "-r\(dpi)", "-o", "\(prefix)-%d.ppm", path,
            ] : ["pdftoppm", "-r", "\(dpi)", path, prefix]
        let made = try run(command)
        #expect(made.status == 0, "\(made.output)")
        return try (1...pages).map {
            try Image(Array(try Data(contentsOf: URL(fileURLWithPath: "\(prefix)-\($0).ppm"))))
        }
    }

    @Test func `a poster keeps text as text, and the prepared PDF stores the page only once`() async throws {
        let sheets = try await PreparedSheets(page(), paper: (288, 216)) { $0.poster = Poster(columns: 3, rows: 3) }
        let source = try sheets.source()
        #expect(!source.contains("/Subtype /Image"))
        #expect(source.ranges(of: "(Poster line 3) Tj").count == 1)
        let text = try run("pdftotext", "-f", "1", "-l", "1", sheets.path, "-").output
        #expect(text.contains("1, 1"))
    }

    @Test func `cut marks are at the corners of the area that remains after cutting, and a label shows row and column`()
        async throws
    {
        var pdf = PDFBuilder()
        pdf.addPage(width: 100, height: 100)
        let sheets = try await PreparedSheets(pdf, paper: (200, 200)) {
            $0.poster = Poster(columns: 2, rows: 2, overlap: .points(30))
        }
        // The first sheet is cut 15 points from its right and lower edges.
        expectPixels(
            try sheets.side(0),
            """
            _________#
            __________
            __________
            __________
            __________
            __________
            __________
            __________
            __________
            #__.#__._#
            """)
        #expect(try sheets.words() == "1,+1 1,+2 2,+1 2,+2")
    }
}
