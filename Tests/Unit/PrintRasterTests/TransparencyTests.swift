import FoundationEssentials
import PrintModel
import PrintRaster
import PrintTestSupport
import Testing

/// Tests of pages with transparency, compared pixel by pixel with the output of pdftocairo.
struct TransparencyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A page whose appearance depends on its backdrop.
    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var pdf: SharedResourcePDF

        init(_ name: String, _ pdf: SharedResourcePDF) { (testDescription, self.pdf) = (name, pdf) }
    }

    private static let shapes = "1 0 0 rg 10 10 30 30 re f /S gs 0 0.6 0.4 rg 25 25 30 30 re f 0 g 5 45 50 4 re f"

    static let cases: [Case] =
        ["Multiply", "Screen", "Difference", "Exclusion", "ColorDodge", "Luminosity", "Saturation"].map { mode in
            Case(
                "blend mode \(mode)",
                SharedResourcePDF(
                    width: 60, height: 60, resources: "/ExtGState << /S << /BM /\(mode) /ca 0.8 >> >>", content: shapes
                ))
        }
        + [
            ("an isolated group", "/I true"), ("a group", ""), ("a knockout group", "/K true"),
            ("both", "/I true /K true"),
        ]
        .map { name, entries in
            Case(
                "\(name) with a blend mode in it",
                SharedResourcePDF(
                    width: 60, height: 60, resources: "/XObject << /G 4 0 R >>",
                    objects: [
                        SharedResourcePDF.group(
                            entries, width: 60, height: 60,
                            resources: "/ExtGState << /S << /BM /Difference /ca 0.7 >> >>", shapes)
                    ],
                    content: "0 0 1 rg 0 0 20 60 re f /G Do"))
        } + [
            Case(
                "a page that is a knockout group",
                SharedResourcePDF(
                    width: 60, height: 60, resources: "/ExtGState << /S << /BM /Multiply /ca 0.5 >> >>",
                    entries: "/Group << /S /Transparency /CS /DeviceRGB /I true /K true >>", content: shapes)),
            Case("a mask of luminosity", masked("/S /Luminosity /G 5 0 R")),
            Case("a mask of luminosity on white", masked("/S /Luminosity /G 5 0 R /BC [1]")),
            Case("a mask of alpha", masked("/S /Alpha /G 5 0 R")),
            Case("an image that is drawn smaller", image),
            Case(
                "thin lines",
                SharedResourcePDF(
                    width: 60, height: 60,
                    content:
                        "0 w 5 5 m 55 20 l S 0.1 w 5.3 30.3 m 55.3 30.3 l S 0.5 w 20.4 35 m 20.4 58 l S 30 35 20 20 re S"
                )),
            Case(
                "an annotation that multiplies",
                SharedResourcePDF(
                    width: 60, height: 60,
                    entries: "/Annots [<< /Type /Annot /Subtype /Highlight /F 4 /C [1 1 0] /Rect [10 10 50 50]"
                        + " /QuadPoints [10 50 50 50 10 10 50 10] /AP << /N 4 0 R >> >>]",
                    objects: [
                        SharedResourcePDF.stream(
                            "/Type /XObject /Subtype /Form /BBox [10 10 50 50]"
                                + " /Resources << /ExtGState << /M << /BM /Multiply >> >> >>",
                            "/M gs 1 1 0 rg 10 10 40 40 re f")
                    ],
                    content: "0.5 g 0 0 30 60 re f")),
        ]

    private static func masked(_ mask: String) -> SharedResourcePDF {
        SharedResourcePDF(
            width: 60, height: 60, resources: "/ExtGState << /M 4 0 R >>",
            objects: [
                "<< /SMask << /Type /Mask \(mask) >> >>",
                SharedResourcePDF.group(
                    "/CS /DeviceGray", width: 60, height: 60, "1 g 10 10 25 40 re f 0.5 g 35 10 15 40 re f"),
            ],
            content: "0.8 0.1 0.2 rg 0 0 60 15 re f /M gs 0 0.5 1 rg 0 0 60 60 re f")
    }

    /// An image of 120 × 120 pixels on 60 × 60 points.
    ///
    /// The image has fine stripes that are averaged at low resolutions.
    private static let image: SharedResourcePDF = {
        let row = { (y: Int) in (0..<120).map { x in (x / 3 + y / 5) % 3 == 0 ? "FF2040" : "20E0A0" }.joined() }
        let hex = (0..<120).map(row).joined() + ">"
        return SharedResourcePDF(
            width: 60, height: 60, resources: "/XObject << /I 4 0 R >>",
            objects: [
                SharedResourcePDF.stream(
                    "/Type /XObject /Subtype /Image /Width 120 /Height 120 /BitsPerComponent 8 /ColorSpace /DeviceRGB"
                        + " /Filter /ASCIIHexDecode", hex)
            ], content: "50 0 0 50 5 5 cm /I Do")
    }()

    @Test(arguments: cases) func `a page with transparency matches the output of pdftocairo`(trial: Case) async throws {
        let path = folder.path("page.pdf")
        try trial.pdf.write(to: path)
        for dpi in [72, 144] {
            let peer = try await ProgramRun(
                "/usr/bin/pdftocairo", ["-png", "-singlefile", "-r", "\(dpi)", path, folder.path("peer")],
                environment: [:], in: folder.path)
            try #require(peer.code == 0)
            let expected = try Bitmap(readingPNG: folder.path("peer.png"))
            let seen = try PDFDocument(path: path).render(page: 0, dpi: Double(dpi))
            let difference = seen.difference(from: expected)
            #expect(difference.isEmpty, "at \(dpi) dpi")
            #expect(!seen.isBlank)
        }
    }

    @Test(arguments: cases)
    func `the picture of a page is the same whether the page is drawn in bands or in one pass`(trial: Case) throws {
        try trial.pdf.write(to: folder.path("prepared.pdf"))
        let media = Media.custom(width: .points(60), height: .points(60))
        let form = PixelForm(
            resolution: RasterResolution(144)!, type: .color8, isGray: false, sheetBack: .normal)
        let request = RenderRequest(
            document: folder.path("prepared.pdf"), pages: 1...1, pageCount: 1,
            delivery: DeliveryFormat(format: .pwgRaster, pixels: form),
            options: DeviceOptions(paper: PrintPaper(media: media)))
        var sides: [Bitmap] = []
        for pixelsPerBand in [1_000_000, 120 * 7] {
            var renderer = PageRenderer()
            renderer.pixelsPerBand = pixelsPerBand
            _ = try renderer.render(request) { _ in }
            sides.append(try printed(request, resolution: 144))
        }
        // The sampling positions of an interpolated image are rounded differently in each band.
        let tolerance = trial.testDescription.contains("image") ? 2 : 0
        #expect(sides[0].difference(from: sides[1], tolerance: tolerance).isEmpty)
        #expect(!sides[0].isBlank)
    }

    /// Returns the printed side of a rendered page.
    private func printed(_ request: RenderRequest, resolution: Int) throws -> Bitmap {
        let document = InputDocument(path: request.files[0], format: request.delivery.format)
        _ = try RasterImageProcessor().rasterize(
            RasterizeRequest(
                document: document, paper: request.options.paper, resolution: resolution, outputFolder: folder.path,
                scaling: PrintScaling.none)
        ) { _ in }
        return try Bitmap(readingPNG: folder.path("page-0001.png"))
    }

    @Test func `content outside of the crop box is not printed on larger paper`() throws {
        var fixture = try PrintFixture(page: .init(width: 200, height: 100), width: 120, height: 60) { page in
            page.fill(.red)
            page.cropBox = .init(x: 70, y: 30, width: 60, height: 40)
        }
        fixture.request.scaling = PrintScaling.none
        _ = try fixture.rasterize()
        expectPixels(
            try fixture.side(),
            """
            ____________
            ___RRRRRR___
            ___RRRRRR___
            ___RRRRRR___
            ___RRRRRR___
            ____________
            """)
    }
}
