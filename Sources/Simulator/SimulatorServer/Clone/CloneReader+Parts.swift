// Reads the trays, the supplies and the unsupported attributes of a printer that is cloned.

import IPP
import PrintModel
import PrinterSimulator

extension CloneReader {
    /// Reads the trays (PWG 5100.13 §5.6.2) and the names of the trays (`media-source`).
    mutating func trays() -> [FileValue] {
        read.formUnion(["printer-input-tray", "media-source-supported"])
        let sources = attributes.strings("media-source-supported").map(Self.source)
            .filter { $0 != "auto" && !$0.isEmpty }.unique
        // The source `auto` is not a tray.
        let parts = Self.parts(attributes["printer-input-tray"]).prefix(64).filter {
            $0["type"] != "other" || $0["name"] != "auto"
        }
        guard !parts.isEmpty else { return sources.prefix(64).map { .object(["name": .text($0)]) } }
        var names: Set<String> = []
        var trays: [FileValue] = []
        for (index, part) in parts.enumerated() {
            let said = Self.source(part["name"] ?? "")
            let plain = said.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
            let matching = sources.first { $0 == said || $0 == plain }
            let byPlace = sources.count == parts.count ? sources[index] : nil
            let name = matching ?? byPlace ?? (plain.isEmpty ? "tray-\(index + 1)" : plain)
            guard names.insert(name).inserted else { continue }
            trays.append(tray(name, part))
        }
        for source in sources where !names.contains(source) { trays.append(.object(["name": .text(source)])) }
        return trays
    }

    /// Returns the name of a tray, with the keyword `tray-1` for the number 1.
    private static func source(_ text: String) -> String {
        let name = PrinterFileText.sanitized(text, to: 120)
        return !name.isEmpty && name.utf8.allSatisfy { (48...57).contains($0) } ? "tray-\(name)" : name
    }

    private func tray(_ name: String, _ part: [String: String]) -> FileValue {
        func number(_ key: String) -> Int? { part[key].flatMap { Int($0) } }
        let isRoll = part["type"] == "continuousRoll"
        let width = number("mediaxfeed").flatMap { (500...500_000).contains($0) ? $0 : nil }
        let height = number("mediafeed").flatMap { (100...1_000_000).contains($0) ? $0 : nil }
        let factor = isRoll && part["unit"] == "meters" ? 1_000 : 1
        let capacity = number("maxcapacity").flatMap {
            (1...1_000_000 / factor).contains($0) ? $0 * factor : nil
        }
        // -2 means unknown; -3 means that some paper is left (RFC 3805 prtInputCurrentLevel).
        let level = number("level").flatMap { $0 >= 0 && $0 <= 1_000_000 / factor ? $0 * factor : nil }
        let most = capacity ?? (isRoll ? 30_000 : 250)
        let media =
            isRoll
            ? nil
            : width.flatMap { width in
                height.map { Media.of(width: Length(hundredths: width), height: Length(hundredths: $0)) }
            }
        let type = loadedType(of: name)
        return .object([
            "name": .text(name), "media": media.map { .text($0.word) },
            "roll": isRoll ? width.map { .hundredths($0) } : nil, "type": type.map { .text($0) },
            "capacity": capacity.map { .whole($0) }, "loaded": level.map { .whole(min($0, most)) },
        ])
    }

    /// Returns the type of the paper in a tray; nil if the type is unknown.
    ///
    /// The type is known if all papers of the tray in `media-col-ready` have the same type. The result is also nil if
    /// the printer supports only one type.
    private func loadedType(of tray: String) -> String? {
        let ready = attributes["media-col-ready"]?.values.compactMap(\.collectionValue) ?? []
        let own = ready.filter { $0.string("media-source").map(Self.source) == tray }
        let types = (own.isEmpty ? ready.filter { [nil, "auto"].contains($0.string("media-source")) } : own).map {
            $0.string("media-type")
        }
        let offered = Set(
            (attributes["media-col-database"]?.values ?? []).compactMap { $0.collectionValue?.string("media-type") })
        guard let type = types.first, let type, types.allSatisfy({ $0 == type }), offered.count > 1 else { return nil }
        return PrinterFileText.sanitized(type, to: 120)
    }

