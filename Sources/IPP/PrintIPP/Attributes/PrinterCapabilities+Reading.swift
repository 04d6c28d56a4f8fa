// Reads the capabilities of a printer from its attributes. The attributes are untrusted input.

package import IPP
package import PrintModel

extension PrinterCapabilities {
    /// `init(attributes:)` creates the capabilities from these attributes.
    package static let attributeNames =
        [
            "printer-make-and-model", "media-col-database", "media-col-ready", "media-supported", "media-default",
            "media-ready", "media-source-supported", "output-bin-supported", "output-bin-default",
            "sides-supported", "sides-default", "print-color-mode-supported",
            "color-supported",
            "print-quality-supported", "printer-resolution-supported", "document-format-supported", "copies-supported",
            "multiple-document-handling-supported", "pages-per-minute", "print-scaling-supported",
            "finishings-supported", "finishings-default", "printer-device-id", "identify-actions-supported",
            "identify-actions-default",
        ] + RasterCapabilities.attributeNames

    /// A missing or invalid attribute means the lowest capability.
    package init(attributes: AttributeGroup) {
        let collections = attributes["media-col-database"]?.values.compactMap(\.collectionValue) ?? []
        var papers = collections.prefix(4096).compactMap(PrintPaper.init(mediaCol:))
        let names = attributes.keywords("media-supported").prefix(4096)
        if papers.isEmpty {
            papers = names.filter { !MediaRange.isBound($0) }.compactMap(Media.init(name:))
                .map { PrintPaper(media: $0, margins: .all(.millimeters(6.35))) }
        }
        var custom = collections.lazy.compactMap(MediaRange.init(mediaCol:)).first ?? MediaRange(names: names)
        let sources = attributes.keywords("media-source-supported").filter { $0 != "auto" }
        if !sources.isEmpty, sources.allSatisfy(MediaRange.isRoll) { custom?.isRoll = true }
        let named = attributes.string("media-default").flatMap(Media.init(name:))
        let sides = attributes.keywords("sides-supported").compactMap(Duplex.init(rawValue:)).unique
        let isColor = attributes.boolean("color-supported") ?? false
        let modes = attributes.keywords("print-color-mode-supported").compactMap(ColorMode.init(rawValue:)).unique
        let qualities =
            attributes["print-quality-supported"]?.values.compactMap(\.intValue)
            .compactMap { PrintQuality(rawValue: Int($0)) }.unique ?? []
        let trimmings =
            attributes["finishings-supported"]?.values.compactMap(\.intValue)
            .compactMap { Trimming(rawValue: Int($0)) }.unique ?? []
        let copies = attributes["copies-supported"]
        let loaded = (attributes["media-col-ready"]?.values.compactMap(\.collectionValue) ?? []).prefix(64)
            .compactMap { collection in
                let source = collection.string("media-source").flatMap { $0 == "auto" ? nil : $0 }
                return PrintPaper(mediaCol: collection).map { ($0, source) }
            }
        let maxCopies = copies?.rangeValue?.upper ?? copies?.intValue ?? 1
        self.init(
            makeAndModel: (attributes.string("printer-make-and-model") ?? "Unknown printer").prefixOfUTF8(127),
            papers: papers,
            readyPapers: loaded.map(\.0),
            defaultMedia: named ?? papers.first?.media ?? .a4,
            customMedia: custom,
            duplexModes: sides.isEmpty ? [.none] : sides,
            defaultDuplex: attributes.string("sides-default").flatMap(Duplex.init(rawValue:)) ?? .none,
            colorModes: modes.isEmpty ? (isColor ? [.auto, .color, .monochrome] : [.monochrome]) : modes,
            qualities: qualities.isEmpty ? [.normal] : qualities,
            resolutions: attributes["printer-resolution-supported"]?.values.prefix(64).compactMap(\.resolutionValue)
                .compactMap { $0.units == .dotsPerInch && $0.feed > 0 && $0.feed == $0.crossFeed ? Int($0.feed) : nil }
                .unique ?? [],
            formats: attributes.strings("document-format-supported").prefix(256)
                .map(DocumentFormat.init(rawValue:)).unique,
            maxCopies: max(1, Int(maxCopies)),
            collates: attributes.keywords("multiple-document-handling-supported")
                .contains("separate-documents-collated-copies"),
            pagesPerMinute: attributes.integer("pages-per-minute").flatMap { $0 > 0 ? Int($0) : nil },
            scalings: attributes["print-scaling-supported"].map { _ in
                attributes.keywords("print-scaling-supported").compactMap(PrintScaling.init(rawValue:)).unique
            },
            // A printer that supports only the trimming `none` has no cutter.
            trimmings: trimmings.count > 1 ? trimmings : [],
            defaultTrimming: attributes["finishings-default"]?.intValue.flatMap { Trimming(rawValue: Int($0)) }
                ?? .never,
            rasters: RasterCapabilities(attributes: attributes))
        if loaded.contains(where: { $1 != nil }) { readySources = loaded.map { $1?.prefixOfUTF8(255) } }
        if attributes["media-source-supported"] != nil { mediaSources = Array(sources.unique.prefix(64)) }
        let bins = attributes.keywords("output-bin-supported")
        outputBins = Array(
            (attributes.keywords("output-bin-default").filter(bins.contains) + bins).filter { $0 != "auto" }.unique
                .prefix(64))
        deviceID = attributes.string("printer-device-id").flatMap { $0.isEmpty ? nil : $0.prefixOfUTF8(1023) }
        let byDefault = attributes.keywords("identify-actions-default")
        let actions = attributes.keywords("identify-actions-supported").prefix(16)
        identifyActions = (byDefault.filter(actions.contains) + actions).unique
    }
}

