// Reads the papers, trays, bins, supplies and speed from a printer file.

import PrintModel

extension DescriptionReader {
    private static let sizeText = "a size such as A4, Letter, 4x6, 100x62mm or iso_a4_210x297mm"

    /// Reads the papers: one paper for each combination of size, margins and type.
    func papers() throws(SimulatorError) -> [PrintPaper] {
        let margins = try margins("margins", or: .all(.millimeters(4.23)))
        let types: [String?] = try words("mediaTypes", "a list of types such as stationery", or: []) { $0 }
        var papers: [PrintPaper] = []
        for (index, value) in (try elements("media", "a list of sizes") ?? []).enumerated() {
            let place = "media[\(index)]"
            var object = value
            if case .string = value { object = .object(["size": value]) }
            let medium = try DescriptionReader(
                object, file: file, path: place, keys: ["size", "margins", "borderless", "types"])
            let media = try medium.media("size")
            let withMargins = try medium.margins("margins", or: margins)
            let ownTypes = try medium.words("types", "a list of types such as photographic-glossy", or: types) { $0 }
            let isAlsoBorderless = try medium.bool("borderless", or: false) && withMargins != .zero
            guard withMargins.leavesRoom(on: media) else {
                throw medium.wrong("margins", "small enough for a printable area on \(media.localizedName)")
            }
            for type in ownTypes.isEmpty ? [nil] : ownTypes {
                papers.append(PrintPaper(media: media, margins: withMargins, type: type))
                if isAlsoBorderless { papers.append(PrintPaper(media: media, margins: .zero, type: type)) }
            }
        }
        return papers
    }

    func customMedia() throws(SimulatorError) -> PrinterCapabilities.MediaRange? {
        guard let value = self["customMedia"] else { return nil }
        let custom = try DescriptionReader(
            value, file: file, path: place("customMedia"), keys: ["width", "height", "margins"])
        let outer = try margins("margins", or: .all(.millimeters(4.23)))
        return PrinterCapabilities.MediaRange(
            width: try custom.range("width"), height: try custom.range("height"),
            margins: try custom.margins("margins", or: outer))
    }

    /// If the file describes no trays, the printer has one tray that never runs empty and supplies every paper.
    func trays() throws(SimulatorError) -> [SimulatedPrinterDescription.Tray] {
        var trays: [SimulatedPrinterDescription.Tray] = []
        for (index, value) in (try elements("trays", "a list of trays", isOptional: true) ?? []).enumerated() {
            let reader = try DescriptionReader(
                value, file: file, path: "trays[\(index)]",
                keys: ["name", "media", "roll", "type", "capacity", "loaded", "sensor"])
            let name = try reader.string("name")
            guard !trays.contains(where: { $0.name == name }) else {
                throw reader.wrong("name", "a name that no other tray has")
            }
            let media: Media? = reader.isOrMissing("media", "any") ? nil : try reader.media("media")
            let type: String? = reader.isOrMissing("type", "any") ? nil : try reader.string("type")
            let roll = reader.has("roll") ? try reader.number("roll", in: 5...5_000, or: 0) : nil
            guard roll == nil || media == nil else { throw reader.wrong("media", "left out for a tray with a roll") }
            let capacity = try reader.integer("capacity", in: 1...1_000_000, or: roll == nil ? 250 : 30_000)
            var loaded: Int?
            if !reader.isOrMissing("loaded", "endless") {
                guard case .integer(let sheets)? = reader["loaded"], (0...capacity).contains(sheets) else {
                    throw reader.wrong("loaded", "\"endless\" or a whole number from 0 to the capacity of \(capacity)")
                }
                loaded = sheets
            }
            trays.append(
                .init(
                    name: name, media: media, type: type, rollWidth: roll.map(Length.millimeters), capacity: capacity,
                    loaded: loaded, hasSensor: try reader.bool("sensor", or: true)))
        }
        return trays.isEmpty ? [.init(name: "main")] : trays
    }

    func outputBins() throws(SimulatorError) -> (all: [String], faceUp: Set<String>, lastFirst: Set<String>) {
        var bins: [String] = []
        var (faceUp, lastFirst): (Set<String>, Set<String>) = ([], [])
        let values = try elements("outputBins", "a list of names such as face-down", isOptional: true)
        for (index, value) in (values ?? [.string("face-down")]).enumerated() {
            var object = value
            if case .string = value { object = .object(["name": value]) }
            let bin = try DescriptionReader(
                object, file: file, path: "outputBins[\(index)]", keys: ["name", "faces", "order"])
            let name = try bin.string("name")
            guard !name.isEmpty, !bins.contains(name) else {
                throw bin.wrong("name", "a name such as face-down that no other bin has")
            }
            bins.append(name)
            let isUp = try bin.choice("faces", of: ["up": true, "down": false], or: name == "face-up")
            if isUp { faceUp.insert(name) }
            if try bin.choice("order", of: ["first-to-last": false, "last-to-first": true], or: false) {
                lastFirst.insert(name)
            }
        }
        return (bins, faceUp, lastFirst)
    }