    /// Reads the supplies from `printer-supply` (PWG 5100.13 §5.6.7), or from the CUPS attributes `marker-*`.
    mutating func supplies() -> [FileValue] {
        read.formUnion([
            "printer-supply", "printer-supply-description", "printer-supply-info-uri", "marker-names", "marker-types",
            "marker-colors", "marker-levels", "marker-low-levels", "marker-high-levels", "marker-message",
        ])
        let names = attributes.strings("printer-supply-description")
        var parts = Self.parts(attributes["printer-supply"])
        if parts.isEmpty { parts = markers() }
        var taken: Set<String> = []
        var supplies: [FileValue] = []
        for (index, part) in parts.prefix(64).enumerated() {
            let said = part["colorantname"].map { PrinterFileText.sanitized($0, to: 60) } ?? "none"
            // cupsd reports colors as hexadecimal codes.
            let color = Self.colors[said.uppercased()] ?? said
            let kind = part["type"] ?? "other"
            var name = names.indices.contains(index) ? names[index] : part["name"] ?? "\(color) \(kind)"
            name = PrinterFileText.sanitized(name, to: 120)
            guard let type = Self.types[kind], !["none", "unknown", ""].contains(color) else {
                notes.append("supply: \(name.isEmpty ? kind : name) (\(kind))")
                continue
            }
            guard !name.isEmpty, taken.insert(name).inserted else { continue }
            supplies.append(
                .object([
                    "name": .text(name), "color": .text(color), "type": .text(type),
                    "level": .whole(Self.level(part)), "yield": .whole(2_000),
                ]))
        }
        return supplies
    }

    private static let colors = [
        "#000000": "black", "#00FFFF": "cyan", "#FF00FF": "magenta", "#FFFF00": "yellow", "#FF0000": "red",
        "#00FF00": "green", "#0000FF": "blue", "#808080": "gray",
    ]
    private static let types = [
        "toner": "toner", "tonerCartridge": "toner", "toner-cartridge": "toner", "ink": "ink",
        "inkCartridge": "ink-cartridge", "ink-cartridge": "ink-cartridge", "inkRibbon": "ribbon",
        "correctionRibbon": "ribbon", "ribbon": "ribbon", "ink-ribbon": "ribbon",
    ]

    /// An unknown level is 100.
    private static func level(_ part: [String: String]) -> Int {
        guard let level = part["level"].flatMap({ Int($0) }), level >= 0 else { return 100 }
        let most = part["maxcapacity"].flatMap { Int($0) } ?? 100
        return most > 0 && level <= most ? Int((Double(level) * 100 / Double(most)).rounded()) : min(level, 100)
    }

    private func markers() -> [[String: String]] {
        let names = attributes.strings("marker-names")
        let (types, colors) = (attributes.strings("marker-types"), attributes.strings("marker-colors"))
        let levels = attributes["marker-levels"]?.values.compactMap(\.intValue) ?? []
        return names.enumerated().map { index, name in
            var part = ["name": name]
            if types.indices.contains(index) { part["type"] = types[index] }
            if colors.indices.contains(index) { part["colorantname"] = colors[index] }
            if levels.indices.contains(index) { part["level"] = "\(levels[index])" }
            return part
        }
    }

    /// Parses values such as `type=sheetFeedAutoRemovableTray;maxcapacity=250;name=tray-1;` (PWG 5100.13 §5.6).
    static func parts(_ attribute: Attribute?) -> [[String: String]] {
        (attribute?.values ?? []).compactMap { value in
            let text = value.bytesValue.map { String(decoding: $0, as: UTF8.self) } ?? value.stringValue
            guard let text else { return nil }
            let pairs = text.split(separator: ";").compactMap { pair -> (String, String)? in
                let words = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return words.count == 2 ? (String(words[0]), String(words[1])) : nil
            }
            return pairs.isEmpty ? nil : Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        }
    }

    // MARK: - Unsupported attributes