extension PrinterCapabilities.MediaRange {
    /// Creates a size range from a `media-col-database` entry with ranges.
    ///
    /// Returns `nil` for an entry without ranges.
    init?(mediaCol: IPP.Collection) {
        guard let size = mediaCol.collection("media-size"),
            let width = size["x-dimension"]?.first, let height = size["y-dimension"]?.first
        else { return nil }
        func bounds(_ value: Value) -> ClosedRange<Int>? {
            if case .range(let range) = value, let closed = range.closedRange, closed.lowerBound > 0 {
                return Int(closed.lowerBound)...Int(closed.upperBound)
            }
            if case .integer(let number) = value, number > 0 { return Int(number)...Int(number) }
            return nil
        }
        guard let x = bounds(width), let y = bounds(height), x.count > 1 || y.count > 1 else { return nil }
        self.init(
            width: x, height: y, margins: Margins(mediaCol: mediaCol),
            isRoll: mediaCol.string("media-source").map(Self.isRoll) ?? false)
    }

    /// Returns whether a `media-source` is a roll: `main-roll`, `alternate-roll`, `roll-1` (PWG 5100.7 §6.3.1.13).
    static func isRoll(_ source: String) -> Bool { source.split(separator: "-").contains("roll") }
}

extension PrinterCapabilities.MediaRange {
    /// Returns whether a media name is the minimum or maximum of the custom sizes, and not a medium (PWG 5101.1
    /// §5.1.4).
    static func isBound(_ name: String) -> Bool { name.hasPrefix("custom_min_") || name.hasPrefix("custom_max_") }

    /// Creates a size range from the names `custom_min_…` and `custom_max_…`.
    ///
    /// Returns `nil` if a name is missing or the minimum exceeds the maximum.
    init?(names: some Sequence<String>) {
        let bounds = names.filter(Self.isBound)
        guard let least = bounds.lazy.filter({ $0.hasPrefix("custom_min_") }).compactMap(Media.init(name:)).first,
            let most = bounds.lazy.filter({ $0.hasPrefix("custom_max_") }).compactMap(Media.init(name:)).first,
            least.width <= most.width, least.height <= most.height
        else { return nil }
        self.init(
            width: least.width.hundredths...most.width.hundredths,
            height: least.height.hundredths...most.height.hundredths, margins: .all(.millimeters(6.35)))
    }
}

