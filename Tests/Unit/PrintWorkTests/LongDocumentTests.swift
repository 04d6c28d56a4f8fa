import FoundationEssentials
import Glibc
import PrintModel
import PrintTestSupport
import PrintWork
import ProcessPools
import Synchronization
import Testing

/// Tests of the division of a long document among workers, and of the second renderer for failed pages.
struct LongDocumentTests {
    private let place = Workplace()

    private func images(_ lines: String..., requiresFidelity: Bool = false) throws -> RasterizeRequest {
        let document = try place.document(lines.joined(separator: "\n"))
        var request = RasterizeRequest(
            document: document, paper: PrintPaper(media: .a4), outputFolder: "\(place.folder)/job")
        request.sheets = "\(place.folder)/job/sheets.pdf"
        request.requiresFidelity = requiresFidelity
        return request
    }

    private func sheetsPart() -> String? {
        try? String(contentsOfFile: "\(place.folder)/job/sheets.txt", encoding: .utf8)
    }

    @Test func `several workers divide the pages of a long document, and each page image is returned once, in order`()
        async throws
    {
        let reports = Mutex<[WorkProgress]>([])
        let request = try images("pages 60")
        let made = try await place.pool().rasterize(request) { progress in reports.withLock { $0.append(progress) } }
        #expect(made.pages.map(\.page) == Array(1...60))
        // The width of an image is the process ID of the worker that created the image.
        #expect(Set(made.pages.map(\.width)).count > 2)
        #expect(made.documentPages == [60] && made.impressions == 60 && made.sheets == 60)
        #expect(made.notices == ["the document was repaired"])
        #expect(sheetsPart() == "sheets(documentPages: [60])")
        #expect(reports.withLock { $0.map(\.page) } == Array(1...60))
        #expect(reports.withLock { $0.allSatisfy { $0.total == 60 } })
    }

    /// The whole page has 1890 × 47,244 pixels, which need 340 MiB as colors with transparency.
    @Test(arguments: [RasterType.color8, .gray8])
    func `a receipt of 80 mm × 2 m at 600 dpi is drawn in less memory than its pixels need`(type: RasterType)
        async throws
    {
        let (width, height) = (Length.millimeters(80), Length.millimeters(2000))
        var pdf = PDFBuilder()
        pdf.addPage(width: width.points, height: height.points) { page in
            for row in stride(from: 0, to: height.points, by: 20) {
                page.fill(.red, x: 10, y: row, width: width.points - 20, height: 10)
            }
        }
        let place = ConverterPlace()
        let document = InputDocument(path: "\(place.folder)/receipt.pdf", format: .pdf)
        try pdf.write(to: document.path)
        let paper = PrintPaper(media: .custom(width: width, height: height))
        let pool = WorkerPool(
            executable: BuiltPrograms.folder + "print-worker", limits: WorkerLimits(memoryBytes: 300 << 20),
            isWarm: false)
        var request = PrepareRequest(
            documents: [document], imposition: Imposition(paper: paper), output: "\(place.outputs)/prepared.pdf")
        request.requiresFidelity = true
        #expect(try await pool.prepare(request) { _ in }.impressions == 1)
        let form = PixelForm(resolution: try #require(RasterResolution(600)), type: type, isGray: false)
        let drawn = try await pool.render(
            RenderRequest(
                document: request.output, pages: 1...1, pageCount: 1,
                delivery: DeliveryFormat(format: .pwgRaster, pixels: form), options: DeviceOptions(paper: paper),
                requiresFidelity: true)
        ) { _ in }
        // The headers have 1800 bytes; equal rows are stored once.
        #expect(drawn.notices == [] && drawn.bytes > 1800)
    }

    @Test(arguments: [1, 8]) func `one worker creates all page images and the sheets of a short document`(pages: Int)
        async throws
    {
        let made = try await place.pool().rasterize(images("pages \(pages)")) { _ in }
        #expect(made.pages.count == pages && Set(made.pages.map(\.width)).count == 1)
        #expect(sheetsPart() == nil)
    }

    @Test func `a page is drawn with the second renderer only if it exceeds the time limit`() async throws {
        let pool = place.pool(WorkerLimits(pageSeconds: 1))
        let made = try await pool.rasterize(images("pages 20", "usual 3 burn", "usual 15 burn")) { _ in }
        #expect(made.pages.map(\.page) == Array(1...20))
        #expect(
            made.notices == [
                "the document was repaired",
                "page 3 was drawn with another renderer because the first renderer took too long",
                "page 15 was drawn with another renderer because the first renderer took too long",
            ])
        // Pages 1 and 2 were not created again.
        #expect(made.pages[0].width == made.pages[1].width && made.pages[1].width != made.pages[2].width)
        #expect(sheetsPart() == "sheets(documentPages: [20])")
    }

