import CCups
import FoundationEssentials
import Glibc
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

/// Tests of rendered pages.
///
/// libcups and printq's reader read the pages.
struct PageRendererTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A picture on paper of 60 × 40 points.
    ///
    /// Each letter is a colored cell of 10 × 10 points.
    static let colors = "RR____\nRR_A__\n______\n____BB"
    static let grays = "KK____\nKK_A__\n______\n____KK"
    private static let media = Media.custom(width: .points(60), height: .points(40))

    private func write(_ pages: [String], scale: Double = 10) throws {
        let inks: [Character: PDFBuilder.Ink] = [
            "R": .red, "B": .blue, "K": .black, "A": PDFBuilder.Ink(red: 0.5, green: 0.5, blue: 0.5), "G": .green,
        ]
        var pdf = PDFBuilder()
        for page in pages {
            let rows = page.split(separator: "\n").map(Array.init)
            pdf.addPage(width: Double(rows[0].count) * scale, height: Double(rows.count) * scale) { drawing in
                for (y, row) in rows.enumerated() {
                    for (x, letter) in row.enumerated() where letter != "_" {
                        drawing.fill(
                            inks[letter] ?? .black, x: Double(x) * scale, y: Double(rows.count - 1 - y) * scale,
                            width: scale, height: scale)
                    }
                }
            }
        }
        try pdf.write(to: folder.path("prepared.pdf"))
    }

    private func request(
        _ format: DocumentFormat, _ type: RasterType, pages: ClosedRange<Int>, of count: Int, dpi: Int = 72,
        isGray: Bool = false, back: SheetBack = .normal, media: Media = media,
        _ change: (inout DeviceOptions) -> Void = { _ in }
    ) -> RenderRequest {
        var options = DeviceOptions(paper: PrintPaper(media: media))
        change(&options)
        let form = PixelForm(
            resolution: RasterResolution(dpi)!, type: type, isGray: isGray || !type.isColor, sheetBack: back)
        return RenderRequest(
            document: folder.path("prepared.pdf"), pages: pages, pageCount: count,
            delivery: DeliveryFormat(format: format, pixels: form), options: options)
    }

    private func render(_ request: RenderRequest) throws -> RenderedDocument {
        try PageRenderer().render(request) { _ in }
    }

    /// Prints the rendered pages with the simulated printer's processor, and returns the sides.
    private func printed(_ request: RenderRequest) throws -> [Bitmap] {
        let out = folder.path("out-\(request.delivery.format.fileExtension)")
        try? FileManager.default.removeItem(atPath: out)
        try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
        let files = request.files.map { InputDocument(path: $0, format: request.delivery.format) }
        let result = try RasterImageProcessor().rasterize(
            RasterizeRequest(
                document: files[0], others: Array(files.dropFirst()), paper: request.options.paper, resolution: 72,
                outputFolder: out, duplex: request.options.duplex,
                sheetBack: request.delivery.pixels?.sheetBack ?? .normal, scaling: PrintScaling.none)
        ) { _ in }
        return try result.pages.map { try Bitmap(readingPNG: "\(out)/\($0.file)") }
    }

    /// Reads the pages with libcups.
    private func cupsPages(_ path: String) throws -> [(header: cups_page_header2_t, lines: [[UInt8]])] {
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        let raster = try #require(cupsRasterOpen(descriptor, CUPS_RASTER_READ))
        defer { cupsRasterClose(raster) }
        var pages: [(header: cups_page_header2_t, lines: [[UInt8]])] = []
        var header = cups_page_header2_t()
        while cupsRasterReadHeader2(raster, &header) != 0 {
            let lines = try (0..<header.cupsHeight).map { _ in
                var line = [UInt8](repeating: 0, count: Int(header.cupsBytesPerLine))
                try #require(cupsRasterReadPixels(raster, &line, header.cupsBytesPerLine) == header.cupsBytesPerLine)
                return line
            }
            pages.append((header, lines))
        }
        return pages
    }

    private func text<T>(_ tuple: T) -> String {
        withUnsafeBytes(of: tuple) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    private func integers(_ header: cups_page_header2_t) -> [Int32] {
        withUnsafeBytes(of: header.cupsInteger) { Array($0.bindMemory(to: UInt32.self)).map { Int32(bitPattern: $0) } }
    }

    // MARK: - Pixels

    @Test(arguments: [DocumentFormat.pwgRaster, .urf], [RasterType.color8, .deviceColor8, .cmyk8, .gray8])
    func `in each raster format and pixel type, the pixels of a rendered page match the page of the PDF`(
        format: DocumentFormat, type: RasterType
    ) throws {
        try write([Self.colors, Self.grays])
        let request = request(format, type, pages: 1...2, of: 2)
        let rendered = try render(request)
        #expect(try Data(contentsOf: URL(fileURLWithPath: request.files[0])).count == rendered.bytes)
        let sides = try printed(request)
        try #require(sides.count == 2)
        var expected = try PDFDocument(path: request.document).render(page: 0, dpi: 72)
        if !type.isColor { expected.convertToGray() }
        expected.convertToRGB()
        var seen = sides[0]
        seen.convertToRGB()
        #expect(seen.difference(from: expected).isEmpty)
        expectPixels(sides[1], Self.grays)
    }

    @Test(arguments: [RasterType.black8, .black1, .gray1])
    func `gray pixels keep their levels in 'black8' and are dithered in 'black1' and 'gray1'`(type: RasterType) throws {
        try write([Self.grays])
        let request = request(.pwgRaster, type, pages: 1...1, of: 1)
        _ = try render(request)
        guard type != .black1, type != .gray1 else {
            // With one bit, black and white areas do not change, and half of the pixels of a gray area are black.
            let page = try #require(try cupsPages(request.files[0]).first)
            let black: UInt8 = type == .black1 ? 0xFF : 0
            #expect(page.header.cupsBitsPerPixel == 1 && page.header.cupsBytesPerLine == 8)
            #expect(
                page.lines[0] == [black, black, type == .black1 ? 0xF0 : 0x0F] + [UInt8](repeating: ~black, count: 5))
            let cell = page.lines[10..<20].map { line in
                (30..<40).count { x in (line[x / 8] >> UInt8(7 - x % 8) & 1 == 1) == (type == .black1) }
            }
            #expect((45...55).contains(cell.reduce(0, +)))
            return
        }
        expectPixels(try printed(request)[0], Self.grays)
    }

    @Test func `color pixels are converted to gray with the same luminance`() throws {
        try write([Self.colors])
        let gray = request(.urf, .color8, pages: 1...1, of: 1, isGray: true)
        _ = try render(gray)
        #expect(try printed(gray)[0].isGray)
        let page = try #require(try cupsPages(gray.files[0]).first)
        #expect(Array(page.lines[0][0..<3]) == [130, 130, 130])
    }

    @Test(
        arguments: [
            (SheetBack.normal, Duplex.longEdge), (.flipped, .longEdge), (.flipped, .shortEdge), (.rotated, .longEdge),
            (.rotated, .shortEdge), (.manualTumble, .longEdge), (.manualTumble, .shortEdge),
        ], [DocumentFormat.pwgRaster, .urf])
    func `back sides are transformed for the printer's paper path and are upright on the printed sheet`(
        turn: (SheetBack, Duplex), format: DocumentFormat
    ) throws {
        try write([Self.colors, Self.colors, Self.grays])
        let request = request(format, .color8, pages: 1...3, of: 3, back: turn.0) { $0.duplex = turn.1 }
        _ = try render(request)
        let pages = try cupsPages(request.files[0])
        let mirroring = turn.0.mirroring(turn.1)
        #expect(pages[0].lines == pages[1].lines || mirroring != (false, false))
        #expect(
            pages[1].lines == (mirroring.acrossHeight ? pages[0].lines.reversed() : pages[0].lines)
                || mirroring.acrossWidth)
        for (side, letters) in zip(try printed(request), [Self.colors, Self.colors, Self.grays]) {
            expectPixels(side, letters)
        }
        guard format == .pwgRaster else { return }
        for (index, page) in pages.enumerated() {
            let isBack = index == 1
            #expect(
                Array(integers(page.header)[1...2])
                    == [isBack && mirroring.acrossWidth ? -1 : 1, isBack && mirroring.acrossHeight ? -1 : 1])
        }
    }

    @Test func `libcups decodes raster data that contains long runs, single pixels or more than 256 equal lines`()
        throws
    {
        // The page has 600 × 400 pixels, with stripes of one pixel between areas of one color.
        var pdf = PDFBuilder()
        pdf.addPage(width: 60, height: 40) { page in
            for stripe in 0..<150 { page.fill(.red, x: Double(stripe) * 0.2, y: 0, width: 0.1, height: 30) }
            page.fill(.blue, x: 45, y: 0, width: 15, height: 30)
            page.text("Packed", x: 2, y: 32, size: 6)
        }
        try pdf.write(to: folder.path("prepared.pdf"))
        for format in [DocumentFormat.pwgRaster, .urf] {
            let request = request(format, .color8, pages: 1...1, of: 1, dpi: 720)
            _ = try render(request)
            let page = try #require(try cupsPages(request.files[0]).first)
            let expected = try PDFDocument(path: request.document).render(page: 0, dpi: 720)
            try #require(page.lines.count == expected.height && page.lines[0].count == expected.bytesPerRow)
            for y in 0..<expected.height {
                let start = y * expected.bytesPerRow
                guard page.lines[y] == Array(expected.bytes[start..<start + expected.bytesPerRow]) else {
                    Issue.record("line \(y) differs")
                    break
                }
            }
        }
    }

    // MARK: - Headers

    @Test(
        arguments: [RasterType.color8, .gray8, .black1, .deviceColor8, .cmyk8], [Duplex.none, .longEdge, .shortEdge])
    func `the page header of PWG raster matches the header from libcups`(type: RasterType, duplex: Duplex) throws {
        try write(["KK\nKK\nKK", "KK\nKK\nKK"])
        let back = SheetBack.rotated
        let request = request(.pwgRaster, type, pages: 1...2, of: 2, dpi: 100, back: back, media: .a4) {
            $0.duplex = duplex
            $0.quality = .high
            $0.mediaSource = "tray-2"
            $0.paper.type = "cardstock"
            $0.trimming = .afterPages
        }
        _ = try render(request)
        let pages = try cupsPages(request.files[0])
        try #require(pages.count == 2)
        var expected = cups_page_header2_t()
        let media = try #require(pwgMediaForPWG("iso_a4_210x297mm"))
        try #require(
            cupsRasterInitPWGHeader(&expected, media, type.rawValue, 100, 100, duplex.rawValue, back.rawValue) != 0)
        for (index, page) in pages.enumerated() {
            let header = page.header
            #expect((header.cupsWidth, header.cupsHeight) == (expected.cupsWidth, expected.cupsHeight))
            #expect(header.HWResolution == expected.HWResolution && header.PageSize == expected.PageSize)
            #expect(header.cupsColorSpace == expected.cupsColorSpace && header.cupsNumColors == expected.cupsNumColors)
            #expect(header.cupsBitsPerColor == expected.cupsBitsPerColor)
            #expect(header.cupsBitsPerPixel == expected.cupsBitsPerPixel)
            #expect(header.cupsBytesPerLine == expected.cupsBytesPerLine)
            #expect(header.Duplex == expected.Duplex && header.Tumble == expected.Tumble)
            #expect(text(header.MediaClass) == "PwgRaster")
            #expect(text(header.cupsPageSizeName) == text(expected.cupsPageSizeName))
            #expect(
                text(header.MediaType) == "cardstock" && header.MediaPosition == 21 && header.CutMedia.rawValue == 4)
            var numbers = integers(expected)
            numbers[0] = 2
            // Only backs are transformed.
            if index == 0 || duplex == .none { (numbers[1], numbers[2]) = (1, 1) }
            numbers[5...6] = [Int32(header.cupsWidth), Int32(header.cupsHeight)]
            numbers[7] = 0xFF_FFFF
            numbers[8] = 5
            #expect(integers(header) == numbers)
        }
    }

    @Test(arguments: [(Duplex.none, 0, 0), (.longEdge, 1, 0), (.shortEdge, 1, 1)] as [(Duplex, UInt32, UInt32)])
    func `libcups reads the page header of Apple raster`(
        duplex: Duplex, two: UInt32, tumble: UInt32
    ) throws {
        try write(["KK\nKK\nKK"])
        let request = request(.urf, .color8, pages: 1...1, of: 1, dpi: 100, media: .a4) {
            $0.duplex = duplex
            $0.quality = .draft
            $0.paper.type = "envelope"
        }
        _ = try render(request)
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: request.files[0])))
        #expect(Array(bytes[..<12]) == Array("UNIRAST\0".utf8) + [0, 0, 0, 1])
        let header = try #require(try cupsPages(request.files[0]).first).header
        #expect(header.cupsWidth == 826 && header.cupsHeight == 1169 && header.HWResolution == (100, 100))
        #expect(header.Duplex.rawValue == two && header.Tumble.rawValue == tumble)
        #expect(header.cupsColorSpace.rawValue == 19 && header.cupsBitsPerPixel == 24)
        #expect(text(header.MediaType) == "envelope" && integers(header)[8] == 3)
    }

    // MARK: - Parts, images, limits

    @Test
    func `a file has the same bytes whether it is rendered in parts or in one pass, even if parts are rendered twice`()
        throws
    {
        try write([Self.colors, Self.grays, Self.colors, Self.grays, Self.grays])
        for format in [DocumentFormat.pwgRaster, .urf] {
            let whole = request(format, .color8, pages: 1...5, of: 5) { $0.duplex = .longEdge }
            _ = try render(whole)
            let expected = try Data(contentsOf: URL(fileURLWithPath: whole.files[0]))
            var offset = 0
            for pages in [1...2, 3...4, 5...5] {
                var part = whole
                part.pages = pages
                part.offset = offset
                _ = try render(part)
                offset = try render(part).bytes
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: whole.files[0])) == expected)
            #expect(offset == expected.count)
        }
    }

    @Test(arguments: [RasterType.color8, .gray8]) func `each page is written as a JPEG image of the paper's size`(
        type: RasterType
    ) throws {
        try write([Self.colors, Self.grays])
        let request = request(.jpeg, type, pages: 1...2, of: 2, dpi: 144)
        _ = try render(request)
        #expect(request.files.map { $0.hasSuffix("-1.jpg") } == [true, false])
        let sides = try printed(request)
        #expect(sides.map(\.width) == [60, 60] && sides.map(\.height) == [40, 40])
        #expect(sides[0].isGray == (type == .gray8))
        if type == .color8 { expectPixels(sides[0], Self.colors) }
        expectPixels(sides[1], Self.grays)
    }

    @Test func `a page is rejected with a message if it has more pixels than the limit`() throws {
        try write([Self.grays])
        let wide = Media.custom(width: .millimeters(2000), height: .millimeters(100))
        for format in [DocumentFormat.pwgRaster, .urf, .jpeg] {
            let request = request(format, .gray8, pages: 1...1, of: 1, dpi: 1200, media: wide)
            let error = #expect(throws: WorkError.self) { try render(request) }
            #expect(error?.code == .outputTooLarge)
            #expect(error?.message.contains("has too many pixels at 1200 dpi (") == true)
        }
    }
}
