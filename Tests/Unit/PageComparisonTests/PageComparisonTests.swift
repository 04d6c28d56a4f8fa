import FoundationEssentials
import PageComparison
import PrintTestSupport
import Testing

struct PageComparisonTests {
    private func page(width: Int = 40, height: Int = 30, _ change: (inout [UInt8]) -> Void = { _ in }) -> PagePixels {
        var bytes = [UInt8](repeating: 255, count: width * height * 3)
        change(&bytes)
        return PagePixels(width: width, height: height, bytes: bytes)
    }

    private func folder(_ pages: [String: PagePixels]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, page) in pages { try Data(page.png).write(to: URL(filePath: folder.path(name))) }
        return folder
    }

    @Test func `a page keeps its pixels if it is written to a PNG file and read again`() throws {
        let pixels = page { bytes in for index in bytes.indices { bytes[index] = UInt8(index * 7 & 0xFF) } }
        let folder = try folder(["page-0001.png": pixels])
        #expect(try PagePixels(png: folder.path("page-0001.png")) == pixels)
    }

    /// Images of 5 × 2 pixels in every kind of PNG, packed without compression.
    ///
    /// All images show the same pattern.
    static let kinds: [(name: String, depth: UInt8, type: UInt8, palette: [UInt8], rows: [[UInt8]])] = [
        ("1 bit of gray", 1, 0, [], [[0, 0b1010_1000], [0, 0b0101_0000]]),
        ("4 bits of gray", 4, 0, [], [[0, 0xF0, 0xF0, 0xF0], [0, 0x0F, 0x0F, 0x00]]),
        ("8 bits of gray, left filter", 8, 0, [], [[1, 255, 1, 255, 1, 255], [0, 0, 255, 0, 255, 0]]),
        ("8 bits of gray, upper filter", 8, 0, [], [[0, 255, 0, 255, 0, 255], [2, 1, 255, 1, 255, 1]]),
        ("a palette of 2", 1, 3, [0, 0, 0, 255, 255, 255], [[0, 0b1010_1000], [0, 0b0101_0000]]),
        ("a palette, 2 bits", 2, 3, [255, 255, 255, 0, 0, 0], [[0, 0b0001_0001, 0], [0, 0b0100_0100, 0b0100_0000]]),
        (
            "gray with alpha", 8, 4, [],
            [[0, 255, 255, 0, 255, 0, 0, 0, 255, 9, 0], [0, 0, 255, 1, 0, 0, 255, 255, 255, 0, 255]]
        ),
    ]

    @Test(arguments: kinds.indices) func `the PNG reader returns the same pixels for each color type and filter`(
        index: Int
    ) throws {
        let kind = Self.kinds[index]
        func bigEndian(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
        // The reader does not check the CRC, so the CRC of this chunk is zero.
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            bigEndian(content.count) + Array(type.utf8) + content + [0, 0, 0, 0]
        }
        let rows = kind.rows.flatMap { $0 }
        var (a, b) = (1, 0)
        for byte in rows {
            a = (a + Int(byte)) % 65_521
            b = (b + a) % 65_521
        }
        let count = UInt8(rows.count)
        let packed = [0x78, 0x01, 1, count, 0, ~count, 0xFF] + rows + bigEndian(b << 16 | a)
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += chunk("IHDR", bigEndian(5) + bigEndian(2) + [kind.depth, kind.type, 0, 0, 0])
        if !kind.palette.isEmpty { file += chunk("PLTE", kind.palette) }
        file += chunk("IDAT", packed) + chunk("IEND", [])
        let folder = try TemporaryFolder()
        try Data(file).write(to: URL(filePath: folder.path("page.png")))
        let page = try PagePixels(png: folder.path("page.png"))
        let expected: [UInt8] = [255, 0, 255, 0, 255, 0, 255, 0, 255, 0]
        #expect(stride(from: 0, to: 30, by: 3).map { page.bytes[$0] } == expected, "\(kind.name)")
    }

    @Test func `the error for an invalid or incomplete PNG contains the file name`() throws {
        let folder = try folder(["page-0001.png": page()])
        let whole = try Data(contentsOf: URL(filePath: folder.path("page-0001.png")))
        for count in [0, 7, 20, whole.count - 30] {
            try whole.prefix(count).write(to: URL(filePath: folder.path("half.png")))
            let error = #expect(throws: ComparisonError.self) { try PagePixels(png: folder.path("half.png")) }
            #expect(error?.message.contains("half.png") == true)
        }
    }

    @Test func `a difference with a height of one pixel is found, and its position is reported`() throws {
        let width = 40
        let changed = page { bytes in for x in 5..<25 { bytes[(12 * width + x) * 3 + 1] = 0 } }
        let golden = try folder(["page-0001.png": page(), "page-0002.png": page()])
        let other = try folder(["page-0001.png": page(), "page-0002.png": changed])
        let comparison = try FolderComparison(golden.path("."), other.path("."), pictures: other.path("pictures"))
        #expect(!comparison.isEqual)
        #expect(comparison.pages.map(\.summary) == ["", "20 pixels differ by up to 255, from (5, 12) to (24, 12)"])
        let picture = try PagePixels(png: try #require(comparison.pages[1].picture))
        #expect(picture.width == 120 && picture.height == 30)
        // The middle image shows the differences in red.
        let start = (12 * 120 + 40 + 5) * 3
        #expect(Array(picture.bytes[start..<(start + 3)]) == [220, 0, 0])
    }

    @Test func `a page comparison ignores differences up to the tolerance`() throws {
        let paler = page { $0[0] = 250 }
        #expect(PageDifference(page(), paler, tolerance: 5).summary == "")
        #expect(
            PageDifference(page(), paler, tolerance: 4).summary == "1 pixel differs by up to 5, from (0, 0) to (0, 0)")
    }

    @Test func `missing pages, additional pages and pages of a different size are reported`() throws {
        let golden = try folder(["page-0001.png": page(), "page-0002.png": page()])
        let other = try folder(["page-0001.png": page(width: 41), "page-0003.png": page()])
        let comparison = try FolderComparison(golden.path("."), other.path("."))
        #expect(comparison.pages.map(\.name) == ["page-0001.png", "page-0002.png", "page-0003.png"])
        #expect(comparison.pages[0].summary.hasPrefix("has 41 × 30 pixels instead of 40 × 30; 30 pixels differ"))
        #expect(comparison.pages[1].summary.hasPrefix("is missing in"))
        #expect(comparison.pages[2].summary.hasPrefix("exists only in"))
        let empty = try TemporaryFolder()
        #expect(try !FolderComparison(empty.path("."), empty.path(".")).isEqual)
    }
}
