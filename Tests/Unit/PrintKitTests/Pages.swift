import FoundationEssentials
import PrintKit
import PrintRaster
import PrintTestSupport

/// A small paper for tests: 144 × 288 points, with margins of 14.4 points.
///
/// The paper is a grid of 10 × 20 cells.
let smallPaper = PrintPaper(
    media: .custom(width: .millimeters(50.8), height: .millimeters(101.6)), margins: .all(.millimeters(5.08)))

/// The width and height of a cell of `smallPaper`, in points.
let cell = 14.4

/// The pixels of a page.
struct PageSheet: PixelSheet {
    var bitmap: Bitmap
    var width: Int { bitmap.width }
    var height: Int { bitmap.height }

    func rgb(x: Int, y: Int) -> (red: UInt8, green: UInt8, blue: UInt8) {
        let pixel = bitmap[x, y]
        return (pixel.red, pixel.green, pixel.blue)
    }
}

/// The rendered pages of a file.
struct PrintedPages {
    let document: PDFDocument

    init(_ path: String) throws { document = try PDFDocument(path: path) }

    var count: Int { document.pageCount }

    func sheet(_ page: Int) throws -> PageSheet { PageSheet(bitmap: try document.render(page: page, dpi: 72)) }

    func text(_ page: Int) throws -> String { try document.text(at: page) }
}

/// A formatter that fills its area with a color on a given number of pages.
final class Fill: PrintFormatter {
    let color: Color
    let count: Int

    init(_ color: Color, pages count: Int = 1) { (self.color, self.count) = (color, count) }

    override func layOut(on pages: FormatterPages) throws -> Int { count }

    override func draw(in rect: Rect, forPageAt index: Int) throws {
        GraphicsContext.current?.fillColor = color
        GraphicsContext.current?.fill(rect)
    }
}

/// A renderer that records the calls of its drawing methods.
class NotingRenderer: PrintPageRenderer {
    var notes: [String] = []

    override func prepare(forDrawingPages range: Range<Int>) throws { notes.append("prepare \(range)") }

    override func drawPage(at index: Int, in printableRect: Rect) throws {
        notes.append("page \(index)")
        try super.drawPage(at: index, in: printableRect)
    }

    override func drawHeaderForPage(at index: Int, in headerRect: Rect) throws { notes.append("header \(index)") }

    override func drawContentForPage(at index: Int, in contentRect: Rect) throws { notes.append("content \(index)") }

    override func drawPrintFormatter(_ formatter: PrintFormatter, forPageAt index: Int) throws {
        notes.append("formatter \(printFormatters.firstIndex { $0 === formatter } ?? -1) \(index)")
        try super.drawPrintFormatter(formatter, forPageAt: index)
    }

    override func drawFooterForPage(at index: Int, in footerRect: Rect) throws { notes.append("footer \(index)") }
}

/// Returns whether two rectangles are equal except for rounding.
func isNear(_ one: Rect, _ other: Rect, tolerance: Double = 0.01) -> Bool {
    abs(one.minX - other.minX) < tolerance && abs(one.minY - other.minY) < tolerance
        && abs(one.width - other.width) < tolerance && abs(one.height - other.height) < tolerance
}
