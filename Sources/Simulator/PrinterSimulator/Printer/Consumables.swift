// The paper and ink in a printer, and how they go down.

import PrintModel

/// How much paper and ink a printer has, and how much it has printed in its life.
///
/// No clock, no disk: it is asked, told what was used, and stored by whoever owns it.
struct Consumables: Hashable, Sendable, Codable {
    /// The sheets in each tray that can run empty, by its name.
    private(set) var sheets: [String: Int] = [:]
    /// The size that was loaded into a tray, by its name; of a roll, its width counts.
    ///
    /// Without a sensor the printer does not know it.
    private(set) var loadedMedia: [String: Media] = [:]
    /// The type of paper that was loaded into a tray, by its name; nil when none ever was.
    private(set) var loadedTypes: [String: String]?
    /// The trays into which so many sheets were loaded that never run empty by themselves; nil when there are none.
    private(set) var counted: Set<String>?
    /// The trays that were made to never run empty; nil when there are none.
    private(set) var endless: Set<String>?
    /// The trays that were made to have whatever size a job asks for; nil when there are none.
    private(set) var anySized: Set<String>?
    /// What a fault has put into trays instead of what was there, by their names; it is not remembered.
    var wrongMedia: [String: Media] = [:]
    /// How full each supply is, in per cent, by its name.
    private(set) var levels: [String: Double] = [:]
    /// The sides printed in its life.
    private(set) var impressionsPrinted = 0
    /// The sheets put out in its life.
    private(set) var sheetsPrinted = 0

    private enum CodingKeys: String, CodingKey {
        case sheets, loadedMedia, loadedTypes, counted, endless, anySized, levels, impressionsPrinted, sheetsPrinted
    }

    /// A new printer's stock.
    init() {}

    /// Takes from a description what is not known yet, and forgets what is no longer there.
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

    /// A tray as the printer believes it is now loaded.
    func tray(_ tray: SimulatedPrinterDescription.Tray) -> SimulatedPrinterDescription.Tray {
        self.tray(tray, with: tray.hasSensor ? wrongMedia[tray.name] ?? loadedMedia[tray.name] : nil)
    }

    /// A tray as whoever opens it sees it.
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

    /// The tray that such a sheet comes from, as the printer believes it is loaded; nil when none has one.
    func feedingTray(
        for paper: PrintPaper, from source: String? = nil, at printer: SimulatedPrinterDescription
    ) -> SimulatedPrinterDescription.Tray? {
        trays(with: paper, source, of: printer).first { $0.suffices(for: paper) }
    }

    /// The size of what is really fed for a paper, and from which tray; nil when that is the paper's size.
    func strangeSheet(
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

    /// What keeps the printer from printing on a new sheet of this paper; nil when nothing does.
    ///
    /// - Parameter source: the only tray that it may come from; nil for any.
    func obstacle(
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

    /// A tray that would have the paper, had nothing wrong been put into it.
    private func wrongTray(
        for paper: PrintPaper, _ source: String?, of printer: SimulatedPrinterDescription
    ) -> (tray: String, media: Media)? {
        var mended = self
        mended.wrongMedia = [:]
        return mended.trays(with: paper, source, of: printer).lazy.compactMap { tray in
            wrongMedia[tray.name].map { (tray.name, $0) }
        }.first
    }

    /// The trays that such a sheet can come from, as the printer believes they are loaded.
    func trays(
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
        feedingTray(for: paper, from: source, at: printer)?.rollWidth != nil
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
        if let left = endless?.subtracting([tray.name]) { endless = left.isEmpty ? nil : left }
        if media != nil, let left = anySized?.subtracting([tray.name]) { anySized = left.isEmpty ? nil : left }
        if count != nil, tray.loaded == nil { counted = (counted ?? []).union([tray.name]) }
        if tray.loaded != nil || isCounted(tray) {
            sheets[tray.name] = min(max(0, count ?? tray.capacity), tray.capacity)
        }
        if let media { loadedMedia[tray.name] = media }
        if let type { loadedTypes = (loadedTypes ?? [:]).merging([tray.name: type]) { $1 } }
    }

    /// Has a tray never run empty.
    mutating func makeEndless(_ tray: SimulatedPrinterDescription.Tray) {
        endless = (endless ?? []).union([tray.name])
        sheets[tray.name] = nil
    }

    /// Has a tray always hold the size that a job asks for, of the type that its printer's file says.
    mutating func makeAnySized(_ tray: SimulatedPrinterDescription.Tray) {
        anySized = (anySized ?? []).union([tray.name])
        loadedMedia[tray.name] = nil
        loadedTypes?[tray.name] = nil
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
