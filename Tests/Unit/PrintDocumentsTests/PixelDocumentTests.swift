import FoundationEssentials
import PrintDocuments
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

/// Tests of the conversion of PWG raster, Apple raster and JPEG images to pages for a printer.
struct PixelDocumentTests {
    private static let picture = "KK____\n_____K\n______"
    private static let grays = "KK____\nAA___K\n______"
    private static let colors = "RR____\nAA___K\n____BB"

    private func picture(of kind: RasterBuilder.Kind) -> String {
        kind.inks["R"] != nil ? Self.colors : kind.inks["A"] != nil ? Self.grays : Self.picture
    }

    private func raster(
        _ format: RasterBuilder.Format, _ kind: RasterBuilder.Kind, _ pages: String..., dpi: Int = 72
    ) -> [UInt8] {
        var raster = RasterBuilder(format, kind)
        for page in pages { raster.addPage(page, dpi: dpi) }
        return raster.bytes
    }

    /// The paper for a picture of 6 × 3 letters at 72 dpi.
    private static let paper = (width: 96.0, height: 48.0)

    // MARK: - Raster

    @Test(arguments: RasterBuilder.Kind.all, RasterBuilder.Format.allCases)
    func `raster data with any pixel type becomes a page of the declared size`(
        kind: RasterBuilder.Kind, format: RasterBuilder.Format
    ) async throws {
        guard format != .urf || kind.urfSpace != nil else { return }
        let page = picture(of: kind)
        let sheets = try await PreparedSheets(files: [raster(format, kind, page, page)], paper: Self.paper)
        #expect(sheets.result == PreparedDocument(impressions: 2, sheets: 2, pages: 2))
        #expect(sheets.result.notices == [])
        // Poppler converts black and blue from CMYK to colors that are not pure.
        let isInk = kind.testDescription.hasPrefix("cmyk")
        let seen = isInk ? page.replacing("K", with: "D").replacing("B", with: "D") : page
        expectPixels(try sheets.side(0), seen)
        expectPixels(try sheets.side(1), seen)
        let size = try sheets.pdf.pageSize(at: 0)
        #expect(abs(size.width - 96) < 0.1 && abs(size.height - 48) < 0.1)
    }

    @Test func `raster data keeps its bit depth and color space in the prepared PDF`() async throws {
        let bits = try await PreparedSheets(files: [raster(.pwg, .srgb16, Self.colors)], paper: Self.paper).source()
        #expect(bits.contains("/BitsPerComponent 16"))
        let adobe = try await PreparedSheets(files: [raster(.urf, .adobeRGB8, Self.colors)], paper: Self.paper)
        #expect(try adobe.source().contains("/CalRGB"))
        let ink = try await PreparedSheets(files: [raster(.pwg, .cmyk8, Self.colors)], paper: Self.paper).source()
        #expect(ink.contains("/DeviceCMYK"))
        let dots = try await PreparedSheets(files: [raster(.pwg, .black1, Self.picture)], paper: Self.paper).source()
        #expect(dots.contains("/BitsPerComponent 1") && dots.contains("/DeviceGray"))
    }

    @Test func `if a page is mirrored in the raster data, the page is printed unmirrored`() async throws {
        for (across, along, sent) in [
            (true, false, "____KK\nK_____\n______"), (false, true, "______\n_____K\nKK____"),
            (true, true, "______\nK_____\n____KK"),
        ] {
            var raster = RasterBuilder(.pwg, .gray8)
            raster.addPage(sent, mirroring: (across, along))
            expectPixels(
                try await PreparedSheets(files: [raster.bytes], paper: Self.paper).side(0), Self.picture)
        }
    }