    func supplies() throws(SimulatorError) -> [SimulatedPrinterDescription.Supply] {
        var supplies: [SimulatedPrinterDescription.Supply] = []
        for (index, value) in (try elements("supplies", "a list of supplies", isOptional: true) ?? []).enumerated() {
            let reader = try DescriptionReader(
                value, file: file, path: "supplies[\(index)]",
                keys: ["name", "color", "type", "level", "yield", "whenEmpty"])
            let name = try reader.string("name")
            guard !supplies.contains(where: { $0.name == name }) else {
                throw reader.wrong("name", "a name that no other supply has")
            }
            supplies.append(
                .init(
                    name: name, color: try reader.string("color"),
                    type: try reader.choice(
                        "type",
                        of: ["toner": "toner", "ink": "ink", "ink-cartridge": "ink-cartridge", "ribbon": "ribbon"],
                        or: "toner"),
                    level: try reader.number("level", in: 0...100, or: 100),
                    yield: try reader.integer("yield", in: 1...10_000_000),
                    stopsWhenEmpty: try reader.choice(
                        "whenEmpty", of: ["replace": false, "stop": true], or: false)))
        }
        return supplies
    }

    func resolutions() throws(SimulatorError) -> [Int] {
        let allowed = "a list of dots per inch, each from 50 to 9600"
        var resolutions: [Int] = []
        for value in try elements("resolutions", allowed, isOptional: true) ?? [300] {
            guard case .integer(let dpi) = value, (50...9_600).contains(dpi) else {
                throw wrong("resolutions", allowed, but: value)
            }
            resolutions.append(dpi)
        }
        return resolutions
    }

    func speed() throws(SimulatorError) -> PrintSpeed {
        guard let value = self["speed"] else { return .instant }
        let text: String
        switch value {
        case .string(let word): text = word
        case .integer, .number: text = value.description
        default: text = ""
        }
        guard let speed = PrintSpeed(text) else {
            throw wrong("speed", "\"instant\" or a factor from 0.01 to 10000 such as \"×10\"")
        }
        return speed
    }

    // MARK: - Values

    private func isOrMissing(_ key: String, _ word: String) -> Bool { self[key] == nil || self[key] == .string(word) }

    private func media(_ key: String) throws(SimulatorError) -> Media {
        guard case .string(let text)? = self[key], let media = Media(named: text) else {
            throw wrong(key, Self.sizeText)
        }
        return media
    }

    /// Reads margins in millimeters: one number for all edges, or an object with one number per edge.
    private func margins(_ key: String, or other: Margins) throws(SimulatorError) -> Margins {
        guard let value = self[key] else { return other }
        let range = 0.0...100.0
        if let all = value.asNumber {
            guard range.contains(all) else { throw wrong(key, "millimeters from 0 to 100") }
            return .all(.millimeters(all))
        }
        let edges = try DescriptionReader(
            value, file: file, path: place(key), keys: ["top", "left", "bottom", "right"])
        return Margins(
            top: .millimeters(try edges.number("top", in: range, or: other.top.millimeters)),
            left: .millimeters(try edges.number("left", in: range, or: other.left.millimeters)),
            bottom: .millimeters(try edges.number("bottom", in: range, or: other.bottom.millimeters)),
            right: .millimeters(try edges.number("right", in: range, or: other.right.millimeters)))
    }

    private func range(_ key: String) throws(SimulatorError) -> ClosedRange<Int> {
        guard case .array(let bounds)? = self[key], bounds.count == 2, let low = bounds[0].asNumber,
            let high = bounds[1].asNumber, (1...10_000).contains(low), (low...10_000).contains(high)
        else { throw wrong(key, "two lengths in millimeters, the smaller first, such as [76, 216]") }
        return Length.millimeters(low).hundredths...Length.millimeters(high).hundredths
    }
}

extension Margins {
    fileprivate func leavesRoom(on media: Media) -> Bool {
        left + right < media.width && top + bottom < media.height
    }
}
