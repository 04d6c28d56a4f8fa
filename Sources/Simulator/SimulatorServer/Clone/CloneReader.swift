// Reads the attributes of a printer that is cloned.

import FoundationEssentials
import IPP
import PrintIPP
import PrintModel
import PrinterSimulator

/// A reader for the IPP attributes of a real printer.
///
/// The reader collects messages about values that simulated printers do not support.
struct CloneReader {
    let attributes: AttributeGroup
    var notes: [String] = []
    var read: Set<String> = []

    init(_ attributes: AttributeGroup) { self.attributes = attributes }

    mutating func text(_ name: String) -> String? {
        read.insert(name)
        let text = PrinterFileText.sanitized(attributes.string(name) ?? "", to: 120)
        return text.isEmpty ? nil : text
    }

    /// Returns the supported keywords of an attribute.
    ///
    /// The function adds a message about the unsupported keywords to `notes`.
    mutating func known(_ name: String, _ known: [String], ignoring ignored: Set<String> = []) -> [String] {
        read.insert(name)
        let said = attributes.strings(name).unique
        let unknown = said.filter { !known.contains($0) && !ignored.contains($0) }
        if !unknown.isEmpty { notes.append("\(name): \(unknown.joined(separator: ", "))") }
        return said.filter(known.contains)
    }

    /// A default that the values do not contain is ignored.
    mutating func ordered<T: Hashable>(_ values: [T], first: T?) -> [T] {
        guard let first, values.contains(first) else { return values }
        return [first] + values.filter { $0 != first }
    }

    mutating func kinds() -> FileValue? {
        let kinds = known(
            "printer-kind",
            ["document", "envelope", "label", "large-format", "photo", "postcard", "receipt", "roll"])
        return kinds.isEmpty ? nil : .texts(kinds)
    }

    mutating func outputBins() -> FileValue? {
        read.formUnion(["output-bin-supported", "output-bin-default", "printer-output-tray"])
        let bins = attributes.strings("output-bin-supported").map { PrinterFileText.sanitized($0, to: 120) }
            .filter { !$0.isEmpty }.unique.prefix(50)
        let ordered = ordered(Array(bins), first: attributes.string("output-bin-default"))
        guard !ordered.isEmpty else { return nil }
        // printer-output-tray has one value per bin, in the order of output-bin-supported (PWG 5100.13 §5.6.5).
        let parts = Self.parts(attributes["printer-output-tray"])
        let isSaid = parts.count == bins.count
        let trays = Dictionary(zip(bins, isSaid ? parts : []), uniquingKeysWith: { first, _ in first })
        return .list(ordered.map { Self.bin($0, trays[$0] ?? [:]) })
    }

    /// Returns the description of an output bin for the printer file.
    ///
    /// If the sheets face as the name of the bin implies, and are in the usual order, the description consists only of
    /// the name.
    private static func bin(_ name: String, _ part: [String: String]) -> FileValue {
        let isUp = part["pagedelivery"].map { $0 == "faceUp" } ?? (name == "face-up")
        let isLastFirst = part["stackingorder"] == "lastToFirst"
        guard isUp != (name == "face-up") || isLastFirst else { return .text(name) }
        return .object([
            "name": .text(name), "faces": .text(isUp ? "up" : "down"),
            "order": isLastFirst ? .text("last-to-first") : nil,
        ])
    }

    /// Adds messages to `notes` about scaling modes and a default scaling mode that the clone does not have.
    ///
    /// Simulated printers support all standard scaling modes.
    mutating func scalings() {
        let scalings = known("print-scaling-supported", PrintScaling.allCases.map(\.rawValue))
        read.insert("print-scaling-default")
        let own = PrintScaling.auto.rawValue
        if let other = attributes.string("print-scaling-default"), other != own, scalings.contains(own) {
            notes.append("print-scaling-default: \(other); the clone uses \(own)")
        }
    }

    mutating func sides() -> FileValue? {
        let sides = known("sides-supported", Duplex.allCases.map(\.rawValue))
        read.insert("sides-default")
        let ordered = ordered(sides, first: attributes.string("sides-default"))
        return ordered.isEmpty ? nil : .texts(ordered)
    }

    var isColor: Bool {
        attributes.boolean("color-supported")
            ?? attributes.strings("print-color-mode-supported").contains("color")
    }

    mutating func qualities() -> FileValue? {
        read.formUnion(["print-quality-supported", "print-quality-default"])
        let names: [Int32: String] = [3: "draft", 4: "normal", 5: "high"]
        let said = attributes["print-quality-supported"]?.values.compactMap { value in
            value.intValue.flatMap { names[$0] } ?? value.stringValue.flatMap { names.values.contains($0) ? $0 : nil }
        }
        return said.flatMap { $0.isEmpty ? nil : .texts($0.unique) }
    }