    @Test func `the page size is the number of pixels divided by the resolution`() async throws {
        let folder = try TemporaryFolder()
        let document = InputDocument(path: folder.path("page.pwg"))
        try Data(raster(.pwg, .gray8, Self.picture, Self.picture, dpi: 144)).write(
            to: URL(fileURLWithPath: document.path))
        #expect(
            try await DocumentWorker().inspect(document)
                == DocumentSummary(format: .pwgRaster, pageCount: 2, firstPageSize: Size(width: 48, height: 24)))
        let sheets = try await PreparedSheets(
            files: [raster(.urf, .gray8, Self.picture, dpi: 144)], paper: (48, 24))
        expectPixels(try sheets.side(0), Self.picture)
    }

    @Test func `page ranges, copies and number-up apply to raster data`() async throws {
        let pages = raster(.pwg, .srgb8, "RR\nRR", "KK\nKK", "BB\nBB")
        let ranges = try await PreparedSheets(files: [pages], paper: (32, 32)) {
            $0.pageRanges = try PageRanges("2-3")
            $0.copies = 2
        }
        #expect(ranges.result.impressions == 4)
        for (side, letter) in ["K", "B", "K", "B"].enumerated() { expectPixels(try ranges.side(side), letter) }
        let shared = try await PreparedSheets(files: [pages], paper: (64, 32)) {
            $0.numberUp = NumberUp(count: 2)
            $0.scaling = .auto
        }
        #expect(shared.result.impressions == 2)
        expectPixels(try shared.side(0), "RK")
        expectPixels(try shared.side(1), "B_")
    }

    @Test func `a raster page larger than the paper is fitted to the printable area`() async throws {
        let sheets = try await PreparedSheets(
            files: [raster(.pwg, .srgb8, "RRRR\nRRRR")], paper: (32, 32), margin: 4
        ) { $0.scaling = .auto }
        expectPixels(
            try sheets.side(0),
            """
            ________
            ________
            _......_
            _RRRRRR_
            _RRRRRR_
            _......_
            ________
            ________
            """)
        #expect(try sheets.pdf.hasMarks(outside: Rect(x: 4, y: 4, width: 24, height: 24), onPage: 0) == false)
    }

    @Test func `only the pages in the page range are decompressed`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pages.pwg")
        try Data(raster(.pwg, .gray8, Self.picture, Self.grays)).write(to: URL(fileURLWithPath: path))
        let pages = try PixelPages(InputDocument(path: path), format: .pwgRaster)
        try pages.writePDF(to: folder.path("second.pdf"), pages: try PageRanges("2"))
        let pdf = try PDFDocument(path: folder.path("second.pdf"))
        #expect(pdf.pageCount == 2)
        expectPixels(SidePixels(bitmap: try pdf.render(page: 0, dpi: 72)), "_")
        expectPixels(SidePixels(bitmap: try pdf.render(page: 1, dpi: 72)), Self.grays)
    }

    @Test func `the last 11 pages of a raster document with 60,000 pages are prepared`() async throws {
        var one = RasterBuilder(.urf, .gray8)
        one.addPage("K")
        let page = one.bytes.dropFirst(12)
        var all = Array(one.bytes.prefix(12))
        all.reserveCapacity(60_000 * page.count + 12)
        for _ in 0..<60_000 { all += page }
        let sheets = try await PreparedSheets(files: [all], paper: (16, 16)) {
            $0.pageRanges = try PageRanges("59990-")
        }
        #expect(sheets.result.pages == 11)
        expectPixels(try sheets.side(10), "K")
    }

    /// The damaged documents: the offset of the changed bytes, the new bytes, the error code, and a part of the error.
    static let damages: [(offset: Int, bytes: [UInt8], code: WorkError.Code, words: String)] = [
        (4 + 372, [0, 0, 0, 0], .damaged, "cannot have 0 ×"), (4 + 376, [0, 0, 0, 0], .damaged, "× 0 pixels"),
        (4 + 372, [0xFF, 0xFF, 0xFF, 0xFF], .damaged, "cannot have 4294967295 ×"),
        (4 + 392, [0, 0, 0, 1], .damaged, "but the line requires 96 bytes"),
        (4 + 276, [0, 0, 0, 0], .damaged, "0 × 72 dots per inch"),
        (4 + 384, [0, 0, 0, 7], .damaged, "unsupported pixels: 8 bits per pixel, 7"),
        (4 + 400, [0, 0, 0, 99], .damaged, "unsupported color space 99"),
        (4 + 1796, [255], .damaged, "more lines than its header declares"),
        (4 + 1797, [130], .damaged, "longer than the width of the page"),
        // The page declares 400,000 × 400,000 gray pixels.
        (4 + 372, [0, 6, 0x1A, 0x80, 0, 6, 0x1A, 0x80], .outputTooLarge, "400000 × 400000 pixels"),
    ]

    @Test(arguments: damages.indices)
    func `raster data with an invalid header or invalid lines is refused with a message`(index: Int) async throws {
        let damage = Self.damages[index]
        var bytes = raster(.pwg, .gray8, Self.grays)
        bytes.replaceSubrange(damage.offset..<damage.offset + damage.bytes.count, with: damage.bytes)
        if damage.code == .outputTooLarge { bytes.replaceSubrange(4 + 392..<4 + 396, with: [0, 6, 0x1A, 0x80]) }
        let error = await #expect(throws: WorkError.self) { try await PreparedSheets(files: [bytes]) }
        #expect(error?.code == damage.code)
        #expect(error?.message.contains(damage.words) == true, "\(error?.message ?? "")")
        #expect(error?.message.hasPrefix("'document-1.pdf' ") == true, "\(error?.message ?? "")")
    }

    @Test func `truncated raster data is refused`() async throws {
        let bytes = raster(.pwg, .gray8, Self.grays, Self.grays)
        for end in [4, 100, 1800, 1803, bytes.count / 2 + 10, bytes.count - 1] {
            let error = await #expect(throws: WorkError.self, "truncated to \(end) bytes") {
                try await PreparedSheets(files: [Array(bytes[..<end])])
            }
            #expect(error?.code == .damaged)
        }
    }

    // MARK: - JPEG

    /// A photo of 48 × 32 pixels without a resolution.
    ///
    /// The left half is red, the lower right quarter is blue, and the upper right quarter is white.
    private static let photo = Array(
        Data(
            base64Encoded: """
                /9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0
                Hyc5PTgyPC4zNDL/2wBDAQkJCQwLDBgNDRgyIRwhMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIyMjIy
                MjL/wAARCAAgADADASIAAhEBAxEB/8QAFgABAQEAAAAAAAAAAAAAAAAAAAYI/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/EABYBAQEBAAAA
                AAAAAAAAAAAAAAcGBf/EAB4RAQAABQUAAAAAAAAAAAAAAAAFBkSCwgdCQ4HB/9oADAMBAAIRAxEAPwCLATJxGs2TGs2nDt3XqGnPguxA
                Gmh2TAEycRIK9IEvTupsyHs+U9+IATB6/9k=
                """, options: .ignoreUnknownCharacters) ?? Data())

    /// The picture of the photo in the middle of paper with twice the width and twice the height.
    private static let small = "________\n________\n__RR____\n__RR____\n__RRBB__\n__RRBB__\n________\n________"

    /// Returns the photo with a resolution in pixels per inch.
    private func photo(dpi: UInt8) -> [UInt8] {
        var bytes = Self.photo
        (bytes[13], bytes[15], bytes[17]) = (1, dpi, dpi)
        return bytes
    }

    /// Returns the photo with an Exif segment that contains the orientation.
    private func photo(orientation: UInt8) -> [UInt8] {
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        let tiff = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1] + entry + [0, 0, 0, 0]
        let content = Array("Exif\0\0".utf8) + tiff
        return Self.photo.prefix(2) + [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + Self.photo.dropFirst(2)
    }

    @Test func `the prepared PDF contains the unchanged bytes of a photo`() async throws {
        let sheets = try await PreparedSheets(files: [Self.photo], paper: (120, 80)) { $0.scaling = .auto }
        let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: sheets.path)))
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: Self.photo.prefix(20)) })
        #expect(Array(bytes[start..<start + Self.photo.count]) == Self.photo)
        #expect(try sheets.source().contains("/DCTDecode"))
    }

    @Test
    func `a photo without a resolution fills the paper, and is turned if the turned photo is larger on the paper`()
        async throws
    {
        let lying = try await PreparedSheets(files: [Self.photo], paper: (160, 80), margin: 10) { $0.scaling = .auto }
        expectPixels(
            try lying.side(0),
            """
            ________________
            ____.RRR___.____
            ____.RRR___.____
            ____.RRR___.____
            ____.RRRBBB.____
            ____.RRRBBB.____
            ____.RRRBBB.____
            ________________
            """)
        let standing = try await PreparedSheets(files: [Self.photo], paper: (80, 120)) { $0.scaling = .auto }
        expectPixels(try standing.side(0), "_B\n_B\nRR\nRR")
        let asItIs = try await PreparedSheets(files: [Self.photo], paper: (96, 64)) { $0.scaling = .none }
        expectPixels(try asItIs.side(0), Self.small)
    }

    @Test func `a photo with a resolution keeps its size, unless the photo is larger than the paper`() async throws {
        // 48 × 32 pixels at 72 dpi are 48 × 32 points.
        let small = try await PreparedSheets(files: [photo(dpi: 72)], paper: (96, 64)) { $0.scaling = .auto }
        expectPixels(try small.side(0), Self.small)
        let large = try await PreparedSheets(files: [photo(dpi: 10)], paper: (120, 80)) { $0.scaling = .auto }
        expectPixels(try large.side(0), "RR__\nRRBB")
    }

    @Test(arguments: [
        (orientation: 1, picture: "RR__\nRRBB"), (2, "__RR\nBBRR"), (3, "BBRR\n__RR"), (4, "RRBB\nRR__"),
        (5, "RR\nRR\n_B\n_B"), (6, "RR\nRR\nB_\nB_"), (7, "B_\nB_\nRR\nRR"), (8, "_B\n_B\nRR\nRR"),
    ])
    func `a photo is turned and mirrored according to its Exif orientation`(orientation: Int, picture: String)
        async throws
    {
        let paper = orientation < 5 ? (width: 120.0, height: 80.0) : (80, 120)
        let photo = photo(orientation: UInt8(orientation))
        let sheets = try await PreparedSheets(files: [photo], paper: paper) { $0.scaling = .auto }
        expectPixels(try sheets.side(0), picture)
    }

    @Test func `a truncated photo is printed with a notice, but a job that requires fidelity fails`() async throws {
        let cut = Array(Self.photo.dropLast(20))
        let sheets = try await PreparedSheets(files: [cut], paper: (120, 80)) { $0.scaling = .auto }
        #expect(sheets.result.notices.count == 1)
        #expect(sheets.result.notices.first?.contains("ends too early or is damaged") == true)
        let error = await #expect(throws: WorkError.self) {
            try await PreparedSheets(files: [cut], requiresFidelity: true)
        }
        #expect(error?.code == .damaged)
    }

    @Test func `one job can contain documents of different formats`() async throws {
        var pdf = PDFBuilder()
        pdf.addPage(width: 96, height: 48) { $0.fill(.green) }
        let sheets = try await PreparedSheets(
            files: [pdf.bytes, raster(.pwg, .srgb8, Self.colors), Self.photo, raster(.urf, .gray8, Self.grays)],
            paper: Self.paper)
        #expect(sheets.result.impressions == 4)
        expectPixels(try sheets.side(0), "G")
        expectPixels(try sheets.side(1), Self.colors)
        expectPixels(try sheets.side(3), Self.grays)
    }

    @Test func `the content of a document, and not the declared format, determines the document format`() async throws {
        for format: DocumentFormat in [.pdf, .octetStream, .urf] {
            let sheets = try await PreparedSheets(
                files: [raster(.pwg, .srgb8, Self.colors)], format: format, paper: Self.paper)
            expectPixels(try sheets.side(0), Self.colors)
        }
    }

    // MARK: - Mutations

    @Test func `mutated raster documents are printed or refused with a message`() async throws {
        var mutations = ByteMutations()
        let originals = [
            raster(.pwg, .srgb8, Self.colors, Self.colors), raster(.urf, .gray8, Self.grays),
            raster(.pwg, .black1, Self.picture), raster(.littleEndianPWG, .cmyk16, Self.colors), Self.photo,
            photo(orientation: 6),
        ]
        let folder = try TemporaryFolder()
        let document = InputDocument(path: folder.path("mutated"))
        var (printed, refused) = (0, 0)
        for round in 0..<600 {
            let bytes = mutations.mutated(originals[round % originals.count])
            try Data(bytes).write(to: URL(fileURLWithPath: document.path))
            let request = PrepareRequest(
                documents: [document], imposition: Imposition(paper: PrintPaper(media: .a4)),
                output: folder.path("prepared.pdf"))
            do {
                _ = try await DocumentWorker().prepare(request)
                printed += 1
            } catch {
                #expect(!error.message.isEmpty)
                refused += 1
            }
        }
        #expect(printed > 50 && refused > 50, "\(printed) documents printed, \(refused) documents refused")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["mutated", "prepared.pdf"])
    }
}
