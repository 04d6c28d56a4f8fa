// The paper and supplies in a printer, and their consumption.

import PrintModel

/// The paper, the supplies and the page counters of a printer.
///
/// This type uses no clock and no disk. The printer that owns the value reports the consumption and stores the value.
struct Consumables: Hashable, Sendable, Codable {
    /// The amount of paper in each tray that can run empty, by the tray's name: sheets, or millimeters of a roll.
    private(set) var sheets: [String: Int] = [:]
    /// The size that was loaded into a tray, by the tray's name.
    ///
    /// For a roll, only the width is used.
    ///
    /// A tray without a sensor does not detect this size.
    private(set) var loadedMedia: [String: Media] = [:]
    /// The type of the paper that was loaded into a tray, by the tray's name; nil if no type was ever loaded.
    private(set) var loadedTypes: [String: String]?
    /// The names of trays that never run empty according to the printer file, but now can run empty.
    ///
    /// The name of a tray is added when a command loads a number of sheets into the tray. The value is nil if no such
    /// tray exists.
    private(set) var counted: Set<String>?
    /// The names of trays that were set to never run empty; nil if no such tray exists.
    private(set) var endless: Set<String>?
    /// The names of trays that were set to supply every size; nil if no such tray exists.
    private(set) var anySized: Set<String>?
    /// The wrong paper sizes that faults have put into trays, by the tray's name.
    ///
    /// These sizes are not stored.
    var wrongMedia: [String: Media] = [:]
    /// The level of each supply in percent, by the supply's name.
    private(set) var levels: [String: Double] = [:]
    private(set) var impressionsPrinted = 0
    private(set) var sheetsPrinted = 0

    private enum CodingKeys: String, CodingKey {
        case sheets, loadedMedia, loadedTypes, counted, endless, anySized, levels, impressionsPrinted, sheetsPrinted
    }

    init() {}

