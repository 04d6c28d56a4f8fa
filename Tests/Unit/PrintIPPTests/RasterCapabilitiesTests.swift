import IPP
import PrintIPP
import PrintModel
import Testing

struct RasterCapabilitiesTests {
    private func read(_ attributes: Attribute...) -> RasterCapabilities {
        PrinterCapabilities(attributes: AttributeGroup(.printer, attributes)).rasters
    }

    private func dots(_ crossFeed: Int32, _ feed: Int32, _ units: Resolution.Units = .dotsPerInch) -> Value {
        .resolution(Resolution(crossFeed: crossFeed, feed: feed, units: units))
    }

    @Test func `the raster capabilities of a printer are read from the printer attributes`() {
        let rasters = read(
            Attribute(
                "pwg-raster-document-resolution-supported",
                [dots(300, 300), dots(600, 300), dots(118, 118, .dotsPerCentimeter)]),
            Attribute(
                "pwg-raster-document-type-supported", [.keyword("srgb_8"), .keyword("sgray_8"), .keyword("srgb_16")]),
            Attribute("pwg-raster-document-sheet-back", .keyword("manual-tumble")),
            Attribute("urf-supported", [.keyword("CP1"), .keyword("RS300"), .keyword("W8"), .keyword("DM2")]),
            Attribute("jpeg-x-dimension-supported", .range(IntegerRange(lower: 0, upper: 4000))),
            Attribute("document-format-preferred", .mimeMediaType("image/urf")),
            Attribute("multiple-document-jobs-supported", .boolean(true)))
        #expect(rasters.pwg.resolutions == [RasterResolution(300), RasterResolution(crossFeed: 600, feed: 300)])
        #expect(rasters.pwg.types == [.color8, .gray8])
        #expect(rasters.pwg.sheetBack == .manualTumble)
        #expect(rasters.urf == PixelSupport(resolutions: [.usual], types: [.gray8], sheetBack: .flipped, maxCopies: 1))
        #expect(rasters.largestJPEGWidth == 4000 && rasters.largestJPEGHeight == nil)
        #expect(rasters.preferredFormat == .urf && rasters.takesSeveralDocuments)
    }

    @Test func `invalid and missing raster attributes are ignored`() {
        #expect(read() == RasterCapabilities())
        let rasters = read(
            Attribute("pwg-raster-document-resolution-supported", [dots(0, 0), dots(-1, 300), .integer(300)]),
            Attribute("pwg-raster-document-type-supported", [.keyword("device9_16")]),
            Attribute("pwg-raster-document-sheet-back", .integer(3)), Attribute("urf-supported", .keyword("none")),
            Attribute("jpeg-x-dimension-supported", .integer(-4)))
        #expect(rasters.pwg == PixelSupport(types: []))
        #expect(rasters.urf == PixelSupport() && rasters.largestJPEGWidth == nil)
    }

    @Test func `a selected resolution is sent to the printer`() {
        let options = DeviceOptions(paper: PrintPaper(media: .a4), resolution: RasterResolution(600))
        #expect(options.attributes["printer-resolution"]?.values == [dots(600, 600)])
        #expect(DeviceOptions(paper: PrintPaper(media: .a4)).attributes["printer-resolution"] == nil)
    }
}
