// The paper and ink in a printer, and how they go down.

import PrintModel

/// How much paper and ink a printer has, and how much it has printed in its life.
///
/// No clock, no disk: it is asked, told what was used, and stored by whoever owns it.
struct Stock: Hashable, Sendable, Codable {
    /// The sheets in each tray that can run empty, by its name.
    private(set) var sheets: [String: Int] = [:]
    /// The size that was loaded into a tray, by its name; of a roll, its width counts.
    private(set) var loadedMedia: [String: Media] = [:]
    /// The type of paper that was loaded into a tray, by its name; nil when none ever was.
    private(set) var loadedTypes: [String: String]?
    /// The trays into which so many sheets were loaded that never run empty by themselves; nil when there are none.
    private(set) var counted: Set<String>?
    /// How full each supply is, in per cent, by its name.
    private(set) var levels: [String: Double] = [:]
    /// The sides printed in its life.
    private(set) var impressionsPrinted = 0
    /// The sheets put out in its life.
    private(set) var sheetsPrinted = 0

    /// A new printer's stock.
    init() {}

    /// Takes from a description what is not known yet, and forgets what is no longer there.
    mutating func fit(_ printer: SimulatedPrinterDescription) {
        let names = Set(printer.trays.map(\.name))
        counted = counted?.intersection(names)
        let trays = printer.trays.compactMap { tray -> (String, Int)? in
            guard let first = tray.loaded ?? (isCounted(tray) ? tray.capacity : nil) else { return nil }
            return (tray.name, min(max(0, sheets[tray.name] ?? first), tray.capacity))
        }
        sheets = Dictionary(trays, uniquingKeysWith: { first, _ in first })
        loadedMedia = loadedMedia.filter { names.contains($0.key) }
        loadedTypes = loadedTypes?.filter { names.contains($0.key) }
        levels = Dictionary(
            printer.supplies.map { ($0.name, min(max(0, levels[$0.name] ?? $0.level), 100)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// A tray as it is now loaded.
    func tray(_ tray: SimulatedPrinterDescription.Tray) -> SimulatedPrinterDescription.Tray {
        var now = tray
        now.loaded = sheets[tray.name]
        now.type = loadedTypes?[tray.name] ?? tray.type
        guard let media = loadedMedia[tray.name] else { return now }
        if tray.rollWidth != nil { now.rollWidth = media.width } else { now.media = media }
        return now
    }

    private func isCounted(_ tray: SimulatedPrinterDescription.Tray) -> Bool { counted?.contains(tray.name) ?? false }

    /// What keeps the printer from printing on a new sheet of this paper; nil when nothing does.
    ///
    /// - Parameter source: the only tray that it may come from; nil for any.
    func obstacle(
        to paper: PrintPaper, from source: String? = nil, isColor: Bool, at printer: SimulatedPrinterDescription
    ) -> StopCondition? {
        let fitting = trays(with: paper, source, of: printer)
        guard let first = fitting.first else { return .mediaNeeded(paper) }
        guard fitting.contains(where: { $0.suffices(for: paper) }) else { return .mediaEmpty(tray: first.name) }
        for supply in printer.supplies where supply.stopsWhenEmpty && supply.isUsed(inColor: isColor) {
            if let level = levels[supply.name], level <= 0 {
                return .supplyEmpty(supply.name, isToner: supply.type == "toner")
            }
        }
        return nil
    }

    private func trays(
        with paper: PrintPaper, _ source: String?, of printer: SimulatedPrinterDescription
    ) -> [SimulatedPrinterDescription.Tray] {
        printer.trays.map(tray).filter { $0.holds(paper) && (source == nil || source == $0.name) }
    }

    /// The `printer-state-reasons` of supplies that will soon stop the printer (a tenth or less is left).
    func lowSupplies(of printer: SimulatedPrinterDescription) -> [String] {
        let low = printer.supplies.filter { $0.stopsWhenEmpty && (0.001...10).contains(levels[$0.name] ?? $0.level) }
        return Set(low.map { $0.type == "toner" ? "toner-low-warning" : "marker-supply-low-warning" }).sorted()
    }

    /// Draws a sheet from the first tray that has the paper, or from `source`.
    mutating func drawSheet(
        of paper: PrintPaper, from source: String? = nil, at printer: SimulatedPrinterDescription
    ) {
        let fitting = trays(with: paper, source, of: printer).filter { $0.suffices(for: paper) }
        if let tray = fitting.first, let loaded = tray.loaded { sheets[tray.name] = loaded - tray.need(of: paper) }
    }

    /// Whether such a sheet comes from a roll.
    func isFromRoll(
        _ paper: PrintPaper, from source: String? = nil, at printer: SimulatedPrinterDescription
    ) -> Bool {
        trays(with: paper, source, of: printer).first { $0.suffices(for: paper) }?.rollWidth != nil
    }

    /// Prints one side; supplies that are replaced by themselves are full again when they run out.
    mutating func printSide(isColor: Bool, at printer: SimulatedPrinterDescription) {
        impressionsPrinted += 1
        for supply in printer.supplies where supply.isUsed(inColor: isColor) {
            let left = (levels[supply.name] ?? supply.level) - 100 / Double(supply.yield)
            levels[supply.name] = left > 1e-9 ? left : (supply.stopsWhenEmpty ? 0 : 100)
        }
    }

    /// Puts out a sheet.
    mutating func putOutSheet() { sheetsPrinted += 1 }

    /// Fills a tray; one that never runs empty does from now on, if a number is said.
    mutating func load(_ tray: SimulatedPrinterDescription.Tray, sheets count: Int?, media: Media?, type: String?) {
        if count != nil, tray.loaded == nil { counted = (counted ?? []).union([tray.name]) }
        if tray.loaded != nil || isCounted(tray) {
            sheets[tray.name] = min(max(0, count ?? tray.capacity), tray.capacity)
        }
        if let media { loadedMedia[tray.name] = media }
        if let type { loadedTypes = (loadedTypes ?? [:]).merging([tray.name: type]) { $1 } }
    }

    /// Puts in a full supply.
    mutating func replace(_ supply: SimulatedPrinterDescription.Supply) { set(supply, level: 100) }

    /// Sets how full a supply is, in per cent.
    mutating func set(_ supply: SimulatedPrinterDescription.Supply, level: Double) {
        levels[supply.name] = min(max(0, level), 100)
    }
}

extension SimulatedPrinterDescription.Supply {
    /// Whether a side in colour, or in black only, takes some of it.
    func isUsed(inColor: Bool) -> Bool { inColor || color == "black" }
}
