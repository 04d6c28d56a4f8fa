// Describes faults to people: the faults of a printer with their times, and the list of all faults.

package import PrintModel

package struct FaultReport: Hashable, Sendable {
    package var fault: Fault
    package var isActive: Bool
    /// The time when the fault started; nil if the fault has not started or the time is unknown.
    package var startedAt: UnixTime?
    /// The time when the fault ends; nil if a command must clear the fault or the time is unknown.
    package var endsAt: UnixTime?
    package var startsAt: UnixTime?
}

package struct FaultName: Hashable, Sendable {
    /// The first word in the text of the fault, such as `media-jam`.
    package var name: String
    /// A short name for people, such as `Paper jam`.
    package var label: String
    package var group: Group
    /// An example of the word that must follow the name, such as `x10`; nil if no word is required.
    package var argument: String?

    package enum Group: String, Sendable, CaseIterable {
        /// The faults that stop the printer.
        ///
        /// A fault of this group can start at a job or page.
        case stop
        /// The faults that make the printer report a warning.
        ///
        /// A fault of this group can start at a job or page.
        case warning
        /// The faults that change the behavior of the printer, such as a lower print speed.
        ///
        /// A fault of this group can start at a job or page.
        case behavior
        /// The faults that make the response to a request wrong or missing.
        ///
        /// A fault of this group can start at an IPP operation.
        case response
        case handshake
    }
}

extension Fault {
    package static let names: [FaultName] =
        stops.keys.sorted().map { FaultName(name: $0, label: labels[$0] ?? $0, group: .stop) }
        + warnings.sorted().map { FaultName(name: $0, label: labels[$0] ?? $0, group: .warning) }
        + [
            FaultName(name: "media-wrong-size", label: "Wrong paper size", group: .behavior),
            FaultName(name: "slow", label: "Slow printing", group: .behavior, argument: "x10"),
            FaultName(name: "crash", label: "Power failure", group: .behavior),
            FaultName(name: "busy", label: "Busy", group: .response),
            FaultName(name: "status", label: "IPP error", group: .response, argument: "server-error-internal-error"),
            FaultName(name: "http", label: "HTTP error", group: .response, argument: "503"),
            FaultName(name: "stall", label: "No answer", group: .response),
            FaultName(name: "drop", label: "Connection lost during the response", group: .response),
            FaultName(name: "refuse", label: "Connection refused", group: .response),
            FaultName(name: "reset", label: "Connection reset during the document", group: .response),
            FaultName(name: "trickle", label: "Slow response", group: .response, argument: "100"),
            FaultName(name: "duplicate", label: "Repeated response", group: .response),
            FaultName(name: "malformed", label: "Invalid response", group: .response),
            FaultName(name: "wrong-state", label: "Wrong job state", group: .response),
            FaultName(name: "tls-failure", label: "TLS handshake fails", group: .handshake),
            FaultName(name: "tls-expired", label: "Certificate expired", group: .handshake),
            FaultName(name: "tls-wrong-name", label: "Certificate of another host", group: .handshake),
            FaultName(name: "tls-stall", label: "TLS handshake not answered", group: .handshake),
        ]

    private static let labels: [String: String] = [
        "media-jam": "Paper jam", "media-empty": "Out of paper", "media-needed": "Other paper needed",
        "cover-open": "Cover open", "door-open": "Door open", "interlock-open": "Interlock open",
        "input-tray-missing": "Tray missing", "output-area-full": "Output bin full",
        "output-tray-missing": "Output bin missing", "toner-empty": "Out of toner",
        "marker-supply-empty": "Out of ink", "marker-waste-full": "Waste container full",
        "fuser-over-temp": "Fuser too hot", "fuser-under-temp": "Fuser too cold", "opc-life-over": "Drum worn out",
        "stopped-partly": "Part of the printer stopped", "timed-out": "Printer does not respond",
        "media-low": "Paper low", "toner-low": "Toner low", "marker-supply-low": "Ink low",
        "marker-waste-almost-full": "Waste container almost full",
        "output-area-almost-full": "Output bin almost full", "opc-near-eol": "Drum almost worn out",
        spoolAreaFull: "No space for jobs",
    ]
}
