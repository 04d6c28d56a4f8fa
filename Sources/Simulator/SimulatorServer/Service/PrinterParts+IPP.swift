// Encodes trays, supplies and output bins as printer attributes.

import IPP
import PrintIPP
import PrintModel
import PrinterSimulator

extension SimulatedPrinterDescription {
    /// The attributes that are not part of the capabilities: the kind, the trays and bins, the resolutions, and the
    /// identify actions.
    var attributes: [Attribute] {
        [
            Attribute("printer-kind", kinds.map { .keyword($0) }),
            Attribute("media-source-supported", (["auto"] + trays.map(\.name)).map { .keyword($0) }),
            Attribute(
                "printer-resolution-supported",
                resolutions.map { dots in
                    .resolution(Resolution(crossFeed: Int32(clamping: dots), feed: Int32(clamping: dots)))
                }),
            Attribute("identify-actions-supported", .keyword("display")),
            Attribute("identify-actions-default", .keyword("display")),
            // PWG 5100.13 §5.6.5: -2 means that the level of the bin is unknown.
            Attribute(
                "printer-output-tray",
                outputBins.map { bin in
                    .octetString(
                        Array(
                            ("type=unRemovableBin;maxcapacity=-2;remaining=-2;status=0;name=\(bin);"
                                + "stackingorder=\(lastFirstBins.contains(bin) ? "lastToFirst" : "firstToLast");"
                                + "pagedelivery=\(faceUpBins.contains(bin) ? "faceUp" : "faceDown");").utf8))
                }),
        ] + Self.scalingAttributes(scalings) + cutterAttributes
    }

    /// The printer does not scale raster formats.
    @Sendable func attributes(for format: DocumentFormat) -> [Attribute] {
        format == .pwgRaster || format == .urf ? Self.scalingAttributes([.none]) : []
    }

    private static func scalingAttributes(_ scalings: [PrintScaling]) -> [Attribute] {
        [
            Attribute("print-scaling-supported", scalings.map { .keyword($0.rawValue) }),
            Attribute("print-scaling-default", .keyword((scalings.contains(.auto) ? .auto : scalings[0]).rawValue)),
        ]
    }

    private var cutterAttributes: [Attribute] {
        guard hasCutter else { return [] }
        return [
            Attribute("finishings-supported", RollCut.allCases.map { .enumeration($0.finishing) }),
            Attribute("finishings-default", .enumeration(RollCut.afterPages.finishing)),
        ]
    }
}

extension SimulatedPrinterStatus {
    /// The attributes with the levels of the trays and supplies, and with the page counters of the printer.
    var attributes: [Attribute] {
        [
            // One value for each value of media-source-supported. The value for `auto` describes no paper (PWG 5100.13
            // §5.6.2).
            Attribute(
                "printer-input-tray",
                ([SimulatedPrinterDescription.Tray.automatic] + trays.map(\.inputTray)).map {
                    .octetString(Array($0.utf8))
                }),
            Attribute("printer-impressions-completed", .integer(Int32(clamping: impressionsPrinted))),
            Attribute("printer-media-sheets-completed", .integer(Int32(clamping: sheetsPrinted))),
        ] + (supplies.isEmpty ? [] : supplyAttributes)
    }

    /// The attributes of the supplies in two encodings: as in PWG 5100.13 §5.6.7, and for CUPS clients (`marker-*`).
    private var supplyAttributes: [Attribute] {
        [
            Attribute(
                "printer-supply",
                supplies.enumerated().map { .octetString(Array($0.element.printerSupply(index: $0.offset + 1).utf8)) }),
            Attribute("printer-supply-description", supplies.map { .text($0.name) }),
            Attribute("marker-names", supplies.map { .name($0.name) }),
            Attribute("marker-types", supplies.map { .keyword($0.type) }),
            Attribute("marker-colors", supplies.map { .name($0.markerColor) }),
            Attribute("marker-levels", supplies.map { .integer($0.percent) }),
            Attribute("marker-low-levels", supplies.map { _ in .integer(10) }),
            Attribute("marker-high-levels", supplies.map { _ in .integer(100) }),
        ]
    }
}

extension SimulatedPrinterDescription {
    /// Returns the loaded papers, each with the name of the tray.
    ///
    /// The tray name `auto` stands for trays that supply every requested size.
    func readyMedia(in trays: [Tray]) -> [Attribute] {
        let ready = capabilities(with: trays).readyPapers.flatMap { paper in
            let sources = trays.filter { ($0.media != nil || $0.rollWidth != nil) && $0.holds(paper) }.map(\.name)
            return (sources.isEmpty ? ["auto"] : sources).map { Value.collection(paper.readyMediaCol(source: $0)) }
        }
        return ready.isEmpty ? [] : [Attribute("media-col-ready", ready)]
    }
}

extension SimulatedPrinterDescription.Tray {
    /// The description of the media source `auto`.
    ///
    /// With this source, the printer chooses the tray.
    ///
    /// The size and the level are unknown (-2).
    static let automatic =
        "type=other;mediafeed=-2;mediaxfeed=-2;maxcapacity=-2;level=-2;status=0;name=auto;unit=sheets;"

    /// The tray in the format of PWG 5100.13 §5.6.2; the level -3 means that at least one sheet is left (RFC 3805).
    var inputTray: String {
        if let rollWidth {
            // A roll feeds any length (-1). The remaining length is given in meters.
            return "type=continuousRoll;mediafeed=-1;mediaxfeed=\(rollWidth.hundredths);maxcapacity=\(capacity / 1000);"
                + "level=\(loaded.map { ($0 + 999) / 1000 } ?? -3);status=0;name=\(name);unit=meters;"
        }
        return "type=sheetFeedAutoRemovableTray;mediafeed=\(media?.height.hundredths ?? -2);"
            + "mediaxfeed=\(media?.width.hundredths ?? -2);maxcapacity=\(capacity);level=\(loaded ?? -3);status=0;"
            + "name=\(name);unit=sheets;"
    }
}

extension SimulatedPrinterDescription.Supply {
    /// The level of the supply in whole percent.
    ///
    /// The value for a supply that is not empty is at least 1.
    var percent: Int32 { level > 0 ? max(1, Int32(level.rounded())) : 0 }

    /// Returns the supply in the format of PWG 5100.13 §5.6.7.
    ///
    /// - Parameter index: The number of the supply, from 1.
    func printerSupply(index: Int) -> String {
        "index=\(index);class=supplyThatIsConsumed;type=\(type == "ink-cartridge" ? "inkCartridge" : type);"
            + "unit=percent;maxcapacity=100;level=\(percent);colorantname=\(color);"
    }

    /// The color of the supply as a hexadecimal code for CUPS clients.
    var markerColor: String { PrinterStatus.Supply.colorCode(color) }
}
