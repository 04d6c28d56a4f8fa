// Controls a test printer: faults, paper, supplies, power and status.

import IPP
import PrintIPP

extension TestPrinter {
    /// Injects a fault, such as `media-jam at page 2` or `busy at Print-Job once`.
    ///
    /// `Simulators/README.md` lists the faults.
    ///
    /// - Throws: `refused`, with a list of the faults, when the fault is unknown.
    public func fault(_ fault: String) async throws(PrintTestingError) { try await control(["fault", fault]) }

    /// Clears the faults that have the given name, or all faults.
    ///
    /// - Throws: `refused` if the printer has no active or pending fault with that name.
    public func clear(_ fault: String = "all") async throws(PrintTestingError) { try await control(["clear", fault]) }

    /// Loads paper into a tray.
    ///
    ///     try await printer.load("tray-1", 50, "A4", type: "stationery")
    ///
    /// - Parameters:
    ///   - tray: The tray's name (IPP `media-source`).
    ///   - count: The number of sheets in the tray afterwards, or the length of the roll in millimeters; nil fills the
    ///     tray.
    ///   - size: The paper's size, such as `A4`; nil keeps the size.
    ///   - type: The paper's type (IPP `media-type`); nil keeps the type.
    /// - Throws: `refused` when the tray does not exist.
    public func load(
        _ tray: String, _ count: Int? = nil, _ size: String? = nil, type: String? = nil
    ) async throws(PrintTestingError) {
        try await control(["load", tray] + [count.map(String.init), size, type].compactMap { $0 })
    }

    /// Replaces a supply, such as `Black toner`, with a full supply.
    ///
    /// - Throws: `refused` when the supply does not exist.
    public func replace(_ supply: String) async throws(PrintTestingError) { try await control(["replace", supply]) }

    /// Sets the level of a supply, in percent from 0 to 100.
    ///
    /// - Throws: `refused` when the supply does not exist, or the level is out of range.
    public func level(_ supply: String, _ percent: Double) async throws(PrintTestingError) {
        try await control(["level", supply, "\(percent)"])
    }

    /// Switches the printer off.
    ///
    /// The printer loses its volatile state. A switched-off printer responds only to control functions such as
    /// `powerOn()` and `status`.
    public func powerOff() async throws(PrintTestingError) { try await control(["power", "off"]) }

    /// Switches the printer on again.
    public func powerOn() async throws(PrintTestingError) { try await control(["power", "on"]) }

    /// The current state of the printer.
    ///
    /// The state is available even while a fault prevents the printer from responding to clients.
    public var status: PrinterStatus {
        get async throws(PrintTestingError) { PrinterStatus(attributes: try await control(["status"])) }
    }

    /// The pending and active faults, one string per fault.
    public var faults: [String] {
        get async throws(PrintTestingError) { try await control(["status"]).strings("printq-faults") }
    }

    @discardableResult
    private func control(_ words: [String]) async throws(PrintTestingError) -> AttributeGroup {
        if let ended { throw ended }
        let answer = try await control.send(
            control.request(Self.controlPrinter, [Attribute("printq-control", words.map { .text($0) })]),
            doing: "'\(words.joined(separator: " "))' at \(name)")
        return answer[.printer] ?? AttributeGroup(.printer)
    }

    private static let controlPrinter = IPP.Operation(rawValue: 0x5053)
}