extension PrinterStatus {
    /// `init(attributes:)` creates the status from these attributes.
    package static let attributeNames =
        [
            "printer-state", "printer-state-reasons", "printer-state-message", "printer-is-accepting-jobs",
            "printer-alert",
            "printer-alert-description", "printer-input-tray", "printer-output-tray",
        ] + Supply.attributeNames

    package init(attributes: AttributeGroup) {
        self.init(
            state: attributes.integer("printer-state").flatMap { PrinterState(rawValue: Int($0)) } ?? .idle,
            reasons: attributes.keywords("printer-state-reasons").unique.prefix(64).filter { $0 != "none" },
            message: (attributes.string("printer-state-message") ?? "").prefixOfUTF8(1023),
            isAccepting: attributes.boolean("printer-is-accepting-jobs") ?? true,
            alerts: Alert.all(in: attributes), supplies: Supply.all(in: attributes))
        inputTrays = Self.trays(attributes["printer-input-tray"])
        outputTrays = Self.trays(attributes["printer-output-tray"])
    }

    private static func trays(_ attribute: Attribute?) -> [String] {
        (attribute?.values ?? []).prefix(64).compactMap { value in
            guard case .octetString(let bytes) = value else { return nil }
            return String(decoding: bytes, as: UTF8.self).prefixOfUTF8(1023)
        }
    }

    /// Returns `printer-input-tray` and `printer-output-tray`, one value for each tray and bin (PWG 5100.13 §5.6).
    ///
    /// A tray or bin that the printer does not describe has an unknown size and level (-2).
    package func trayAttributes(of capabilities: PrinterCapabilities) -> [Attribute] {
        func value(_ name: String, _ trays: [String], _ unknown: String) -> Value {
            let own = trays.first { tray in tray.split(separator: ";").contains { $0 == "name=\(name)" } }
            return .octetString(Array((own ?? "\(unknown)status=0;name=\(name);").utf8))
        }
        let bins = capabilities.outputBins.isEmpty ? ["auto"] : capabilities.outputBins
        return [
            Attribute(
                "printer-input-tray",
                (["auto"] + capabilities.traySources).unique.map {
                    value(
                        $0, inputTrays,
                        "type=other;mediafeed=-2;mediaxfeed=-2;maxcapacity=-2;level=-2;unit=sheets;")
                }),
            Attribute(
                "printer-output-tray",
                bins.map { value($0, outputTrays, "type=unRemovableBin;maxcapacity=-2;remaining=-2;unit=sheets;") }),
        ]
    }
}

extension PrinterStatus.Alert {
    /// Returns the alerts in `printer-alert` and `printer-alert-description` (PWG 5100.9 §5.2, §5.3).
    fileprivate static func all(in attributes: AttributeGroup) -> [PrinterStatus.Alert] {
        let words = attributes.strings("printer-alert-description")
        let values = (attributes["printer-alert"]?.values ?? []).prefix(64).compactMap { value -> String? in
            guard case .octetString(let bytes) = value else { return nil }
            return String(decoding: bytes, as: UTF8.self).prefixOfUTF8(1023)
        }
        return values.enumerated().map { index, value in
            PrinterStatus.Alert(value: value, description: index < words.count ? words[index].prefixOfUTF8(1023) : "")
        }
    }

    /// The array is empty if there are no alerts.
    static func attributes(_ alerts: [PrinterStatus.Alert]) -> [Attribute] {
        guard !alerts.isEmpty else { return [] }
        return [
            Attribute("printer-alert", alerts.map { .octetString(Array($0.value.utf8)) }),
            Attribute("printer-alert-description", alerts.map { .text($0.description) }),
        ]
    }
}