    /// Returns a line with all unsupported operations, and a line for each attribute that simulated printers do not
    /// support.
    ///
    /// The result omits the attributes that the reader has read, and the attributes in `said`.
    func rest() -> [String] {
        let operations = (attributes["operations-supported"]?.values ?? []).compactMap(\.intValue)
            .map { Operation(rawValue: UInt16(truncatingIfNeeded: $0)) }
            .filter { !Self.operations.contains($0) }
        var lines = operations.isEmpty ? [] : ["operations: \(operations.map(\.description).joined(separator: ", "))"]
        for attribute in attributes.attributes.prefix(2_000)
        where !read.contains(attribute.name) && !Self.said.contains(attribute.name) {
            guard let first = attribute.first, first.outOfBandValue == nil else { continue }
            // Simulated printers do not support document passwords.
            if attribute.name == "document-password-supported", first.intValue == 0 { continue }
            let words = attribute.values.prefix(20).map(\.json.words).joined(separator: ", ")
            let more = attribute.values.count > 20 ? " … (\(attribute.values.count) values)" : ""
            lines.append(PrinterFileText.sanitized("\(attribute.name): \(words)", to: 200) + more)
        }
        return lines
    }

    private static let operations = Set(
        SimulatorService.everyOperation + [
            .createPrinterSubscriptions, .createJobSubscriptions, .getSubscriptionAttributes, .getSubscriptions,
            .renewSubscription, .cancelSubscription, .getNotifications,
        ])

    /// The names of attributes that `rest` omits: attributes that every simulated printer has, or that depend on the
    /// request or on the current time.
    private static let said: Set<String> = [
        "attributes-charset", "attributes-natural-language", "charset-configured", "charset-supported",
        "color-supported", "compression-supported", "device-uri", "document-format-varying-attributes",
        "generated-natural-language-supported", "identify-actions-default", "identify-actions-supported",
        "ipp-features-supported", "ipp-versions-supported", "ippget-event-life", "job-creation-attributes-supported",
        "job-hold-until-default", "job-hold-until-supported", "job-hold-until-time-supported", "job-ids-supported",
        "job-priority-default",
        "job-priority-supported", "job-settable-attributes-supported", "job-sheets-col-default",
        "job-sheets-col-supported",
        "job-sheets-default", "job-sheets-supported", "max-page-ranges-supported",
        "media-col-supported", "multiple-document-handling-default", "multiple-document-jobs-supported",
        "multiple-operation-time-out", "multiple-operation-time-out-action", "natural-language-configured",
        "notify-attributes-supported", "notify-events-default", "notify-events-supported",
        "notify-lease-duration-default", "notify-lease-duration-supported", "notify-max-events-supported",
        "notify-pull-method-supported", "operations-supported", "orientation-requested-default",
        "orientation-requested-supported", "overrides-supported", "page-ranges-supported", "pages-per-minute",
        "job-mandatory-attributes-supported", "landscape-orientation-requested-preferred", "pdf-k-octets-supported",
        "pdf-versions-supported", "pdl-override-supported",
        "preferred-attributes-supported",
        "print-color-mode-default", "print-color-mode-supported", "print-content-optimize-default",
        "print-content-optimize-supported", "print-rendering-intent-default", "print-rendering-intent-supported",
        "printer-config-change-date-time", "printer-config-change-time", "printer-current-time", "printer-device-id",
        "printer-geo-location", "printer-get-attributes-supported", "printer-icons", "printer-impressions-completed",
        "printer-is-accepting-jobs", "printer-is-shared", "printer-media-sheets-completed", "printer-more-info",
        "printer-name", "printer-organization", "printer-organizational-unit",
        "printer-settable-attributes-supported", "printer-state", "printer-state-change-date-time",
        "printer-state-change-time", "printer-state-message", "printer-state-reasons", "printer-type",
        "printer-up-time", "printer-uri-supported", "printer-uuid", "pwg-raster-document-resolution-supported",
        "queued-job-count", "urf-supported", "uri-authentication-supported", "uri-security-supported",
        "which-jobs-supported",
    ]
}

extension JSONValue {
    fileprivate var words: String {
        switch self {
        case .string(let text): text
        case .array(let values): "[\(values.prefix(20).map(\.words).joined(separator: ", "))]"
        case .object(let members):
            "{ \(members.sorted { $0.key < $1.key }.prefix(20).map { "\($0.key): \($0.value.words)" }.joined(separator: ", ")) }"
        default: description
        }
    }
}
