import Foundation
import PrintModel
import PrintTestSupport
import Testing

@testable import PrintRaster

struct PageViewTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func view(_ pdf: PDFBuilder, isGray: Bool = false, printableArea: Rect? = nil) throws -> PageView {
        try pdf.write(to: folder.path("test.pdf"))
        return try PageView(
            ViewRequest(documents: [
                ViewedDocument(
                    InputDocument(path: folder.path("test.pdf")), isGray: isGray, printableArea: printableArea)
            ]))
    }

    /// A page with an odd size, colored rectangles, text and thin lines across the borders of tiles.
    private var mixedPage: PDFBuilder {
        var pdf = PDFBuilder()
        pdf.addPage(width: 500.3, height: 700.7) { page in
            page.fill(.red, x: 20.3, y: 30.7, width: 300, height: 200.2)
            page.fill(.blue, x: 250.1, y: 200, width: 200, height: 300.5)
            for line in 0..<30 {
                page.text("The quick brown fox jumps over a lazy dog", x: 15.2, y: Double(line) * 23.3, size: 17)
                page.fill(.black, x: 0, y: Double(line) * 23.3, width: 500, height: 0.3)
            }
        }
        return pdf
    }

    @Test func `the words of a page have their places on the displayed page`() throws {
        var pdf = PDFBuilder()
        pdf.addPage(width: 300, height: 200) { page in
            page.text("Hello paper", x: 30, y: 150, size: 20)
            page.text("again", x: 30, y: 100, size: 20)
        }
        pdf.addPage(width: 300, height: 200) { $0.fill(.red) }
        let view = try view(pdf)
        guard case .words(let words) = try view.answer(.words(page: 1)) else {
            Issue.record("the response has no words")
            return
        }
        #expect(words.map(\.text) == ["Hello", "paper", "again"])
        #expect(words.map(\.endsLine) == [false, true, true])
        #expect(words.text == "Hello paper\nagain\n")
        let first = try #require(words.first?.area)
        // The baseline is 50 points below the top.
        let bottom = first.origin.y + first.size.height
        #expect(abs(first.origin.x - 30) < 3 && first.origin.y > 25 && bottom > 48 && bottom < 60, "\(first)")
        #expect(first.size.width > 30 && words[1].area.origin.x > first.origin.x + first.size.width, "\(words)")
        #expect(try view.answer(.words(page: 2)) == .words([]))
        #expect(throws: WorkError.self) { _ = try view.answer(.words(page: 3)) }
    }

    @Test(arguments: [24, 48, 96, 192, 384])
    func `the tiles of a page image have the same pixels as the whole image`(dpi: Int) throws {
        let view = try view(mixedPage)
        let size = view.pages.sizes[0]
        let whole = try view.bitmap(of: PageTile(wholePage: 1, ofSize: size, resolution: dpi)).bitmap.rgb
        #expect(whole.width == Int((500.3 * Double(dpi) / 72).rounded()))
        #expect(whole.height == Int((700.7 * Double(dpi) / 72).rounded()))
        var assembled = Bitmap(width: whole.width, height: whole.height)
        for row in 0...(whole.height - 1) / 512 {
            for column in 0...(whole.width - 1) / 512 {
                let tile = try #require(PageTile(page: 1, ofSize: size, resolution: dpi, column: column, row: row))
                let part = try view.bitmap(of: tile).bitmap.rgb
                #expect(part.width == tile.width && part.height == tile.height)
                for y in 0..<part.height {
                    assembled.withMutableRow(tile.y + y) { target in
                        part.bytes.withUnsafeBufferPointer { source in
                            (target + tile.x * 3).update(
                                from: source.baseAddress! + y * part.bytesPerRow, count: part.bytesPerRow)
                        }
                    }
                }
            }
        }
        let difference = assembled.difference(from: whole)
        #expect(difference.isEmpty, "\(difference)")
    }

    @Test func `a column or row beyond the page yields no tile`() {
        let a4 = Size(width: 595.28, height: 841.89)
        #expect(PageTile(page: 1, ofSize: a4, resolution: 96, column: 1, row: 2)?.width == 794 - 512)
        #expect(PageTile(page: 1, ofSize: a4, resolution: 96, column: 1, row: 2)?.height == 1123 - 1024)
        #expect(PageTile(page: 1, ofSize: a4, resolution: 96, column: 2, row: 0) == nil)
        #expect(PageTile(page: 1, ofSize: a4, resolution: 96, column: 0, row: 3) == nil)
        #expect(PageTile(page: 1, ofSize: a4, resolution: 96, column: -1, row: 0) == nil)
    }

    @Test func `a page for a gray printer is drawn in gray, and the margins are white`() throws {
        var pdf = PDFBuilder()
        pdf.addPage(width: 72, height: 36) { $0.fill(.red) }
        let view = try view(pdf, isGray: true, printableArea: Rect(x: 12, y: 6, width: 48, height: 24))
        let bitmap = try view.bitmap(of: PageTile(wholePage: 1, ofSize: view.pages.sizes[0], resolution: 72)).bitmap
        #expect(bitmap.isGray)
        #expect(bitmap[11, 18] == .white && bitmap[60, 18] == .white && bitmap[30, 5] == .white)
        #expect(bitmap[12, 6].red == 127 || bitmap[12, 6].red == 130, "the gray of red")
    }

    @Test func `an image from a printer can be viewed at any resolution`() throws {
        var image = Bitmap(width: 100, height: 50)
        image[10, 10] = Bitmap.Pixel(red: 255, green: 0, blue: 0)
        try image.writePNG(to: folder.path("page-0001.png"), dpi: 100)
        let view = try PageView(
            ViewRequest(
                documents: [
                    ViewedDocument(InputDocument(path: folder.path("page-0001.png")), imageResolution: 100)
                ], folder: folder.path))
        #expect(view.pages.sizes == [Size(width: 72, height: 36)])
        let double = try view.bitmap(of: PageTile(wholePage: 1, ofSize: view.pages.sizes[0], resolution: 200)).bitmap
        #expect(double.width == 200 && double.height == 100)
        #expect(double[20, 20].green == 0 && double[21, 21].green == 0 && double[22, 22] == .white)
        let half = try view.bitmap(of: PageTile(wholePage: 1, ofSize: view.pages.sizes[0], resolution: 50)).bitmap
        #expect(half[5, 5].green == 191, "the average of four pixels")
    }

    @Test func `the pages of several documents have consecutive numbers`() throws {
        try PDFBuilder.numbered(pages: 2).write(to: folder.path("a.pdf"))
        var wide = PDFBuilder()
        wide.addPage(width: 300, height: 100)
        try wide.write(to: folder.path("b.pdf"))
        let view = try PageView(
            ViewRequest(
                documents: ["a.pdf", "b.pdf"].map { ViewedDocument(InputDocument(path: folder.path($0))) }))
        #expect(view.pages.documentPages == [2, 1])
        #expect(view.pages.sizes[2] == Size(width: 300, height: 100))
        #expect(throws: WorkError.self) {
            try view.answer(.draw(PageTile(page: 4, resolution: 72, x: 0, y: 0, width: 1, height: 1)))
        }
    }

    @Test func `a page is refused if it is too large for one image`() throws {
        let view = try view(mixedPage)
        #expect(throws: WorkError.self) {
            try view.answer(.draw(PageTile(page: 1, resolution: 7200, x: 0, y: 0, width: 30_000, height: 30_000)))
        }
    }
}

