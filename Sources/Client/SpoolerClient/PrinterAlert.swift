// The conditions of a printer that a person should know, from its state reasons.

/// An alert of a printer: a condition that people should know, such as a paper jam.
public struct PrinterAlert: Hashable, Sendable {
    /// The severity of a condition (RFC 8011 §5.4.12).
    public enum Severity: String, Sendable, CaseIterable {
        /// The severity of a condition during which the printer does not print.
        case error
        /// The severity of a condition during which the printer continues to print.
        case warning
        /// The severity of a condition that requires no attention.
        case report
    }

    /// The keyword of the condition without its severity, such as `media-jam`.
    public var code: String
    /// The severity of the condition.
    public var severity: Severity
    /// The short text of the condition, such as `Paper jam`.
    public var text: String
    /// The label of a command that ends the condition, such as `Clear Jam`; nil if no command ends the condition.
    public var remedy: String?

    /// Returns the alerts of a printer, errors first.
    ///
    /// - Parameters:
    ///   - reasons: The values of `printer-state-reasons`.
    ///   - isStopped: Whether the printer has stopped. If the printer has stopped, a reason without severity is an
    ///     error.
    ///   - descriptions: The values of `printer-alert-description`. If the printer has stopped and no reason is a
    ///     condition, the first description becomes an alert.
    package static func all(
        reasons: [String], isStopped: Bool, descriptions: [String] = []
    ) -> [PrinterAlert] {
        var alerts: [PrinterAlert] = []
        for reason in reasons {
            guard let alert = PrinterAlert(reason: reason, isStopped: isStopped),
                !alerts.contains(where: { $0.code == alert.code })
            else { continue }
            alerts.append(alert)
        }
        // Some printers report a condition only in words.
        if alerts.isEmpty, isStopped, let words = descriptions.first(where: { !$0.isEmpty }) {
            alerts.append(PrinterAlert(code: "other", severity: .error, text: words, remedy: nil))
        }
        let order = Severity.allCases
        return alerts.enumerated().sorted { a, b in
            let (first, second) = (order.firstIndex(of: a.element.severity), order.firstIndex(of: b.element.severity))
            return (first ?? 0, a.offset) < (second ?? 0, b.offset)
        }
        .map(\.element)
    }

    private init(code: String, severity: Severity, text: String, remedy: String?) {
        (self.code, self.severity, self.text, self.remedy) = (code, severity, text, remedy)
    }

    /// Creates the alert of a state reason; nil if the reason is not a condition.
    private init?(reason: String, isStopped: Bool) {
        guard !Self.states.contains(reason) else { return nil }
        let suffix = Severity.allCases.first { reason.hasSuffix("-\($0.rawValue)") }
        let code = suffix.map { String(reason.dropLast($0.rawValue.count + 1)) } ?? reason
        guard !code.isEmpty, !Self.states.contains(code) else { return nil }
        let known = Self.table[code]
        self.init(
            code: code, severity: suffix ?? known?.severity ?? (isStopped ? .error : .warning),
            text: known?.text ?? Self.text(code), remedy: known?.remedy)
    }

    /// The keywords that describe the printer's state.
    ///
    /// These keywords are not conditions.
    private static let states: Set<String> = [
        "none", "paused", "moving-to-paused", "connecting-to-device", "spool-area-not-full", "resuming",
        "cups-waiting-for-job-completed", "hold-new-jobs",
    ]

    /// Returns a keyword as readable text: `Alert removal of binary change entry` for
    /// `alert-removal-of-binary-change-entry`.
    private static func text(_ code: String) -> String {
        let words = code.replacing("-", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private typealias Entry = (text: String, remedy: String?, severity: Severity?)

    /// The conditions of RFC 8011 §5.4.12, PWG 5100.9 and CUPS that printers report most often.
    private static let table: [String: Entry] = [
        "media-jam": ("Paper jam", "Clear Jam", nil), "media-empty": ("Out of paper", "Load…", nil),
        "media-needed": ("Other paper needed", "Load…", nil), "media-low": ("Paper low", "Load…", nil),
        "cover-open": ("Cover open", "Close Cover", nil), "door-open": ("Door open", "Close Door", nil),
        "interlock-open": ("Interlock open", "Close Interlock", nil),
        "input-tray-missing": ("Tray missing", "Insert Tray", nil),
        "output-area-full": ("Output bin full", "Empty Bin", nil),
        "output-area-almost-full": ("Output bin almost full", "Empty Bin", nil),
        "output-tray-missing": ("Output bin missing", "Insert Bin", nil),
        "toner-empty": ("Out of toner", "Replace Toner", nil), "toner-low": ("Toner low", "Replace Toner", nil),
        "marker-supply-empty": ("Out of ink", "Replace Ink", nil),
        "marker-supply-low": ("Ink low", "Replace Ink", nil),
        "marker-waste-full": ("Waste container full", "Replace Container", nil),
        "marker-waste-almost-full": ("Waste container almost full", "Replace Container", nil),
        "fuser-over-temp": ("Fuser too hot", nil, nil), "fuser-under-temp": ("Fuser too cold", nil, nil),
        "opc-life-over": ("Drum worn out", "Replace Drum", nil),
        "opc-near-eol": ("Drum almost worn out", "Replace Drum", nil),
        "developer-empty": ("Out of developer", "Replace Developer", nil),
        "developer-low": ("Developer low", "Replace Developer", nil),
        "stopped-partly": ("Part of the printer stopped", nil, nil), "stopping": ("Stopping", nil, .report),
        "timed-out": ("Printer does not respond", nil, nil), "spool-area-full": ("No space for jobs", nil, nil),
        "shutdown": ("Switched off", "Switch On", .error), "offline": ("Does not respond", nil, nil),
        "cups-held-for-authentication": ("Login required", nil, .error),
        "cups-certificate-error": ("Certificate changed", nil, .error),
    ]

    package var json: JSONText {
        .object([
            ("code", .string(code)), ("severity", .string(severity.rawValue)), ("text", .string(text)),
            ("remedy", remedy.map { .string($0) } ?? .null),
        ])
    }
}