    mutating func resolutions() -> FileValue? {
        read.formUnion(["printer-resolution-supported", "printer-resolution-default"])
        func dots(_ value: Value) -> Int? {
            guard let resolution = value.resolutionValue else { return nil }
            let feed = Double(min(resolution.feed, resolution.crossFeed))
            let dpi = Int((resolution.units == .dotsPerCentimeter ? feed * 2.54 : feed).rounded())
            return (50...9_600).contains(dpi) ? dpi : nil
        }
        let values = attributes["printer-resolution-supported"]?.values ?? []
        if values.contains(where: { $0.resolutionValue.map { $0.feed != $0.crossFeed } ?? false }) {
            notes.append("resolutions that differ between the two directions: the clone uses the lower value")
        }
        let all = values.compactMap(dots).unique
        let first = attributes["printer-resolution-default"]?.values.first.flatMap(dots)
        let ordered = Array(ordered(all, first: first).prefix(32))
        return ordered.isEmpty ? nil : .list(ordered.map { .whole($0) })
    }

    mutating func formats() -> FileValue? {
        read.formUnion(["document-format-default", "document-format-preferred"])
        let known = known(
            "document-format-supported", SimulatedPrinterDescription.knownFormats.map(\.rawValue),
            ignoring: ["application/octet-stream"])
        guard !known.isEmpty else {
            notes.append("no supported document format: the clone uses application/pdf")
            return .texts(["application/pdf"])
        }
        let first = attributes.string("document-format-preferred") ?? attributes.string("document-format-default")
        return .texts(ordered(known, first: first))
    }

    mutating func rasterTypes() -> FileValue? {
        let all = SimulatedPrinterDescription.knownRasterTypes
        var types = known("pwg-raster-document-type-supported", all)
        if types.isEmpty {
            let urf = ["W8": "sgray_8", "SRGB24": "srgb_8", "DEVCMYK32": "cmyk_8"]
            types = attributes.strings("urf-supported").compactMap { urf[$0] }.unique
        }
        return types.isEmpty ? nil : .texts(types)
    }

    mutating func sheetBack() -> FileValue? {
        read.insert("pwg-raster-document-sheet-back")
        let urf = ["DM1": "normal", "DM2": "flipped", "DM3": "rotated", "DM4": "manual-tumble"]
        let back =
            attributes.string("pwg-raster-document-sheet-back")
            ?? attributes.strings("urf-supported").compactMap { urf[$0] }.first
        guard let back, urf.values.contains(back), back != "normal" else { return nil }
        return .text(back)
    }

    mutating func maxCopies() -> Int {
        read.formUnion(["copies-supported", "copies-default"])
        let copies = attributes["copies-supported"]
        return min(max(Int(copies?.rangeValue?.upper ?? copies?.intValue ?? 1), 1), 9_999)
    }

    mutating func collates() -> Bool {
        let known = known(
            "multiple-document-handling-supported",
            ["separate-documents-collated-copies", "separate-documents-uncollated-copies"])
        return known.isEmpty || known.contains("separate-documents-collated-copies")
    }

    mutating func pagesPerMinute() -> Int? {
        read.formUnion(["pages-per-minute", "pages-per-minute-color"])
        guard let speed = attributes.integer("pages-per-minute"), speed > 0 else { return nil }
        if let color = attributes.integer("pages-per-minute-color"), color > 0, color != speed {
            notes.append("pages-per-minute-color: \(color); the clone has only one speed: \(speed) sides per minute")
        }
        return min(Int(speed), 10_000)
    }

    /// Returns true if the printer cuts paper off a roll; otherwise nil.
    ///
    /// The function adds a message about all other finishings to `notes`.
    mutating func cutter(hasRoll: Bool) -> FileValue? {
        read.formUnion([
            "finishings-supported", "finishings-default", "finishings-ready", "finishing-template-supported",
            "finishings-col-database", "finishings-col-default", "finishings-col-ready", "finishings-col-supported",
        ])
        let trims = Set(RollCut.allCases.map(\.finishing))
        let said = attributes["finishings-supported"]?.values ?? []
        let others = said.compactMap { value -> String? in
            if let number = value.intValue { return trims.contains(number) || number == 3 ? nil : "\(number)" }
            return value.stringValue.flatMap { $0 == "none" || $0.hasPrefix("trim-after") ? nil : $0 }
        }
        if !others.isEmpty { notes.append("finishings: \(others.joined(separator: ", "))") }
        let cuts = said.contains { value in
            value.intValue.map { (60...63).contains($0) } ?? (value.stringValue?.hasPrefix("trim-after") ?? false)
        }
        return cuts && hasRoll ? true : nil
    }
}
