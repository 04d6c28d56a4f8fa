// Reads a printer's description from a JSON5 file.

package import FoundationEssentials
import PrintModel

extension SimulatedPrinterDescription: Decodable {
    /// - Throws: `badDescription`, with the file, the key and the allowed values.
    package init(path: String) throws(SimulatorError) {
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw SimulatorError(
                .badDescription, "cannot read the printer file '\(path)'; check that the file exists", cause: error)
        }
        try self.init(json5: data, file: path)
    }

    /// Error messages contain the file name `file`.
    package init(json5 data: Data, file: String) throws(SimulatorError) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let value: JSONValue
        do {
            value = try decoder.decode(JSONValue.self, from: data)
        } catch {
            throw SimulatorError(
                .badDescription,
                "\(file) is not valid JSON5; look for a missing comma, quote or bracket", cause: error)
        }
        try self.init(value, file: file)
    }

    package init(from decoder: any Decoder) throws {
        try self.init(JSONValue(from: decoder), file: "the printer's description")
    }

    private static let keys = [
        "name", "info", "makeAndModel", "location", "kind", "media", "margins", "mediaTypes", "defaultMedia",
        "customMedia", "trays", "sides", "color", "qualities", "resolutions", "previewResolution", "formats",
        "rasterTypes", "sheetBack", "pagesPerMinute", "speed", "supplies", "outputBins", "maxCopies", "collates",
        "faults", "cutter", "overlay",
    ]

    private init(_ value: JSONValue, file: String) throws(SimulatorError) {
        let reader = try DescriptionReader(value, file: file, keys: Self.keys)
        name = try reader.string("name")
        guard ConfiguredPrinter.isValidName(name) else {
            throw reader.wrong("name", "1 to 127 letters, digits, '-', '_' and '.', beginning with a letter or digit")
        }
        info = try reader.string("info", or: name)
        makeAndModel = try reader.string("makeAndModel")
        location = try reader.string("location", or: "")
        kinds = try reader.words("kind", "one or more of \(Self.list(Self.knownKinds))", or: ["document"]) {
            Self.knownKinds.contains($0) ? $0 : nil
        }
        let papers = try reader.papers()
        self.papers = papers
        defaultMedia = papers[0].media
        if reader.has("defaultMedia") {
            let sizes = Self.list(Self.unique(papers.map(\.media.localizedName)))
            guard case .string(let text)? = reader["defaultMedia"], let media = Media(named: text),
                let paper = papers.first(where: { $0.media.hasSameSize(as: media) })
            else { throw reader.wrong("defaultMedia", "one of the printer's media (\(sizes))") }
            defaultMedia = paper.media
        }
        customMedia = try reader.customMedia()
        trays = try reader.trays()
        sides = try reader.words("sides", "a list of \(Self.list(Duplex.allCases.map(\.rawValue)))", or: [.none]) {
            Duplex(rawValue: $0)
        }
        isColor = try reader.bool("color", or: false)
        qualities = try reader.words("qualities", "a list of draft, normal, high", or: [.normal]) {
            ["draft": .draft, "normal": .normal, "high": .high][$0]
        }
        resolutions = try reader.resolutions()
        previewResolution = try reader.integer("previewResolution", in: 20...600, or: 100)
        formats = try reader.words("formats", "a list of \(Self.list(Self.knownFormats.map(\.rawValue)))", or: [.pdf]) {
            let format = DocumentFormat(rawValue: $0)
            return Self.knownFormats.contains(format) ? format : nil
        }
        let allowed = "a list of \(Self.list(Self.knownRasterTypes))"
        let usual = isColor ? ["black_1", "sgray_8", "srgb_8", "cmyk_8"] : ["black_1", "sgray_8"]
        rasterTypes = try reader.words("rasterTypes", allowed, or: usual) {
            Self.knownRasterTypes.contains($0) ? $0 : nil
        }
        sheetBack = try reader.choice(
            "sheetBack",
            of: ["normal": .normal, "flipped": .flipped, "rotated": .rotated, "manual-tumble": .manualTumble],
            or: .normal)
        pagesPerMinute = try reader.integer("pagesPerMinute", in: 1...10_000, or: 20)
        speed = try reader.speed()
        supplies = try reader.supplies()
        (outputBins, faceUpBins, lastFirstBins) = try reader.outputBins()
        overlay = try reader.bool("overlay", or: false)
        maxCopies = try reader.integer("maxCopies", in: 1...9_999, or: 99)
        collates = try reader.bool("collates", or: true)
        hasCutter = try reader.bool("cutter", or: false)
        guard !hasCutter || trays.contains(where: { $0.rollWidth != nil }) else {
            throw reader.wrong("cutter", "false, because no tray holds a roll")
        }
        faults = []
        for text in try reader.words("faults", "a list of faults such as 'media-jam at page 3'", or: [], make: { $0 }) {
            do throws(SimulatorError) {
                faults.append(try Fault(text))
            } catch {
                throw SimulatorError(.badDescription, "\(file): \(error.message)")
            }
        }
    }

    private static let knownKinds = [
        "document", "envelope", "label", "large-format", "photo", "postcard", "receipt", "roll",
    ]

    private static func list(_ words: [String]) -> String { words.joined(separator: ", ") }

    private static func unique(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }
}
