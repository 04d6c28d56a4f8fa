import FoundationEssentials
import PrintGraphics
import PrintRaster
import PrintTestSupport
import Testing

/// Tests that run the programs of Examples/DrawingExamples and check their output.
struct DrawingExampleTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [
        (
            "pentagon",
            """
            ___.RR.____
            _.RRRRRR.__
            RRRRRRRRRR_
            .RRRRRRRR._
            _RRRRRRRR__
            _.RRRRRR.__
            __RRRRRR___
            ___________
            """
        ),
        (
            "arc",
            """
            _______________
            _______________
            _______________
            _______________
            _______________
            _______________
            _______________
            ___________#___
            ___________#___
            __________##___
            _____##__##____
            ______####_____
            _______________
            _______________
            _______________
            """
        ),
        (
            "even-odd",
            """
            ____BBBB____
            __BBBBBBBB__
            _BBB____BBB_
            _BB______BB_
            BB________BB
            BB________BB
            BB________BB
            BB________BB
            _BB______BB_
            _BBB____BBB_
            __BBBBBBBB__
            ____BBBB____
            """
        ),
        (
            "appended-oval",
            """
            ____GGGG____
            __GGGGGGGG__
            _GGGGGGGGGG_
            _GGGGGGGGGG_
            GGGGGGGGGGGG
            GGGGGGGGGGGG
            GGGGGGGGGGGG
            GGGGGGGGGGGG
            _GGGGGGGGGG_
            _GGGGGGGGGG_
            __GGGGGGGG__
            ____GGGG____
            """
        ),
        (
            "filled-oval",
            """
            ______________________________
            ______________________________
            ______________________________
            ______________________________
            ____________......____________
            ________..KK......KK..________
            ______.KK.RRRRRRRRRR.KK.______
            _____.K.RRRRRRRRRRRRRR.K._____
            _____KRRRRRRRRRRRRRRRRRRK_____
            ____..RRRRRRRRRRRRRRRRRR..____
            ____..RRRRRRRRRRRRRRRRRR..____
            _____KRRRRRRRRRRRRRRRRRRK_____
            _____.K.RRRRRRRRRRRRRR.K._____
            ______.KK.RRRRRRRRRR.KK.______
            ________..KK......KK..________
            ____________......____________
            ______________________________
            ______________________________
            ______________________________
            ______________________________
            """
        ),
        (
            "hit-test",
            """
            RRRRRRRRRRRRRGGGGRRR
            RRGGGGGGRRRGGRRRRGGR
            RGGGGGGGGRRGRRRRRRGR
            RGGGGGGGGRGRRRRRRRRG
            RGGGGGGGGRGRRRRRRRRG
            RGGGGGGGGRGRRRRRRRRG
            RGGGGGGGGRGRRRRRRRRG
            RGGGGGGGGRRGRRRRRRGR
            RRGGGGGGRRRGGRRRRGGR
            RRRRRRRRRRRRRGGGGRRR
            """
        ),
    ])
    func `each code listing of a shape draws the reference picture of the shape`(name: String, picture: String)
        async throws
    {
        try await example(name, "a.pdf")
        let page = try PDFDocument(path: folder.path("a.pdf")).render(page: 0, dpi: 72)
        expectPixels(PageSheet(bitmap: page), picture)
    }

    @Test func `a long text fills several pages with centered page numbers`() async throws {
        try await example("document", "a.pdf")
        let document = try PDFDocument(path: folder.path("a.pdf"))
        #expect(document.pageCount > 5 && document.title == "A long story")
        var all = ""
        for page in 0..<document.pageCount {
            let text = try document.text(at: page)
            #expect(text.contains("Page \(page + 1)"))
            all += text
        }
        for number in [1, 200, 400] { #expect(all.contains("Paragraph \(number) of a long story")) }
        let first = try document.render(page: 0, dpi: 72)
        expectPixels(
            PageSheet(bitmap: first),
            """
            _________________
            _________________
            __#######________
            __#######________
            """ + String(repeating: "\n__#######________", count: 16) + "\n_______.#._______\n_________________")
    }

    @Test func `a thumbnail is a scaled copy of the image`() async throws {
        try await example("thumbnail", "a.png")
        let image = try Image(contentsOfFile: folder.path("a.png"))
        #expect(image.pixelWidth == 40 && image.pixelHeight == 30)
        expectPixelsOf(image, "YYYYYYYY\nYY.BB.YY\nYY.BB.YY\nYY.BB.YY\nYYYYYYYY")
    }

    @Test func `an image of a PDF page has the width of the view, at a scale that fits the page`() async throws {
        try await example("page-image", "a.png")
        let image = try Image(contentsOfFile: folder.path("a.png"))
        // The page of 220 × 160 points is scaled to 110 points, at half a pixel per point.
        #expect(image.pixelWidth == 55 && image.pixelHeight == 40)
        let (red, white) = (Image.Pixel(red: 255, green: 0, blue: 0), Image.Pixel(red: 255, green: 255, blue: 255))
        // The pentagon stands upright: its tip is at the top, and its base ends above the bottom.
        #expect(image[25, 2] == red && image[25, 33] == red && image[12, 33] == red)
        #expect(image[5, 2] == white && image[45, 2] == white && image[25, 37] == white)
    }

    @Test(arguments: SampleImages.bytes.keys.sorted())
    func `a damaged image causes no crash`(format: String) async throws {
        let bytes = try #require(SampleImages.bytes[format])
        try bytes.write(to: URL(filePath: folder.path("image")))
        let run = try await ProgramRun(
            "/usr/bin/prlimit",
            [
                "--as=2000000000", "--cpu=60", "--core=0", "--", BuiltPrograms.folder + "drawing-load", "mutations",
                "250", "7",
                folder.path("image"),
            ],
            environment: ["SWIFT_BACKTRACE": "enable=no"], in: folder.path)
        #expect(run.code == 0, "\(run.complaints)")
        #expect(run.output.hasPrefix("250 versions"))
    }

    @Test func `a write to a full disk leaves no incomplete file at the final path`() async throws {
        let run = try await ProgramRun(
            "/bin/sh",
            [
                "-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" shapes 50 \"$1\"", BuiltPrograms.folder + "drawing-load",
                folder.path("a.pdf"),
            ],
            environment: ["SWIFT_BACKTRACE": "enable=no"], in: folder.path)
        #expect(run.code != 0)
        #expect(run.complaints.contains("cannot write"))
        #expect(!FileManager.default.fileExists(atPath: folder.path("a.pdf")))
    }

    @Test func `a document of 1000 pages needs no more memory than a document of 100 pages`() async throws {
        func peak(pages: Int) async throws -> Int {
            let run = try await ProgramRun(
                BuiltPrograms.folder + "drawing-load", ["shapes", "\(pages)", folder.path("shapes.pdf")],
                environment: [:],
                in: folder.path)
            #expect(run.code == 0, "\(run.complaints)")
            return try #require(Int(run.output.filter(\.isNumber)))
        }
        let (few, many) = (try await peak(pages: 100), try await peak(pages: 1000))
        #expect(many < few + 10_000, "\(few) KiB for a hundred pages, \(many) KiB for a thousand")
    }

    @Test func `text layout and text drawing do not leak memory`() async throws {
        func peak(pages: Int) async throws -> Int {
            let text = (0..<pages * 60).map { "Zeile \($0) – ü" }.joined(separator: "\n")
            try Data(text.utf8).write(to: URL(filePath: folder.path("text.txt")))
            let run = try await ProgramRun(
                BuiltPrograms.folder + "drawing-load", ["lines", folder.path("text.txt"), folder.path("text.pdf")],
                environment: [:],
                in: folder.path)
            #expect(run.code == 0, "\(run.complaints)")
            return try #require(Int(run.output.filter(\.isNumber)))
        }
        let (few, many) = (try await peak(pages: 20), try await peak(pages: 300))
        #expect(many < few + 40_000, "\(few) KiB for 20 pages, \(many) KiB for 300")
    }

    private func example(_ name: String, _ file: String) async throws {
        let run = try await ProgramRun(
            BuiltPrograms.folder + "DrawingExamples", [name, folder.path(file)],
            environment: ["SWIFT_BACKTRACE": "enable=no"],
            in: folder.path)
        #expect(run.code == 0, "\(run.output)\(run.complaints)")
    }
}
