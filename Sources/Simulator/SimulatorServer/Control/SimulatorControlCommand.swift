// What a person at a simulated printer can do, as words.

package import PrintModel
package import PrinterSimulator

/// Something done to a simulated printer by hand: a fault planned or cleared, paper loaded, a supply replaced, power.
///
///     try SimulatorControlCommand(["fault", "media-jam at page 3"])
///     try SimulatorControlCommand(["load", "tray-1", "50", "A4"])
///     try SimulatorControlCommand(["power", "off"])
package enum SimulatorControlCommand: Hashable, Sendable {
    /// Has a fault come.
    case fault(Fault)
    /// Ends faults of that name, or all.
    case clear(String)
    /// Puts paper into a tray.
    case load(tray: String, paper: LoadedPaper)
    /// Puts in a full supply.
    case replace(String)
    /// Sets how full a supply is, in per cent.
    case level(String, Double)
    /// Switches the printer on or off.
    case power(isOn: Bool)
    /// Switches the printer off and on.
    case powerCycle
    /// Does nothing; the answer tells how the printer is.
    case status

    /// What is put into a tray.
    package struct LoadedPaper: Hashable, Sendable {
        /// How many sheets, or millimetres of a roll; nil for as many as it takes.
        package var sheets: Int?
        /// Their size, of a roll its width; nil leaves it.
        package var media: Media?
        /// Their type; nil leaves it.
        package var type: String?
        /// Whether the tray has whatever size a job asks for from then on.
        package var isAnySize = false
        /// Whether it never runs empty from then on.
        package var isEndless = false
    }

    /// Reads a command.
    ///
    /// - Throws: `badFault`, with what may stand there.
    package init(_ words: [String]) throws(SimulatorError) {
        let rest = Array(words.dropFirst())
        switch (words.first ?? "", rest.count) {
        case ("fault", 1...): self = .fault(try Fault(rest.joined(separator: " ")))
        case ("clear", 0): self = .clear("all")
        case ("clear", 1): self = .clear(rest[0])
        case ("load", 1...5): self = try Self.load(rest)
        case ("replace", 1...): self = .replace(rest.joined(separator: " "))
        case ("level", 2...):
            guard let level = Double(rest[rest.count - 1]), (0...100).contains(level) else {
                throw SimulatorError(.badFault, "'level SUPPLY N' takes per cent from 0 to 100")
            }
            self = .level(rest.dropLast().joined(separator: " "), level)
        case ("power", 1) where rest[0] == "on": self = .power(isOn: true)
        case ("power", 1) where rest[0] == "off": self = .power(isOn: false)
        case ("power", 1) where rest[0] == "cycle": self = .powerCycle
        case ("status", 0): self = .status
        default:
            throw SimulatorError(
                .badFault,
                "'\(words.joined(separator: " "))' cannot be done to a printer; there are fault WHAT, clear [NAME], "
                    + "load TRAY [SHEETS|endless] [SIZE|any] [TYPE], replace SUPPLY, level SUPPLY N, power on|off|cycle, status"
            )
        }
    }

    private static func load(_ words: [String]) throws(SimulatorError) -> SimulatorControlCommand {
        var paper = LoadedPaper()
        for word in words.dropFirst() {
            if let count = Int(word), count >= 0 {
                try refuse(word, after: paper.sheets.map { "\($0)" }, "number of sheets")
                paper.sheets = count
            } else if word == "any" {
                paper.isAnySize = true
            } else if word == "endless" {
                paper.isEndless = true
            } else if let size = Media(named: word) ?? width(word) {
                try refuse(word, after: paper.media?.localizedName, "size")
                paper.media = size
            } else if word.allSatisfy({ $0.isASCII && ($0.isLowercase || $0 == "-") }) {
                try refuse(word, after: paper.type, "type")
                paper.type = word
            } else {
                throw SimulatorError(
                    .badFault,
                    "'\(word)' is neither a number of sheets or 'endless', nor a size such as A4 or 'any', nor a roll's "
                        + "width such as 62mm, nor a type such as stationery")
            }
        }
        guard !paper.isEndless || paper.sheets == nil else {
            throw SimulatorError(.badFault, "a tray holds a number of sheets or is endless, not both")
        }
        guard !paper.isAnySize || paper.media == nil else {
            throw SimulatorError(.badFault, "a tray holds a size or any, not both")
        }
        return .load(tray: words[0], paper: paper)
    }

    /// Refuses what has been said before.
    private static func refuse(_ word: String, after before: String?, _ what: String) throws(SimulatorError) {
        guard let before else { return }
        throw SimulatorError(.badFault, "a tray holds one \(what), not both \(before) and \(word)")
    }

    /// Reads how wide a roll is: `62mm`, `4in`.
    private static func width(_ word: String) -> Media? {
        guard let number = Double(word.dropLast(2)), (1...5_000).contains(number) else { return nil }
        let width: Length
        switch word.suffix(2) {
        case "mm": width = .millimeters(number)
        case "in": width = .inches(number)
        default: return nil
        }
        return .custom(width: width, height: width)
    }

    /// Ends faults of that name; with `all` there need not be any.
    private static func clear(_ name: String, at printer: SimulatedPrinter) async throws(SimulatorError) {
        let names = await printer.clearableNames
        guard await !printer.clear(name), name != "all" else { return }
        throw SimulatorError(
            .noSuchPart,
            "printer '\(printer.description.name)' has no fault '\(name)'; "
                + (names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"))
    }

    /// Does it.
    ///
    /// - Throws: `noSuchPart`, `notPossible`.
    package func apply(to printer: SimulatedPrinter) async throws(SimulatorError) {
        switch self {
        case .fault(let fault): await printer.plan(fault)
        case .clear(let name): try await Self.clear(name, at: printer)
        case .load(let tray, let paper):
            try await printer.load(
                tray: tray, sheets: paper.sheets, media: paper.media, type: paper.type, isAnySize: paper.isAnySize,
                isEndless: paper.isEndless)
        case .replace(let supply): try await printer.replace(supply: supply)
        case .level(let supply, let level): try await printer.set(supply: supply, level: level)
        case .power(let isOn): if isOn { await printer.switchOn() } else { await printer.switchOff() }
        case .powerCycle:
            await printer.switchOff()
            await printer.untilResting()
            await printer.switchOn()
        case .status: break
        }
    }
}
