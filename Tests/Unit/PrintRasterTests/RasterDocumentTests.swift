import CCups
import FoundationEssentials
import Glibc
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

/// Tests of printing raster documents that libcups has written.
struct RasterDocumentTests {
    /// A pixel type: its keyword, its color space in libcups, and the bytes for white, black and red.
    struct Kind: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var space: UInt32
        var colors: UInt32
        var bits: UInt32 = 8
        var inks: [Character: [UInt8]]
    }

    static let kinds = [
        Kind(testDescription: "sgray_8", space: 18, colors: 1, inks: ["_": [255], "K": [0], "A": [128]]),
        Kind(testDescription: "black_8", space: 3, colors: 1, inks: ["_": [0], "K": [255], "A": [127]]),
        Kind(
            testDescription: "srgb_8", space: 19, colors: 3,
            inks: ["_": [255, 255, 255], "K": [0, 0, 0], "A": [128, 128, 128], "R": [255, 0, 0], "B": [0, 0, 255]]),
        Kind(
            testDescription: "cmyk_8", space: 6, colors: 4,
            inks: [
                "_": [0, 0, 0, 0], "K": [0, 0, 0, 255], "A": [0, 0, 0, 127], "R": [0, 255, 255, 0],
                "B": [255, 255, 0, 0],
            ]),
        Kind(
            testDescription: "srgb_16", space: 19, colors: 3, bits: 16,
            inks: [
                "_": .init(repeating: 255, count: 6), "K": .init(repeating: 0, count: 6),
                "A": [0, 128, 0, 128, 0, 128],
            ]),
    ]

    /// Writes a raster document.
    ///
    /// Each page is a picture of letters, and each letter is a cell of 10 × 10 pixels.
    private func write(
        _ pages: [String], _ kind: Kind, to path: String, dpi: UInt32 = 72, mode: cups_mode_t = CUPS_RASTER_WRITE_PWG
    ) throws {
        let descriptor = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
        let raster = try #require(cupsRasterOpen(descriptor, mode))
        for page in pages {
            let rows = page.split(separator: "\n").map(Array.init)
            var header = cups_page_header2_t()
            header.HWResolution = (dpi, dpi)
            header.cupsWidth = UInt32(rows[0].count * 10)
            header.cupsHeight = UInt32(rows.count * 10)
            header.cupsBitsPerColor = kind.bits
            header.cupsBitsPerPixel = kind.bits * kind.colors
            header.cupsBytesPerLine = (header.cupsWidth * header.cupsBitsPerPixel + 7) / 8
            header.cupsColorSpace = cups_cspace_t(kind.space)
            header.cupsNumColors = kind.colors
            try #require(cupsRasterWriteHeader2(raster, &header) != 0)
            for row in rows {
                var line = row.flatMap { letter in (0..<10).flatMap { _ in kind.inks[letter] ?? [] } }
                for _ in 0..<10 { _ = cupsRasterWritePixels(raster, &line, UInt32(line.count)) }
            }
        }
        cupsRasterClose(raster)
        close(descriptor)
    }

    private func fixture(
        _ pages: [String], _ kind: Kind, width: Double = 60, height: Double = 40, margin: Double = 0, dpi: UInt32 = 72,
        mode: cups_mode_t = CUPS_RASTER_WRITE_PWG
    ) throws -> PrintFixture {
        var fixture = try PrintFixture(PDFBuilder(), width: width, height: height, margin: margin)
        try write(pages, kind, to: fixture.request.document.path, dpi: dpi, mode: mode)
        fixture.request.document.format = .octetStream
        return fixture
    }

    static let gray = "KK____\nKK_A__\n______\n____KK"
    static let colors = "RR____\nRR_A__\n______\n____BB"

    @Test(arguments: kinds) func `raster pixels of every type are printed unchanged`(kind: Kind) throws {
        let page = kind.inks["R"] == nil ? Self.gray : Self.colors
        let fixture = try fixture([page, page], kind)
        let result = try fixture.rasterize()
        #expect(result.pages.map(\.page) == [1, 2])
        expectPixels(try fixture.side(1), page)
        expectPixels(try fixture.side(2), page)
    }

    @Test func `1-bit raster pixels are printed unchanged`() throws {
        let fixture = try fixture([], Self.kinds[0])
        var page = [UInt8]("RaS2".utf8) + [UInt8](repeating: 0, count: 1796)
        func put(_ offset: Int, _ value: UInt8) { page[4 + offset + 3] = value }
        for (offset, value) in [(276, 72), (280, 72), (372, 60), (376, 40), (384, 1), (388, 1), (392, 8), (400, 3)] {
            put(offset, UInt8(value))
        }
        // The first 20 lines have 20 black pixels, and the rest of each line is white. The next 20 lines are white.
        page += [19, 1, 0xFF, 0, 0xF0, 4, 0, 19, 7, 0]
        try Data(page).write(to: URL(fileURLWithPath: fixture.request.document.path))
        _ = try fixture.rasterize()
        expectPixels(try fixture.side(), "KK____\nKK____\n______\n______")
    }

    @Test func `Apple raster is printed unchanged`() throws {
        let fixture = try fixture([Self.colors], Self.kinds[2], mode: CUPS_RASTER_WRITE_APPLE)
        _ = try fixture.rasterize()
        expectPixels(try fixture.side(), Self.colors)
    }

    @Test(arguments: [36, 144, 600] as [UInt32])
    func `the number of pixels and the resolution determine the size of a page`(
        dpi: UInt32
    ) throws {
        let scale = 72 / Double(dpi)
        let fixture = try fixture([Self.colors], Self.kinds[2], width: 60 * scale, height: 40 * scale, dpi: dpi)
        let result = try fixture.rasterize()
        #expect(result.pages[0].width == max(1, Int((60 * scale).rounded())))
        if dpi < 600 { expectPixels(try fixture.side(), Self.colors) }
    }

    @Test func `if a raster page differs in size from the paper, the page is centered, and clipped edges are reported`()
        throws
    {
        let small = try fixture(["KK\nKK"], Self.kinds[0])
        #expect(try small.rasterize().pages[0].clipped == [])
        expectPixels(try small.side(), "______\n__KK__\n__KK__\n______")
        let large = try fixture(["________\n__KK____\n__KKKKKK\n________"], Self.kinds[0])
        #expect(try large.rasterize().pages[0].clipped == [.right])
        expectPixels(try large.side(), "______\n_KK___\n_KKKKK\n______")
    }

    @Test(arguments: [
        (SheetBack.normal, Duplex.longEdge, Self.gray), (.flipped, .longEdge, "____KK\n______\nKK_A__\nKK____"),
        (.flipped, .shortEdge, "____KK\n__A_KK\n______\nKK____"),
        (.rotated, .longEdge, "KK____\n______\n__A_KK\n____KK"),
        (.rotated, .shortEdge, Self.gray), (.manualTumble, .longEdge, Self.gray),
        (.manualTumble, .shortEdge, "KK____\n______\n__A_KK\n____KK"),
    ])
    func `back sides are transformed for the paper path, and front sides are printed unchanged`(
        back: SheetBack, duplex: Duplex, expected: String
    ) throws {
        for mode in [CUPS_RASTER_WRITE_PWG, CUPS_RASTER_WRITE_APPLE] {
            try expectBack(expected, turned: back, duplex, mode)
        }
    }

    private func expectBack(
        _ expected: String, turned back: SheetBack, _ duplex: Duplex, _ mode: cups_mode_t
    ) throws {
        var fixture = try fixture([Self.gray, Self.gray], Self.kinds[0], mode: mode)
        fixture.request.sheetBack = back
        fixture.request.duplex = duplex
        _ = try fixture.rasterize()
        expectPixels(try fixture.side(1), Self.gray)
        expectPixels(try fixture.side(2), expected)
    }

    @Test func `only the pages in the page range are printed`() throws {
        var fixture = try fixture([Self.gray, "______\nAAAAAA\n______\n______"], Self.kinds[0])
        fixture.request.pageRanges = try PageRanges([2...2])
        #expect(try fixture.rasterize().pages.map(\.page) == [2])
        expectPixels(try fixture.side(), "______\nAAAAAA\n______\n______")
    }

    /// The damaged documents: the offset of the changed bytes, the new bytes, and a part of the error message.
    static let damages: [(offset: Int, bytes: [UInt8], words: String)] = [
        (4 + 372, [0, 0, 0, 0], "cannot have 0 ×"), (4 + 372, [0xFF, 0xFF, 0xFF, 0xFF], "cannot have 4294967295 ×"),
        (4 + 392, [0, 0, 0, 1], "but the line requires 60 bytes"), (4 + 276, [0, 0, 0, 0], "0 × 72 dots per inch"),
        (4 + 384, [0, 0, 0, 7], "unsupported pixels: 8 bits per pixel, 7"),
        (4 + 400, [0, 0, 0, 99], "unsupported color space 99"),
        (4 + 1796, [255], "more lines than its header declares"),
        (4 + 1797, [130], "longer than the width of the page"),
    ]

    @Test(arguments: damages.indices)
    func `a damaged raster document is rejected with a message before memory is allocated`(
        index: Int
    ) throws {
        let damage = Self.damages[index]
        let fixture = try fixture([Self.gray], Self.kinds[0])
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: fixture.request.document.path)))
        bytes.replaceSubrange(damage.offset..<damage.offset + damage.bytes.count, with: damage.bytes)
        try Data(bytes).write(to: URL(fileURLWithPath: fixture.request.document.path))
        let error = #expect(throws: WorkError.self) { try fixture.rasterize() }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains(damage.words) == true, "\(error?.message ?? "")")
    }

    @Test func `a raster document is rejected if it is truncated at any position`() throws {
        let fixture = try fixture([Self.gray, Self.gray], Self.kinds[0])
        let path = fixture.request.document.path
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        let whole = bytes.count
        let secondPage = 4 + (whole - 4) / 2
        for end in [4, 100, 1800, 1803, secondPage - 1, secondPage + 1, whole - 1] {
            try Data(bytes[..<end]).write(to: URL(fileURLWithPath: path))
            #expect(throws: WorkError.self, "truncated to \(end) of \(whole) bytes") { try fixture.rasterize() }
        }
    }

    @Test func `random bytes after a raster signature cause no crash`() throws {
        let fixture = try fixture([Self.gray], Self.kinds[0])
        let path = fixture.request.document.path
        let good = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        func random() -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state >> 33)
        }
        for _ in 0..<400 {
            var bytes = good
            for _ in 0..<(1 + random() % 4) { bytes[4 + random() % (bytes.count - 4)] = UInt8(random() & 0xFF) }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            do { _ = try fixture.rasterize() } catch let error as WorkError { #expect(!error.message.isEmpty) }
        }
    }
}
