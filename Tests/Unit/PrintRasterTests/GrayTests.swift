import FoundationEssentials
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

/// Tests of the conversion to gray, compared with Ghostscript's output for the same PDF.
struct GrayTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The ten test colors, from left to right.
    private static let colors: [(Double, Double, Double)] = [
        (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (0, 1, 1), (1, 0, 1), (0.5, 0.2, 0.8), (0.9, 0.6, 0.1),
        (0.2, 0.4, 0.1), (0.5, 0.5, 0.5),
    ]

    private func write() throws -> String {
        var pdf = PDFBuilder()
        pdf.addPage(width: 100, height: 10) { page in
            for (index, color) in Self.colors.enumerated() {
                page.fill(
                    PDFBuilder.Ink(red: color.0, green: color.1, blue: color.2), x: Double(index) * 10, y: 0, width: 10,
                    height: 10)
            }
        }
        let path = folder.path("prepared.pdf")
        try pdf.write(to: path)
        return path
    }

    /// Returns the levels of the ten cells in Ghostscript's gray output.
    private func ghostscript(_ path: String) async throws -> [Int] {
        let run = try await ProgramRun(
            "/usr/bin/gs",
            [
                "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=pnggray", "-r72", "-g100x10",
                "-sOutputFile=\(folder.path("peer.png"))", path,
            ], environment: [:], in: folder.path)
        try #require(run.code == 0, "\(run.output) \(run.complaints)")
        return levels(try Bitmap(readingPNG: folder.path("peer.png")))
    }

    private func levels(_ page: Bitmap) -> [Int] { (0..<10).map { Int(page[$0 * 10 + 5, 5].red) } }

    private func expect(_ seen: [Int], near peer: [Int], within tolerance: Int) {
        #expect(zip(seen, peer).allSatisfy { abs($0 - $1) <= tolerance }, "seen \(seen), Ghostscript \(peer)")
    }

    @Test func `a gray page image has the same levels as Ghostscript's output`() async throws {
        let path = try write()
        var page = try PDFDocument(path: path).render(page: 0, dpi: 72)
        page.convertToGray()
        #expect(Array(levels(page)[0..<3]) == [130, 220, 70])
        expect(levels(page), near: try await ghostscript(path), within: 3)
    }

    @Test(arguments: [RasterType.gray8, .black8]) func `gray raster data has the same levels as Ghostscript's output`(
        type: RasterType
    ) async throws {
        let path = try write()
        let form = PixelForm(resolution: RasterResolution(72)!, type: type, isGray: true)
        let paper = PrintPaper(media: .custom(width: .points(100), height: .points(10)))
        let request = RenderRequest(
            document: path, pages: 1...1, pageCount: 1, delivery: DeliveryFormat(format: .pwgRaster, pixels: form),
            options: DeviceOptions(paper: paper))
        _ = try PageRenderer().render(request) { _ in }
        _ = try RasterImageProcessor().rasterize(
            RasterizeRequest(
                document: InputDocument(path: request.files[0], format: .pwgRaster), paper: paper, resolution: 72,
                outputFolder: folder.path, scaling: PrintScaling.none)
        ) { _ in }
        let side = try Bitmap(readingPNG: folder.path("page-0001.png"))
        expect(levels(side), near: try await ghostscript(path), within: 3)
    }
}
