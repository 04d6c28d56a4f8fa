// Hands on a test printer: what goes wrong, paper, supplies, power, and how it is.

import IPP
import PrintIPP

extension TestPrinter {
    /// Has something go wrong, as `Simulators/README.md` has the words: `media-jam at page 2`, `busy at Print-Job once`.
    ///
    /// - Throws: `refused`, with what can go wrong.
    public func fault(_ words: String) async throws(PrintTestingError) { try await care(["fault", words]) }

    /// Ends a fault, by its first word, or all of them.
    ///
    /// - Throws: `refused` when there is nothing of that name to be ended.
    public func clear(_ fault: String = "all") async throws(PrintTestingError) { try await care(["clear", fault]) }

    /// Puts paper into a tray.
    ///
    ///     try await printer.load("tray-1", 50, "A4", type: "stationery")
    ///
    /// - Parameters:
    ///   - tray: the tray's name (IPP `media-source`).
    ///   - count: how many sheets, or millimetres of a roll, are in it then; nil for as many as it takes.
    ///   - size: their size, such as `A4`; nil for the same as before.
    ///   - type: their type (IPP `media-type`); nil for the same as before.
    /// - Throws: `refused` when there is no such tray.
    public func load(
        _ tray: String, _ count: Int? = nil, _ size: String? = nil, type: String? = nil
    ) async throws(PrintTestingError) {
        try await care(["load", tray] + [count.map(String.init), size, type].compactMap { $0 })
    }

    /// Puts in a full supply, such as `Black toner`.
    ///
    /// - Throws: `refused` when there is no such supply.
    public func replace(_ supply: String) async throws(PrintTestingError) { try await care(["replace", supply]) }

    /// Sets how full a supply is, in per cent from 0 to 100.
    ///
    /// - Throws: `refused` when there is no such supply, or it cannot be as full.
    public func level(_ supply: String, _ percent: Double) async throws(PrintTestingError) {
        try await care(["level", supply, "\(percent)"])
    }

    /// Switches the printer off: it answers nobody but these functions, and forgets what does not survive that.
    public func powerOff() async throws(PrintTestingError) { try await care(["power", "off"]) }

    /// Switches the printer on again.
    public func powerOn() async throws(PrintTestingError) { try await care(["power", "on"]) }

    /// How the printer is, said also while faults keep it from answering others.
    public var status: PrinterStatus {
        get async throws(PrintTestingError) { PrinterStatus(attributes: try await care(["status"])) }
    }

    /// What shall go wrong and what has, in words.
    public var faults: [String] {
        get async throws(PrintTestingError) { try await care(["status"]).strings("printq-faults") }
    }

    /// Does something to the printer by hand, with printsim's own operation; how the printer is then.
    @discardableResult
    private func care(_ words: [String]) async throws(PrintTestingError) -> AttributeGroup {
        if let ended { throw ended }
        let answer = try await care.send(
            care.request(Self.controlPrinter, [Attribute("printq-care", words.map { .text($0) })]),
            doing: "'\(words.joined(separator: " "))' at \(name)")
        return answer[.printer] ?? AttributeGroup(.printer)
    }

    /// The operation by which printsim lets hands be laid on its printers, of the range for vendors.
    private static let controlPrinter = IPP.Operation(rawValue: 0x5053)
}
