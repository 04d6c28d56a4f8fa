// The printer attributes that IPP Everywhere requires (PWG 5100.14 §5, PWG 5102.4 §4).

import IPP
import PrintIPP
import PrintModel
import PrinterSimulator

extension SimulatedPrinterDescription {
    /// The attributes that depend only on the printer file.
    var everywhereAttributes: [Attribute] {
        [
            Attribute("ipp-versions-supported", ["1.1", "2.0", "2.1"].map { .keyword($0) }),
            Attribute("ipp-features-supported", .keyword(isEverywhere ? "ipp-everywhere" : "none")),
        ] + pixels.attributes
    }

    /// Whether the printer accepts the formats that IPP Everywhere requires.
    private var isEverywhere: Bool { formats.contains(.jpeg) && formats.contains(.pwgRaster) }

    private var pixels: RasterSupport {
        RasterSupport(
            formats: formats, resolutions: resolutions, types: rasterTypes,
            sheetBack: sides.count > 1 ? sheetBack : nil, maxCopies: maxCopies, qualities: qualities)
    }

    fileprivate func deviceID(serial: String) -> String {
        pixels.deviceID(makeAndModel: makeAndModel, serial: serial)
    }

    /// The values of `urf-supported` for AirPrint clients.
    var urfKeywords: [String] { pixels.urfKeywords }
}

extension SimulatedPrinterStatus {
    /// Returns the attributes that an administrator can set, and the time of their last change.
    ///
    /// An attribute that was not set has the value from the printer file.
    ///
    /// - Parameter start: The time that is reported as the last change if no attribute was set: the time when the
    ///   service started.
    func administratedAttributes(of printer: SimulatedPrinterDescription, since start: UnixTime) -> [Attribute] {
        let changed = configurationChangedAt ?? start
        return [
            Attribute("printer-device-id", .text(printer.deviceID(serial: String(uuid.suffix(12))))),
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