    /// Adds the trays and supplies that are new in the description, and removes the trays and supplies that the
    /// description no longer contains.
    mutating func fit(_ printer: SimulatedPrinterDescription) {
        let names = Set(printer.trays.map(\.name))
        counted = counted?.intersection(names)
        endless = endless?.intersection(names)
        anySized = anySized?.intersection(names)
        let trays = printer.trays.compactMap { tray -> (String, Int)? in
            guard !isEndless(tray), let first = tray.loaded ?? (isCounted(tray) ? tray.capacity : nil) else {
                return nil
            }
            return (tray.name, min(max(0, sheets[tray.name] ?? first), tray.capacity))
        }
        sheets = Dictionary(trays, uniquingKeysWith: { first, _ in first })
        loadedMedia = loadedMedia.filter { names.contains($0.key) }
        loadedTypes = loadedTypes?.filter { names.contains($0.key) }
        levels = Dictionary(
            printer.supplies.map { ($0.name, min(max(0, levels[$0.name] ?? $0.level), 100)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// Returns a tray with the contents that the printer has detected or assumes.
    func tray(_ tray: SimulatedPrinterDescription.Tray) -> SimulatedPrinterDescription.Tray {
        self.tray(tray, with: tray.hasSensor ? wrongMedia[tray.name] ?? loadedMedia[tray.name] : nil)
    }

    func opened(_ tray: SimulatedPrinterDescription.Tray) -> SimulatedPrinterDescription.Tray {
        self.tray(tray, with: wrongMedia[tray.name] ?? loadedMedia[tray.name])
    }

    private func tray(
        _ tray: SimulatedPrinterDescription.Tray, with media: Media?
    ) -> SimulatedPrinterDescription.Tray {
        var now = tray
        now.loaded = sheets[tray.name]
        now.type = loadedTypes?[tray.name] ?? tray.type
        if anySized?.contains(tray.name) == true { now.media = nil }
        guard let media else { return now }
        if tray.rollWidth != nil { now.rollWidth = media.width } else { now.media = media }
        return now
    }

    private func isCounted(_ tray: SimulatedPrinterDescription.Tray) -> Bool { counted?.contains(tray.name) ?? false }

    private func isEndless(_ tray: SimulatedPrinterDescription.Tray) -> Bool { endless?.contains(tray.name) ?? false }

    /// Returns the tray that supplies a sheet, according to the contents that the printer assumes; nil if no tray has
    /// the paper.
    func feedingTray(
        for paper: PrintPaper, from source: String? = nil, at printer: SimulatedPrinterDescription
    ) -> SimulatedPrinterDescription.Tray? {
        trays(with: paper, source, of: printer).first { $0.suffices(for: paper) }
    }

    /// Returns the tray and the actual size of the next sheet if this size differs from the size of the requested
    /// paper.
    ///
    /// Returns nil if the sizes are equal, or if no tray has the paper.
    func mismatchedSheet(
        for paper: PrintPaper, from source: String? = nil, at printer: SimulatedPrinterDescription
    ) -> (tray: String, media: Media)? {
        guard let fed = feedingTray(for: paper, from: source, at: printer),
            let tray = printer.trays.first(where: { $0.name == fed.name }).map(opened)
        else { return nil }
        if let width = tray.rollWidth {
            let media = Media.of(width: width, height: paper.media.height)
            return media.hasSameSize(as: paper.media) ? nil : (tray.name, media)
        }
        guard let media = tray.media, !media.hasSameSize(as: paper.media) else { return nil }
        return (tray.name, media)
    }

    /// Returns the condition that prevents printing on a new sheet; nil if printing is possible.
    ///
    /// - Parameter source: The only tray to use; nil for any tray.
    func currentStop(
        to paper: PrintPaper, from source: String? = nil, isColor: Bool, at printer: SimulatedPrinterDescription
    ) -> StopCondition? {
        let fitting = trays(with: paper, source, of: printer)
        guard let first = fitting.first else {
            return .mediaNeeded(paper, wrong: wrongTray(for: paper, source, of: printer))
        }
        guard fitting.contains(where: { $0.suffices(for: paper) }) else { return .mediaEmpty(tray: first.name) }
        for supply in printer.supplies where supply.stopsWhenEmpty && supply.isUsed(inColor: isColor) {
            if let level = levels[supply.name], level <= 0 {
                return .supplyEmpty(supply.name, isToner: supply.type == "toner")
            }
        }
        return nil
    }

    /// Returns the tray that should contain the given paper, and the wrong size of the sheets that a fault has put into
    /// this tray.
    ///
    /// Returns nil if no fault has put wrong sheets into a tray for this paper.
    private func wrongTray(
        for paper: PrintPaper, _ source: String?, of printer: SimulatedPrinterDescription
    ) -> (tray: String, media: Media)? {
        var cleared = self
        cleared.wrongMedia = [:]
        return cleared.trays(with: paper, source, of: printer).lazy.compactMap { tray in
            wrongMedia[tray.name].map { (tray.name, $0) }
        }.first
    }

    /// Returns the trays that can supply a sheet, according to the contents that the printer assumes.
    func trays(
        with paper: PrintPaper, _ source: String?, of printer: SimulatedPrinterDescription
    ) -> [SimulatedPrinterDescription.Tray] {
        printer.trays.map(tray).filter { $0.holds(paper) && (source == nil || source == $0.name) }
    }

    /// Returns the `printer-state-reasons` for supplies that have at most 10 percent left and stop the printer when
    /// empty.
    func lowSupplies(of printer: SimulatedPrinterDescription) -> [String] {
        let low = printer.supplies.filter { $0.stopsWhenEmpty && (0.001...10).contains(levels[$0.name] ?? $0.level) }
        return Set(low.map { $0.type == "toner" ? "toner-low-warning" : "marker-supply-low-warning" }).sorted()
    }

    /// Removes a sheet from the first tray that has the paper, or from the tray `source`.
    mutating func drawSheet(
        of paper: PrintPaper, from source: String? = nil, at printer: SimulatedPrinterDescription
    ) {
        let fitting = trays(with: paper, source, of: printer).filter { $0.suffices(for: paper) }
        if let tray = fitting.first, let loaded = tray.loaded { sheets[tray.name] = loaded - tray.need(of: paper) }
    }

    func isFromRoll(
        _ paper: PrintPaper, from source: String? = nil, at printer: SimulatedPrinterDescription
    ) -> Bool {
        feedingTray(for: paper, from: source, at: printer)?.rollWidth != nil
    }

    /// A supply with automatic replacement is replaced with a full supply when the supply runs out.
    mutating func printSide(isColor: Bool, at printer: SimulatedPrinterDescription) {
        impressionsPrinted += 1
        for supply in printer.supplies where supply.isUsed(inColor: isColor) {
            let left = (levels[supply.name] ?? supply.level) - 100 / Double(supply.yield)
            levels[supply.name] = left > 1e-9 ? left : (supply.stopsWhenEmpty ? 0 : 100)
        }
    }

    mutating func countSheet() { sheetsPrinted += 1 }

    /// If `count` is not nil, the tray can run empty from now on.
    mutating func load(_ tray: SimulatedPrinterDescription.Tray, sheets count: Int?, media: Media?, type: String?) {
        if let left = endless?.subtracting([tray.name]) { endless = left.isEmpty ? nil : left }
        if media != nil, let left = anySized?.subtracting([tray.name]) { anySized = left.isEmpty ? nil : left }
        if count != nil, tray.loaded == nil { counted = (counted ?? []).union([tray.name]) }
        if tray.loaded != nil || isCounted(tray) {
            sheets[tray.name] = min(max(0, count ?? tray.capacity), tray.capacity)
        }
        if let media { loadedMedia[tray.name] = media }
        if let type { loadedTypes = (loadedTypes ?? [:]).merging([tray.name: type]) { $1 } }
    }

    mutating func makeEndless(_ tray: SimulatedPrinterDescription.Tray) {
        endless = (endless ?? []).union([tray.name])
        sheets[tray.name] = nil
    }

    /// Sets a tray to supply every size, with the type from the printer file.
    mutating func makeAnySized(_ tray: SimulatedPrinterDescription.Tray) {
        anySized = (anySized ?? []).union([tray.name])
        loadedMedia[tray.name] = nil
        loadedTypes?[tray.name] = nil
    }

    mutating func replace(_ supply: SimulatedPrinterDescription.Supply) { set(supply, level: 100) }

    mutating func set(_ supply: SimulatedPrinterDescription.Supply, level: Double) {
        levels[supply.name] = min(max(0, level), 100)
    }
}

extension SimulatedPrinterDescription.Supply {
    /// - Parameter inColor: Whether the side is printed in color. If false, the side is printed in black.
    func isUsed(inColor: Bool) -> Bool { inColor || color == "black" }
}
