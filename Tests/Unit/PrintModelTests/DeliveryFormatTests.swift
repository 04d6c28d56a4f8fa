import PrintModel
import Testing

struct DeliveryFormatTests {
    private let options = DeviceOptions(paper: PrintPaper(media: .a4))

    /// Returns a color printer with all pixel types and 150, 300, 600 and 1,200 dpi, as modified by `change`.
    private func printer(_ change: (inout PrinterCapabilities) -> Void = { _ in }) -> PrinterCapabilities {
        let support = PixelSupport(
            resolutions: [150, 300, 600, 1200].compactMap { RasterResolution($0) }, types: RasterType.allCases)
        var printer = PrinterCapabilities(
            makeAndModel: "Test 1", papers: [PrintPaper(media: .a4)], defaultMedia: .a4, duplexModes: Duplex.allCases,
            colorModes: ColorMode.allCases, qualities: PrintQuality.allCases, resolutions: [300, 600],
            formats: [.jpeg, .urf, .pwgRaster, .pdf], maxCopies: 99, collates: true,
            rasters: RasterCapabilities(pwg: support, urf: support))
        change(&printer)
        return printer
    }

    private func pixels(
        _ printer: PrinterCapabilities, _ change: (inout DeviceOptions) -> Void = { _ in }
    ) -> PixelForm? {
        var options = options
        change(&options)
        return printer.deliveryFormat(for: options)?.pixels
    }

    @Test(
        arguments: [
            ([.jpeg, .urf, .pwgRaster, .pdf], .pdf), ([.jpeg, .urf, .pwgRaster], .pwgRaster), ([.jpeg, .urf], .urf),
            ([.octetStream, .jpeg], .jpeg), ([], .pdf), ([.octetStream], .pdf), ([.postScript, .octetStream], nil),
            ([.text], nil),
        ] as [([DocumentFormat], DocumentFormat?)])
    func `the preferred formats are PDF, PWG raster, Apple raster and JPEG, in this order`(
        formats: [DocumentFormat], expected: DocumentFormat?
    ) {
        let printer = printer { $0.formats = formats }
        #expect(printer.deliveredFormat == expected)
        let delivery = printer.deliveryFormat(for: options)
        #expect(delivery?.format == expected)
        #expect((delivery?.pixels == nil) == (expected == .pdf || expected == nil))
        #expect(JobTicket().plan(for: printer).delivery?.format == expected)
    }

    @Test func `the printer's preferred raster format takes precedence over the other raster formats`() {
        let printer = printer {
            $0.formats = [.pwgRaster, .urf]
            $0.rasters.preferredFormat = .urf
        }
        #expect(printer.deliveredFormat == .urf)
    }

    @Test func `printq skips a raster format if printq cannot produce any pixel type of the format`() {
        let printer = printer {
            $0.formats = [.pwgRaster, .urf]
            $0.rasters.pwg.types = []
        }
        #expect(printer.deliveredFormat == .urf)
    }

    @Test(
        arguments: [
            ([150, 300, 600, 1200], .draft, 150), ([150, 300, 600, 1200], nil, 300),
            ([150, 300, 600, 1200], .high, 600),
            ([75, 100], .draft, 100), ([203], .normal, 203), ([1200], .high, 1200), ([1200], .draft, 1200),
            ([600], .normal, 600), ([], .normal, 300),
        ] as [([Int], PrintQuality?, Int)])
    func `the print quality selects one of the supported resolutions`(
        offered: [Int], quality: PrintQuality?, expected: Int
    ) {
        let printer = printer {
            $0.formats = [.pwgRaster]
            $0.resolutions = []
            $0.rasters.pwg.resolutions = offered.compactMap { RasterResolution($0) }
        }
        #expect(pixels(printer) { $0.quality = quality }?.resolution == RasterResolution(expected))
    }

    @Test
    func `if the printer lists no resolutions for a raster format, the printer-resolution-supported value is used`() {
        let printer = printer {
            $0.formats = [.urf]
            $0.rasters.urf.resolutions = []
            $0.resolutions = [600]
        }
        let plan = JobTicket().plan(for: printer)
        #expect(plan.delivery?.pixels?.resolution == RasterResolution(600))
        #expect(plan.device.resolution == RasterResolution(600))
        #expect(JobTicket().plan(for: self.printer()).device.resolution == nil)
    }

