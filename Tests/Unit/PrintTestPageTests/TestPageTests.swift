import FoundationEssentials
import PrintKit
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

@testable import PrintTestPage

/// The test page, read back from its PDF.
struct TestPageTests {
    private static func order(_ media: Media, margin: Length, isColor: Bool = true) -> TestPageOrder {
        TestPageOrder(
            printer: "office", makeAndModel: "Acme 1", deviceURI: "ipp://here/ipp/print",
            paper: PrintPaper(media: media, margins: .all(margin)), isColor: isColor, resolutions: [600], user: "ann",
            date: "2030-01-31 18:30")
    }

    /// The page of an order, and its words.
    private func page(_ order: TestPageOrder) throws -> (bitmap: Bitmap, text: String) {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/page.pdf"
        try TestPageRenderer(order).write(to: path, on: order.paper)
        let pdf = try PDFDocument(path: path)
        #expect(pdf.pageCount == 1)
        return (try pdf.render(page: 0, dpi: 72), try pdf.text(at: 0))
    }

    @Test(arguments: [Media.a4, .letter, .photo4x6, .of(width: .millimeters(62), height: .millimeters(29))])
    func `on any paper the page says what was printed where, by whom and when`(media: Media) throws {
        let text = try page(Self.order(media, margin: .millimeters(1.5))).text
        for words in ["office", "Acme 1", media.name, "2030-01-31 18:30, ann", "100 %"] {
            #expect(text.contains(words), "\(words) on \(media.name)")
        }
    }

    @Test func `a page for A4 has fonts up to 36 points, and colours only on a printer that has them`() throws {
        let (bitmap, text) = try page(Self.order(.a4, margin: .millimeters(4)))
        #expect(text.contains("36 pt: sphinx"))
        let gray = try page(Self.order(.a4, margin: .millimeters(4), isColor: false)).bitmap
        #expect(!bitmap.isGray && gray.isGray)
    }

    @Test func `nothing is too small: the smallest label has its rulers`() throws {
        for (width, height) in [(17.0, 54.0), (6, 6)] {
            let media = Media.of(width: .millimeters(width), height: .millimeters(height))
            let bitmap = try page(Self.order(media, margin: .millimeters(1.5))).bitmap
            #expect(!bitmap.isBlank)
        }
    }
}