struct SideComparisonTests {
    private let all = Rect(x: 0, y: 0, width: 200, height: 100)

    private func page(_ rects: [(Bitmap.Pixel, Range<Int>, Range<Int>)] = []) -> Bitmap {
        var bitmap = Bitmap(width: 200, height: 100)
        for (color, columns, rows) in rects { for y in rows { for x in columns { bitmap[x, y] = color } } }
        return bitmap
    }

    private let black = Bitmap.Pixel(red: 0, green: 0, blue: 0)
    private let red = Bitmap.Pixel(red: 220, green: 0, blue: 0)

    @Test func `a comparison of equal sides yields no differences`() {
        let side = page([(black, 20..<60, 20..<40)])
        #expect(SideComparison(expected: side, printed: side, printableArea: all, resolution: 72).differences == [])
    }

    @Test func `a comparison ignores edges that moved by one pixel`() {
        let comparison = SideComparison(
            expected: page([(black, 20..<60, 20..<40)]), printed: page([(black, 21..<61, 20..<40)]), printableArea: all,
            resolution: 72)
        #expect(comparison.differences == [])
    }

    @Test func `a comparison reports missing content outside of the printable area with the cause 'printable-area'`()
        throws
    {
        var printed = page([(black, 0..<200, 0..<20)])
        printed.clip(to: PixelRect(x: 10, y: 10, width: 180, height: 80))
        let comparison = SideComparison(
            expected: page([(black, 0..<200, 0..<20)]), printed: printed,
            printableArea: Rect(x: 10, y: 10, width: 180, height: 80), resolution: 72)
        let difference = try #require(comparison.differences.first)
        #expect(comparison.differences.count == 1)
        #expect(difference.cause == .printableArea && difference.edges == [.top, .left, .right])
        #expect(difference.areas.first == Rect(x: 0, y: 0, width: 200, height: 10))
        #expect(abs(difference.share - Double(200 * 10 + 2 * 10 * 10) / 20_000) < 0.02)
    }

    @Test func `a comparison reports color that was printed as gray with the cause 'color'`() throws {
        let expected = page([(red, 20..<60, 20..<40), (black, 100..<150, 50..<60)])
        var printed = expected
        printed.convertToGray()
        let comparison = SideComparison(expected: expected, printed: printed, printableArea: all, resolution: 72)
        #expect(comparison.differences.map(\.cause) == [.color])
        #expect(comparison.differences.first?.areas == [Rect(x: 20, y: 20, width: 40, height: 20)])
    }

    @Test func `a comparison reports missing content and other differences as separate differences`() {
        let comparison = SideComparison(
            expected: page([(black, 20..<60, 20..<40)]), printed: page([(red, 120..<160, 60..<80)]), printableArea: all,
            resolution: 72)
        #expect(comparison.differences.map(\.cause) == [.missing, .other])
        #expect(
            comparison.differences.map(\.areas) == [
                [Rect(x: 20, y: 20, width: 40, height: 20)], [Rect(x: 120, y: 60, width: 40, height: 20)],
            ])
    }
}

extension Bitmap {
    fileprivate var rgb: Bitmap {
        var copy = self
        copy.convertToRGB()
        return copy
    }
}