    @Test func `a resolution with different cross-feed and feed values is used only for PWG raster`() throws {
        let both = [try #require(RasterResolution(crossFeed: 600, feed: 300))]
        let printer = printer {
            $0.resolutions = []
            $0.rasters.pwg.resolutions = both
            $0.rasters.urf.resolutions = both
        }
        #expect(pixels(change(printer) { $0.formats = [.pwgRaster] })?.resolution == both[0])
        #expect(pixels(change(printer) { $0.formats = [.urf] })?.resolution == .usual)
        #expect(JobTicket().plan(for: change(printer) { $0.formats = [.pwgRaster] }).device.resolution == nil)
    }

    private func change(
        _ printer: PrinterCapabilities, _ body: (inout PrinterCapabilities) -> Void
    ) -> PrinterCapabilities {
        var printer = printer
        body(&printer)
        return printer
    }

    @Test(
        arguments: [
            (RasterType.allCases, .auto, .color8), (RasterType.allCases, .monochrome, .gray8),
            ([.cmyk8, .black8], .color, .cmyk8), ([.cmyk8, .black8], .monochrome, .black8), ([.black1], .auto, .black1),
            ([.color8], .monochrome, .color8), (nil, .auto, .color8), (nil, .monochrome, .gray8),
        ] as [([RasterType]?, ColorMode, RasterType)])
    func `the color mode selects one of the supported pixel types`(
        types: [RasterType]?, mode: ColorMode, expected: RasterType
    ) {
        let printer = printer {
            $0.formats = [.pwgRaster]
            $0.rasters.pwg.types = types
        }
        let form = pixels(printer) { $0.colorMode = mode }
        #expect(form?.type == expected)
        #expect(form?.isGray == (mode == .monochrome || !expected.isColor))
    }

    @Test func `a monochrome printer receives gray pixels, regardless of the supported pixel types`() {
        let printer = printer {
            $0.formats = [.urf]
            $0.colorModes = [.auto, .monochrome]
        }
        #expect(pixels(printer)?.type == .gray8)
        #expect(pixels(change(printer) { $0.rasters.urf.types = nil })?.type == .gray8)
    }

    @Test func `one-bit pixels at normal quality use a higher resolution than eight-bit pixels`() {
        let printer = printer {
            $0.formats = [.pwgRaster]
            $0.rasters.pwg.types = [.black1]
        }
        #expect(pixels(printer)?.resolution == RasterResolution(600))
        #expect(pixels(printer) { $0.quality = .draft }?.resolution == RasterResolution(150))
    }

    @Test func `imposition makes the copies if the printer cannot make copies of the delivered format`() {
        let printer = printer {
            $0.formats = [.urf]
            $0.rasters.urf.maxCopies = 1
        }
        var ticket = JobTicket()
        ticket.copies = 3
        let plan = ticket.plan(for: printer)
        #expect(plan.imposition.copies == 3 && plan.device.copies == 1)
        #expect(ticket.plan(for: change(printer) { $0.rasters.urf.maxCopies = 99 }).device.copies == 3)
        #expect(ticket.plan(for: self.printer { $0.rasters.urf.maxCopies = 1 }).device.copies == 3)
    }

    @Test func `a JPEG job is one-sided, and the images do not exceed the printer's maximum size`() {
        let printer = printer {
            $0.formats = [.jpeg]
            $0.defaultDuplex = .longEdge
            $0.rasters.largestJPEGWidth = 1000
        }
        var ticket = JobTicket()
        #expect(ticket.plan(for: printer).device.duplex == .none)
        ticket.duplex = .longEdge
        let plan = ticket.plan(for: printer)
        #expect(plan.device.duplex == .none && plan.imposition.duplex == .none)
        #expect(plan.conflicts.map(\.option) == ["sides"])
        let form = plan.delivery?.pixels
        #expect(form.map { $0.resolution.pixels(of: .a4).width <= 1000 } == true)
        #expect(plan.delivery?.maxPages == 1)
        #expect(ticket.plan(for: change(printer) { $0.rasters.takesSeveralDocuments = true }).delivery?.maxPages == nil)
    }

    @Test(
        arguments: [
            (
                ["CP255", "RS300-600", "SRGB24", "W8", "DM3"],
                PixelSupport(
                    resolutions: [300, 600].compactMap { RasterResolution($0) }, types: [.color8, .gray8],
                    sheetBack: .rotated, maxCopies: 255)
            ),
            (
                [
                    "V1.4", "W8-16", "ADOBERGB24-48", "DEVRGB24", "DEVW8", "IS1-4", "MT1-2-3", "OB10", "PQ3-4-5",
                    "RS600",
                ],
                PixelSupport(resolutions: [600].compactMap { RasterResolution($0) }, types: [.gray8, .deviceColor8])
            ),
            (["none"], PixelSupport()), ([], PixelSupport()),
            (["", "-", "RS0-x", "CP0", "CPx", "DM9", "W"], PixelSupport()),
            (["ADOBERGB24"], PixelSupport(types: [])),
            (["DEVCMYK32", "DM4"], PixelSupport(types: [.cmyk8], sheetBack: .manualTumble)),
        ] as [([String], PixelSupport)])
    func `the keywords of urf-supported are parsed, and invalid keywords are ignored`(
        words: [String], expected: PixelSupport
    ) {
        #expect(PixelSupport(urf: words) == expected)
    }

    @Test func `a delivery format has a text description and file paths in the folder of the prepared PDF`() {
        let form = PixelForm(resolution: .usual, type: .color8, isGray: false)
        let raster = DeliveryFormat(format: .pwgRaster, pixels: form)
        #expect("\(raster)" == "PWG raster, 300 dpi, color")
        #expect(raster.files(of: "/jobs/7/prepared.pdf", pages: 3) == ["/jobs/7/prepared.pwg"])
        let images = DeliveryFormat(format: .jpeg, pixels: form)
        #expect(
            images.files(of: "/jobs/7/prepared.pdf", pages: 2) == ["/jobs/7/prepared-1.jpg", "/jobs/7/prepared-2.jpg"])
        #expect(DeliveryFormat.pdf.files(of: "/jobs/7/prepared.pdf", pages: 2) == ["/jobs/7/prepared.pdf"])
        #expect("\(DeliveryFormat.pdf)" == "PDF")
    }
}
