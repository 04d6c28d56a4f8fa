import FoundationEssentials
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

@testable import PrintTestPage

/// Tests of the test page, which read the PDF of the page.
struct TestPageTests {
    private static func order(_ media: Media, margin: Length, isColor: Bool = true) -> TestPageOrder {
        TestPageOrder(
            printer: "office", makeAndModel: "Acme 1", deviceURI: "ipp://here/ipp/print",
            paper: PrintPaper(media: media, margins: .all(margin)), isColor: isColor, resolutions: [600], user: "ann",
            date: "2030-01-31 18:30")
    }

    /// Returns the image and the text of the test page for an order.
    private func page(_ order: TestPageOrder) throws -> (bitmap: Bitmap, text: String) {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/page.pdf"
        try TestPage(order).write(to: path)
        let pdf = try PDFDocument(path: path)
        #expect(pdf.pageCount == 1)
        return (try pdf.render(page: 0, dpi: 72), try pdf.text(at: 0))
    }

    @Test(arguments: [Media.a4, .letter, .photo4x6, .of(width: .millimeters(62), height: .millimeters(29))])
    func `the test page shows the printer, the user and the date on paper of any size`(media: Media) throws {
        let text = try page(Self.order(media, margin: .millimeters(1.5))).text
        for words in ["office", "Acme 1", media.name, "2030-01-31 18:30, ann", "100 %"] {
            #expect(text.contains(words), "\(words) on \(media.name)")
        }
    }

    @Test func `an A4 test page has text of 36 points, and has color bars only for color printers`() throws {
        let (bitmap, text) = try page(Self.order(.a4, margin: .millimeters(4)))
        #expect(text.contains("36 pt: sphinx"))
        let gray = try page(Self.order(.a4, margin: .millimeters(4), isColor: false)).bitmap
        #expect(!bitmap.isGray && gray.isGray)
    }

    @Test func `a test page on the smallest label is not blank`() throws {
        for (width, height) in [(17.0, 54.0), (6, 6)] {
            let media = Media.of(width: .millimeters(width), height: .millimeters(height))
            let bitmap = try page(Self.order(media, margin: .millimeters(1.5))).bitmap
            #expect(!bitmap.isBlank)
        }
    }
}
