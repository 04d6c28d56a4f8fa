import FoundationEssentials
import Glibc
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

/// Tests of lines that are thinner than a pixel.
struct ThinLineTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a page of 60 × 60 points with a line from (10, 30) to (50, 30), rotated about the page's center.
    private func write(width: Double, turnedBy degrees: Double) throws -> String {
        let angle = degrees * .pi / 180
        // Numbers in PDF have no exponents.
        let (cosine, sine) = ((cos(angle) * 1e6).rounded() / 1e6, (sin(angle) * 1e6).rounded() / 1e6)
        let pdf = SharedResourcePDF(
            width: 60, height: 60,
            content: "1 0 0 1 30 30 cm \(cosine) \(sine) \(-sine) \(cosine) 0 0 cm \(width) w -20 0 m 20 0 l S")
        let path = folder.path("prepared.pdf")
        try pdf.write(to: path)
        return path
    }

    /// Returns the darkest pixel of each row or column that the line crosses.
    ///
    /// Rows and columns at the ends of the line are left out.
    private func tones(_ page: Bitmap, turnedBy degrees: Double) -> [UInt8] {
        let isSteep = degrees > 45 && degrees < 135
        let shadow = 20 * max(abs(cos(degrees * .pi / 180)), abs(sin(degrees * .pi / 180)))
        let middle = page.width / 2
        let reach = Int(shadow * Double(page.width) / 60) - 3
        return (middle - reach..<middle + reach).map { a in
            (0..<page.height).map { b in isSteep ? page[b, a].red : page[a, b].red }.min() ?? 255
        }
    }

    @Test(arguments: [0, 0.1, 0.23, 0.5], [0.0, 90, 45, 30, 75, 135])
    func `a thin line is at least one pixel wide and keeps its color`(width: Double, degrees: Double) throws {
        let document = try PDFDocument(path: try write(width: width, turnedBy: degrees))
        for dpi in [72.0, 100, 144, 300] {
            let page = try document.render(page: 0, dpi: dpi)
            let tones = tones(page, turnedBy: degrees)
            let isStraight = degrees.truncatingRemainder(dividingBy: 90) == 0
            // A horizontal or vertical line of at most one pixel is aligned with the pixels. A slanting line is spread
            // over two neighboring pixels. A pixel that the line crosses in the middle is nearly black.
            let isAligned = isStraight && width * dpi / 72 <= 1
            #expect(tones.allSatisfy { $0 <= (isAligned ? 0 : 140) }, "\(dpi) dpi: \(tones)")
        }
    }

    @Test(arguments: [RasterType.black1, .gray1, .gray8, .black8], [0.0, 90, 45, 30])
    func `in gray and 1-bit raster data, a thin line is at least one pixel wide`(type: RasterType, degrees: Double)
        throws
    {
        for width in [0, 0.1, 0.3] {
            let form = PixelForm(resolution: RasterResolution(200)!, type: type, isGray: true)
            let paper = PrintPaper(media: .custom(width: .points(60), height: .points(60)))
            let request = RenderRequest(
                document: try write(width: width, turnedBy: degrees), pages: 1...1, pageCount: 1,
                delivery: DeliveryFormat(format: .pwgRaster, pixels: form), options: DeviceOptions(paper: paper))
            _ = try PageRenderer().render(request) { _ in }
            _ = try RasterImageProcessor().rasterize(
                RasterizeRequest(
                    document: InputDocument(path: request.files[0], format: .pwgRaster), paper: paper, resolution: 200,
                    outputFolder: folder.path, scaling: PrintScaling.none)
            ) { _ in }
            let tones = tones(try Bitmap(readingPNG: folder.path("page-0001.png")), turnedBy: degrees)
            // Pixels of one bit are black or white.
            #expect(tones.allSatisfy { $0 <= (type.bitsPerColor == 1 ? 0 : 140) }, "\(width): \(tones)")
        }
    }

    @Test func `the edges of text in 1-bit raster data are not dithered`() throws {
        let pdf = SharedResourcePDF(width: 60, height: 60, content: "BT /F1 50 Tf 5 10 Td (I) Tj ET")
        try pdf.write(to: folder.path("prepared.pdf"))
        let form = PixelForm(resolution: RasterResolution(200)!, type: .black1, isGray: true)
        let paper = PrintPaper(media: .custom(width: .points(60), height: .points(60)))
        let request = RenderRequest(
            document: folder.path("prepared.pdf"), pages: 1...1, pageCount: 1,
            delivery: DeliveryFormat(format: .pwgRaster, pixels: form), options: DeviceOptions(paper: paper))
        _ = try PageRenderer().render(request) { _ in }
        _ = try RasterImageProcessor().rasterize(
            RasterizeRequest(
                document: InputDocument(path: request.files[0], format: .pwgRaster), paper: paper, resolution: 200,
                outputFolder: folder.path, scaling: PrintScaling.none)
        ) { _ in }
        let page = try Bitmap(readingPNG: folder.path("page-0001.png"))
        // All rows of the letter's stem are equal, because the edges of the stem are vertical.
        let rows = (page.height / 2..<page.height / 2 + 20).map { y in (0..<page.width).map { page[$0, y].red } }
        #expect(rows.allSatisfy { $0 == rows[0] && $0.contains(0) })
    }
}
