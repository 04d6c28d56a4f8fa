// What IPP Everywhere wants a printer to say of itself (PWG 5100.14 §5, PWG 5102.4 §4).

import IPP
import PrintModel
import PrinterSimulator

extension SimulatedPrinterDescription {
    /// The attributes that follow from the printer's file.
    var everywhereAttributes: [Attribute] {
        [
            Attribute("ipp-versions-supported", ["1.1", "2.0", "2.1"].map { .keyword($0) }),
            Attribute("ipp-features-supported", .keyword(isEverywhere ? "ipp-everywhere" : "none")),
            Attribute("printer-device-id", .text(deviceID)),
        ] + rasterAttributes
    }

    /// Whether it takes what every IPP Everywhere printer takes.
    private var isEverywhere: Bool { formats.contains(.jpeg) && formats.contains(.pwgRaster) }

    /// The IEEE 1284 device id: maker, model, languages.
    private var deviceID: String {
        let words = makeAndModel.split(separator: " ", maxSplits: 1).map { $0.filter { !":;".contains($0) } }
        let languages: [DocumentFormat: String] = [
            .pdf: "PDF", .jpeg: "JPEG", .pwgRaster: "PWGRaster", .urf: "URF",
        ]
        return "MFG:\(words[0]);MDL:\(words.count > 1 ? words[1] : words[0]);"
            + "CMD:\(formats.compactMap { languages[$0] }.joined(separator: ","));CLS:PRINTER;"
    }

    private var rasterAttributes: [Attribute] {
        var attributes: [Attribute] = []
        let dots = resolutions.map { Int32(clamping: $0) }
        if formats.contains(.pwgRaster) {
            attributes += [
                Attribute(
                    "pwg-raster-document-resolution-supported",
                    dots.map { .resolution(Resolution(crossFeed: $0, feed: $0)) }),
                Attribute("pwg-raster-document-type-supported", rasterTypes.map { .keyword($0) }),
            ]
            if sides.count > 1 {
                attributes.append(Attribute("pwg-raster-document-sheet-back", .keyword(sheetBack.rawValue)))
            } else {
                attributes.append(Attribute("pwg-raster-document-sheet-back", .keyword("normal")))
            }
        }
        if formats.contains(.urf) { attributes.append(Attribute("urf-supported", urfKeywords.map { .keyword($0) })) }
        return attributes
    }

    /// What AirPrint clients go by: version, colours, resolutions, how backs are turned, the most copies.
    var urfKeywords: [String] {
        let types = ["sgray_8": "W8", "srgb_8": "SRGB24", "cmyk_8": "DEVCMYK32"]
        let backs: [SheetBack: String] = [.normal: "DM1", .flipped: "DM2", .rotated: "DM3", .manualTumble: "DM4"]
        return ["V1.4"] + rasterTypes.compactMap { types[$0] }
            + ["RS\(resolutions.sorted().map(String.init).joined(separator: "-"))"]
            + (sides.count > 1 ? [backs[sheetBack] ?? "DM1"] : []) + (maxCopies > 1 ? ["CP\(maxCopies)"] : ["CP1"])
            + ["PQ\(qualities.map { String($0.rawValue) }.sorted().joined(separator: "-"))"]
    }
}

extension SimulatedPrinterStatus {
    /// What an administrator may have set, as it is now; what nobody set is as the printer's file says.
    ///
    /// - Parameter start: when the printer was switched on.
    func administratedAttributes(of printer: SimulatedPrinterDescription, since start: UnixTime) -> [Attribute] {
        let changed = configurationChangedAt ?? start
        return [
            Attribute("printer-info", .text(settings["printer-info"] ?? printer.info)),
            Attribute("printer-location", .text(settings["printer-location"] ?? printer.location)),
            Attribute("printer-organization", .text(settings["printer-organization"] ?? "")),
            Attribute("printer-organizational-unit", .text(settings["printer-organizational-unit"] ?? "")),
            Attribute(
                "printer-geo-location", settings["printer-geo-location"].map { .uri($0) } ?? .outOfBand(.unknown)),
            Attribute("printer-config-change-time", .integer(Int32(clamping: Int(max(0, changed))))),
            Attribute("printer-config-change-date-time", .dateTime(DateTime(unixTime: Int(max(0, changed))))),
        ]
    }
}