    @Test(arguments: [("crash", "crashed"), ("eat", "needed more memory than a worker is allowed to use")])
    func `if a page crashes two workers, a notice replaces the page, and all other pages are created`(
        fault: String, words: String
    ) async throws {
        let pool = place.pool(WorkerLimits(memoryBytes: 512 << 20))
        let made = try await pool.rasterize(images("pages 5", "usual 4 \(fault)", "other 4 \(fault)")) { _ in }
        #expect(made.pages.map(\.page) == Array(1...5))
        #expect(
            made.notices == [
                "the document was repaired",
                "page 4 could not be drawn and was replaced by a notice because both renderers failed:"
                    + " the second renderer \(words)",
            ])
    }

    @Test func `if both renderers fail at a page, a job that requires fidelity fails`() async throws {
        let request = try images("pages 5", "usual 4 crash", "other 4 crash", requiresFidelity: true)
        let error = await #expect(throws: WorkError.self) { _ = try await place.pool().rasterize(request) { _ in } }
        #expect(error?.code == .workerCrashed)
    }

    @Test func `if too many pages of a document fail, the rendering ends with an error`() async throws {
        let faults = (1...60).map { "usual \($0) crash" }.joined(separator: "\n")
        let request = try images("pages 60", faults)
        let error = await #expect(throws: WorkError.self) { _ = try await place.pool().rasterize(request) { _ in } }
        #expect(error?.code == .workerCrashed)
    }

    @Test func `if a document crashes its worker before the first page, the document is not retried`() async throws {
        let request = RasterizeRequest(
            document: try place.document("crash"), paper: PrintPaper(media: .a4), outputFolder: "\(place.folder)/job")
        let error = await #expect(throws: WorkError.self) { _ = try await place.pool().rasterize(request) { _ in } }
        #expect(error?.code == .workerCrashed)
    }

    @Test func `the parts of a rendered raster file are joined in page order, even if some pages cannot be drawn`()
        async throws
    {
        let document = try place.document(
            "pages 20", "usual 2 crash", "usual 14 crash", "other 14 crash", "usual 20 crash")
        let delivery = DeliveryFormat(
            format: .pwgRaster, pixels: PixelForm(resolution: .usual, type: .color8, isGray: false))
        let request = RenderRequest(
            document: document.path, pages: 1...20, pageCount: 20, delivery: delivery,
            options: DeviceOptions(paper: PrintPaper(media: .a4)))
        let made = try await place.pool().render(request) { _ in }
        let text = try String(contentsOfFile: request.files[0], encoding: .utf8)
        let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(lines.map { $0[1] } == (1...20).map { "\($0)" } && lines.allSatisfy { $0[0] == "page" })
        #expect(Set(lines.map { $0[3] }).count > 3)
        #expect(made.bytes == text.utf8.count)
        #expect(made.notices.map { $0.prefix(8) } == ["page 2 w", "page 14 ", "page 20 "])
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(place.folder)/job").sorted()
        #expect(files == ["document-1.txt", "document-1.txt.pwg"])
    }

    /// Returns a page with overlapping Coons patches, which cairo draws five times more slowly than Splash.
    private func patches(_ count: Int) -> [UInt8] {
        var random = SystemRandomNumberGenerator()
        var mesh: [UInt8] = []
        for _ in 0..<count {
            // A flag, twelve points with two 16-bit coordinates each, and four colors.
            mesh.append(0)
            mesh += (0..<48 + 12).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        var pdf = RawPDF()
        let shading = pdf.stream(
            "/ShadingType 6 /ColorSpace /DeviceRGB /BitsPerCoordinate 16 /BitsPerComponent 8 /BitsPerFlag 8 "
                + "/Decode [0 595 0 842 0 1 0 1 0 1]", mesh)
        pdf.page(box: "[0 0 595 842]", content: "0 0 1 rg 0 0 595 842 re f")
        pdf.page(box: "[0 0 595 842]", resources: "/Shading << /S \(shading) 0 R >>", content: "/S sh")
        pdf.page(box: "[0 0 595 842]", content: "0 1 0 rg 0 0 595 842 re f")
        return pdf.bytes
    }

    @Test func `if a shading is too slow in cairo, it is drawn with Splash, and a notice reports the renderer change`()
        async throws
    {
        let path = "\(place.folder)/patches.pdf"
        try Data(patches(80)).write(to: URL(fileURLWithPath: path))
        mkdir("\(place.folder)/pages", 0o700)
        let pool = WorkerPool(executable: BuiltPrograms.folder + "print-worker", limits: WorkerLimits(pageSeconds: 1))
        let request = RasterizeRequest(
            document: InputDocument(path: path, format: .pdf, name: "patches.pdf"), paper: PrintPaper(media: .a4),
            outputFolder: "\(place.folder)/pages", sheets: "\(place.folder)/pages/sheets.pdf")
        let made = try await pool.rasterize(request) { _ in }
        #expect(made.pages.map(\.isBlank) == [false, false, false])
        #expect(
            made.notices == ["page 2 was drawn with another renderer because the first renderer took too long"])
        let files = try FileManager.default.contentsOfDirectory(atPath: "\(place.folder)/pages").sorted()
        #expect(files == ["page-0001.png", "page-0002.png", "page-0003.png", "sheets.pdf"])
    }
}
