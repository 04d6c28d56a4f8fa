import FoundationEssentials
import PrintRaster
import PrintTestSupport
import Testing

struct PNGTests {
    /// Returns the bit depth and the color type from the header of a PNG file.
    private func layout(_ bytes: [UInt8]) -> [UInt8] { Array(bytes[24...25]) }

    private func roundTrip(_ page: Bitmap) throws -> Bitmap {
        let folder = try TemporaryFolder()
        try page.writePNG(to: folder.path("page.png"), dpi: 100)
        return try Bitmap(readingPNG: folder.path("page.png"))
    }

    @Test(arguments: [(step: 255, bits: 1), (85, 2), (17, 4), (1, 8)])
    func `a gray page is written with the lowest bit depth that can hold the gray levels`(step: Int, bits: UInt8) throws
    {
        // With 37 columns, the last byte of each packed row contains unused bits.
        let levels = (0..<37 * 20).map { UInt8($0 * step % (256 / step * step) / step * step) }
        let page = Bitmap(width: 37, height: 20, format: .gray8, bytes: levels)
        #expect(try layout(page.pngBytes(dpi: 100)) == [bits, 0])
        #expect(try roundTrip(page) == page)
    }

    @Test(arguments: [(colors: 2, bits: 1), (4, 2), (5, 4), (16, 4), (17, 8), (256, 8)])
    func `a page with few colors is written with a palette, and the pixels do not change`(colors: Int, bits: UInt8)
        throws
    {
        var page = Bitmap(width: 37, height: 20)
        for index in 0..<37 * 20 {
            page[index % 37, index / 37] = Bitmap.Pixel(red: UInt8(index % colors), green: 7, blue: 200)
        }
        #expect(try layout(page.pngBytes(dpi: 100)) == [bits, 3])
        #expect(try roundTrip(page) == page)
    }

    @Test func `if a page with many colors is written to a PNG file, the pixels do not change`() throws {
        var page = Bitmap(width: 61, height: 47)
        for y in 0..<47 {
            for x in 0..<61 {
                page[x, y] = Bitmap.Pixel(red: UInt8(x * 4), green: UInt8(y * 5), blue: UInt8((x * y) % 256))
            }
        }
        #expect(try layout(page.pngBytes(dpi: 100)) == [8, 2])
        #expect(try roundTrip(page) == page)
    }

    /// Returns bytes like those of a kind of page.
    private func bytes(of kind: String, count: Int) -> [UInt8] {
        var state: UInt32 = 1
        func random() -> Int {
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int(state >> 8)
        }
        return (0..<count).map { index in
            switch kind {
            case "white": 255
            case "noise": UInt8(random() & 255)
            case "rare colors": UInt8((random() & 0xFF_FFFF).leadingZeroBitCount)
            case "text": random() % 40 == 0 ? UInt8(random() & 255) : index / 3 % 50 < 5 ? UInt8(index % 3 * 90) : 255
            default: UInt8(index / 700 & 255)  // a gradient
            }
        }
    }

    @Test(arguments: ["white", "noise", "rare colors", "text", "gradient"], [Bitmap.Format.gray8, .rgb24])
    func `libpng reads the same pixels from a compressed page`(kind: String, format: Bitmap.Format) throws {
        for (width, height) in [(1, 1), (1, 300), (3, 2), (7, 1), (333, 400)] {
            let count = width * height * format.bytesPerPixel
            let page = Bitmap(width: width, height: height, format: format, bytes: bytes(of: kind, count: count))
            var read = try roundTrip(page)
            if format == .rgb24 { read.convertToRGB() }
            #expect(read == page, "\(width) × \(height)")
        }
    }

    @Test func `a white page takes few bytes, and a page of noise hardly more bytes than pixels`() throws {
        let white = Bitmap(width: 2000, height: 1000, format: .gray8)
        #expect(try white.pngBytes(dpi: 100).count < 4000)
        let noise = bytes(of: "noise", count: 1_000_000)
        let page = Bitmap(width: 1000, height: 1000, format: .gray8, bytes: noise)
        #expect(try page.pngBytes(dpi: 100).count < 1_020_000)
    }

    @Test func `the resolution of a PNG file is stored in pixels per meter`() throws {
        let bytes = try Bitmap(width: 1, height: 1).pngBytes(dpi: 300)
        // The IHDR chunk ends at offset 33. The pHYs chunk follows: length, type, 11811 twice, and the unit meter.
        #expect(Array(bytes[33..<50]) == [0, 0, 0, 9] + Array("pHYs".utf8) + [0, 0, 0x2E, 0x23, 0, 0, 0x2E, 0x23, 1])
    }

    @Test func `a written PNG replaces a file with the same name, and no temporary file is left in the folder`() throws
    {
        let folder = try TemporaryFolder()
        try Bitmap(width: 2, height: 2).writePNG(to: folder.path("a.png"), dpi: 72)
        try Bitmap(width: 3, height: 3).writePNG(to: folder.path("a.png"), dpi: 72)
        #expect(try Bitmap(readingPNG: folder.path("a.png")).width == 3)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.png"])
    }

    @Test func `if the folder for a PNG is missing, the error names the path`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("missing/a.png")
        let error = #expect(throws: RasterError.self) { try Bitmap(width: 1, height: 1).writePNG(to: path, dpi: 72) }
        #expect(error?.code == .writeFailed)
        #expect(error?.message.contains(path) == true)
        #expect(error?.cause == "No such file or directory")
    }

    @Test func `if renaming the temporary file fails, the temporary file is deleted`() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("a.png"), withIntermediateDirectories: false)
        let error = #expect(throws: RasterError.self) {
            try Bitmap(width: 1, height: 1).writePNG(to: folder.path("a.png"), dpi: 72)
        }
        #expect(error?.code == .writeFailed)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a.png"])
    }

    @Test func `a truncated or missing PNG file is rejected`() throws {
        let folder = try TemporaryFolder()
        var bytes = try Bitmap(width: 50, height: 50).pngBytes(dpi: 72)
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path("whole.png")))
        #expect(try Bitmap(readingPNG: folder.path("whole.png")).isBlank)

        bytes.removeLast(30)
        try Data(bytes).write(to: URL(fileURLWithPath: folder.path("cut.png")))
        for name in ["cut.png", "missing.png"] {
            let error = #expect(throws: RasterError.self) { try Bitmap(readingPNG: folder.path(name)) }
            #expect(error?.code == .unreadable)
        }
        let error = #expect(throws: RasterError.self) {
            try Bitmap(readingPNG: folder.path("whole.png"), maximumPixels: 2499)
        }
        #expect(error?.code == .tooLarge)
    }
}
