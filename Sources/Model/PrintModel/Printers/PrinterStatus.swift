// The state of a printer, and the status that a printer reports.

/// The state of a printer (IPP `printer-state`, RFC 8011 §5.4.11).
///
/// The raw values are the values of IPP.
public enum PrinterState: Int, Hashable, Sendable, Codable {
    case idle = 3
    case processing = 4
    /// A printer that has stopped, because a person paused the printer or must resolve a problem.
    case stopped = 5
}

/// The status that a printer reports at one moment.
public struct PrinterStatus: Hashable, Sendable, Codable {
    /// The state of the printer.
    public var state: PrinterState
    /// The reasons for the state: keywords such as `media-empty-error` (IPP `printer-state-reasons`).
    ///
    /// The list can be empty.
    public var reasons: [String]
    /// A description of the state for users.
    public var message: String
    /// Whether the printer accepts new jobs.
    public var isAccepting: Bool
    /// The problems that require attention (IPP `printer-alert`, PWG 5100.9); empty when the printer reports no
    /// problem.
    public var alerts: [Alert]
    /// The supplies, such as ink and toner (IPP `printer-supply`, PWG 5100.13); empty when the printer reports no
    /// supplies.
    public var supplies: [Supply]

    /// The trays as reported by the printer (IPP `printer-input-tray`, PWG 5100.13 §5.6.2):
    /// `type=sheetFeedAutoRemovableTray;…;level=120;status=0;name=tray-1;`.
    package var inputTrays: [String] = []
    /// The output bins as reported by the printer (IPP `printer-output-tray`).
    package var outputTrays: [String] = []

    /// Whether the printer has stopped because of a problem that a person must solve.
    ///
    /// A paused printer needs no attention, because a person paused the printer.
    public var needsAttention: Bool { state == .stopped && !reasons.contains("paused") }

    /// A problem that requires attention.
    public struct Alert: Hashable, Sendable, Codable {
        /// The description of the problem for programs: `code=coverOpen;severity=critical;…` (PWG 5100.9 §5.2).
        public var value: String
        /// The description of the problem for users; empty when the printer reports no description (IPP
        /// `printer-alert-description`).
        public var description: String

        /// Creates an alert of a printer.
        public init(value: String, description: String) {
            self.value = value
            self.description = description
        }
    }

    /// A supply that becomes empty or full, such as ink, toner or a waste container.
    public struct Supply: Hashable, Sendable, Codable {
        /// The name for users: `Black ink`.
        public var name: String
        /// The type, an IPP keyword of `marker-types`: `toner`, `ink-cartridge`, `waste-toner`.
        public var type: String
        /// The color as `#RRGGBB`; `none` if the supply has no color.
        public var color: String
        /// The level in percent; nil when the level is unknown.
        public var level: Int?
        /// The level in percent at which the supply is low.
        public var lowLevel: Int
        /// The level in percent at which the supply is full.
        public var highLevel: Int
        /// All properties of the supply as reported by the printer: `index=1;class=supplyThatIsConsumed;…` (PWG 5100.13
        /// §5.6.7).
        ///
        /// The text is empty when the printer does not report `printer-supply`.
        public var value: String

        /// Creates a supply of a printer.
        public init(
            name: String, type: String, color: String = "none", level: Int?, lowLevel: Int = 10, highLevel: Int = 100,
            value: String = ""
        ) {
            (self.name, self.type, self.color, self.level) = (name, type, color, level)
            (self.lowLevel, self.highLevel, self.value) = (lowLevel, highLevel, value)
        }
    }

    /// Creates a status of a printer.
    public init(
        state: PrinterState, reasons: [String] = [], message: String = "", isAccepting: Bool = true,
        alerts: [Alert] = [], supplies: [Supply] = []
    ) {
        (self.state, self.reasons, self.message) = (state, reasons, message)
        (self.isAccepting, self.alerts, self.supplies) = (isAccepting, alerts, supplies)
    }

    /// The best available description of the status: the message, the alerts or the reasons.
    ///
    /// The text is empty when the printer reports no description.
    public var text: String {
        if !message.isEmpty { return message }
        let described = alerts.map(\.description).filter { !$0.isEmpty }
        return (described.isEmpty ? reasons : described).joined(separator: ", ")
    }
}
