// Parses and applies the control commands of a simulated printer.

package import PrintModel
package import PrinterSimulator

/// A command that controls a simulated printer: inject or clear a fault, load paper, replace a supply, switch the
/// power.
///
///     try SimulatorControlCommand(["fault", "media-jam at page 3"])
///     try SimulatorControlCommand(["load", "tray-1", "50", "A4"])
///     try SimulatorControlCommand(["power", "off"])
package enum SimulatorControlCommand: Hashable, Sendable {
    case fault(Fault)
    case clear(String)
    case load(tray: String, paper: LoadedPaper)
    case replace(String)
    /// A command that sets the level of a supply, in percent.
    case level(String, Double)
    case power(isOn: Bool)
    case powerCycle
    /// A command that deletes an ended job, or all ended jobs if the number is nil.
    case delete(Int?)
    case status

    package struct LoadedPaper: Hashable, Sendable {
        /// The number of sheets, or the length of a roll in millimeters; if nil, the tray is filled.
        package var sheets: Int?
        /// The size of the paper, or the width of a roll; nil keeps the size.
        package var media: Media?
        /// The type of the paper; nil keeps the type.
        package var type: String?
        package var isAnySize = false
        /// Whether the tray never becomes empty.
        package var isEndless = false
    }

    /// - Throws: `badFault`, with the valid syntax.
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
                throw SimulatorError(.badFault, "invalid level; 'level SUPPLY N' requires a percentage from 0 to 100")
            }
            self = .level(rest.dropLast().joined(separator: " "), level)
        case ("power", 1) where rest[0] == "on": self = .power(isOn: true)
        case ("power", 1) where rest[0] == "off": self = .power(isOn: false)
        case ("power", 1) where rest[0] == "cycle": self = .powerCycle
        case ("delete", 1) where rest[0] == "all": self = .delete(nil)
        case ("delete", 1) where Int(rest[0]) != nil: self = .delete(Int(rest[0]))
        case ("status", 0): self = .status
        default:
            throw SimulatorError(
                .badFault,
                "unknown command '\(words.joined(separator: " "))'; use fault WHAT, clear [NAME], "
                    + "load TRAY [SHEETS|endless] [SIZE|any] [TYPE], replace SUPPLY, level SUPPLY N, power on|off|cycle, "
                    + "delete JOB|all, status"
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
                    "invalid paper '\(word)'; expected a number of sheets, 'endless', a size such as A4, 'any', a roll "
                        + "width such as 62mm, or a type such as stationery")
            }
        }
        guard !paper.isEndless || paper.sheets == nil else {
            throw SimulatorError(.badFault, "give either a number of sheets or 'endless', not both")
        }
        guard !paper.isAnySize || paper.media == nil else {
            throw SimulatorError(.badFault, "give either a size or 'any', not both")
        }
        return .load(tray: words[0], paper: paper)
    }

    /// Throws an error if a part of the command occurs twice.
    private static func refuse(_ word: String, after before: String?, _ what: String) throws(SimulatorError) {
        guard let before else { return }
        throw SimulatorError(.badFault, "give one \(what), not both \(before) and \(word)")
    }

    /// Parses the width of a roll, such as `62mm` or `4in`.
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

    /// Clears the faults that have the given name.
    ///
    /// If the name is `all`, the function clears all faults, and succeeds even if the printer has no faults.
    private static func clear(_ name: String, at printer: SimulatedPrinter) async throws(SimulatorError) {
        let names = await printer.clearableNames
        guard await !printer.clear(name), name != "all" else { return }
        throw SimulatorError(
            .noSuchPart,
            "printer '\(printer.description.name)' has no fault '\(name)'; "
                + (names.isEmpty ? "no faults are set" : "current faults: \(names.joined(separator: ", "))"))
    }

    /// Applies the command to a printer.
    ///
    /// - Throws: `noSuchPart` if the fault, tray, paper or supply does not exist; `notPossible` if a tray cannot hold
    ///   the amount of paper.
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
        case .delete(let id?): try await printer.deleteJob(id)
        case .delete(nil): _ = try await printer.deleteEndedJobs()
        case .powerCycle:
            await printer.switchOff()
            await printer.untilResting()
            await printer.switchOn()
        case .status: break
        }
    }
}
