// A printer as printq shows it.

package import IPP
import PrintIPP
package import PrintModel

/// What printd says of a printer.
package struct PrinterView: Sendable {
    /// Its name.
    package var name: String
    /// What people call it.
    package var info: String
    /// How it is.
    package var state: PrinterState
    /// The state in words.
    package var message: String
    /// Why, without `none`.
    package var reasons: [String]
    /// What somebody should see to, in the printer's words.
    package var alerts: [String]
    /// Whether it takes new jobs.
    package var isAccepting: Bool
    /// The jobs that wait or print.
    package var queuedJobs: Int
    /// Whether jobs that name no printer go here.
    package var isDefault: Bool
    /// Who may print on it.
    package var users: PrinterUsers
    /// Where its jobs go from here.
    package var deviceURI: String

    /// The attributes to ask for.
    package static let attributeNames = [
        "printer-name", "printer-info", "printer-make-and-model", "printer-state", "printer-state-reasons",
        "printer-state-message", "printer-is-accepting-jobs", "queued-job-count", "printer-type", "device-uri",
        "printer-alert", "printer-alert-description",
        "requesting-user-name-allowed", "requesting-user-name-denied",
    ]

    /// The printer with these attributes.
    package init(_ group: AttributeGroup) {
        name = group.string("printer-name") ?? ""
        let info = group.string("printer-info") ?? ""
        self.info = info.isEmpty ? group.string("printer-make-and-model") ?? "" : info
        state = group.integer("printer-state").flatMap { PrinterState(rawValue: Int($0)) } ?? .idle
        message = (group.string("printer-state-message") ?? "").printable
        reasons = group.keywords("printer-state-reasons").filter { $0 != "none" }
        alerts = group.strings("printer-alert-description").map(\.printable).filter { !$0.isEmpty }
        isAccepting = group.boolean("printer-is-accepting-jobs") ?? true
        queuedJobs = Int(group.integer("queued-job-count") ?? 0)
        isDefault = group.cupsPrinterType.contains(.isDefault)
        deviceURI = group.string("device-uri") ?? ""
        func names(_ name: String) -> [String]? { group[name]?.values.compactMap(\.stringValue) }
        users =
            names("requesting-user-name-allowed").map { .allowed($0 == ["none"] ? [] : $0) }
            ?? .denied(names("requesting-user-name-denied") ?? [])
    }

    /// Whether it is simulated: what it prints are files, not paper.
    package var isSimulated: Bool { deviceURI.hasPrefix("printsim:") }

    /// Its state in one or two words.
    package var stateWords: String {
        if reasons.contains("paused") || reasons.contains("moving-to-paused") { return "paused" }
        if !isAccepting { return "refusing" }
        if reasons.contains(where: { $0.hasPrefix("offline") }) { return "offline" }
        return switch state {
        case .idle: "ready"
        case .processing: "printing"
        case .stopped: "stopped"
        }
    }

    /// What else there is to say of its state.
    package var note: String {
        let reasons = alerts.isEmpty ? self.reasons.filter { $0 != "paused" } : alerts
        let state = message.isEmpty ? reasons.joined(separator: ", ") : message
        return [state, usersWords].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// Who may print on it; nothing when everybody may.
    package var usersWords: String {
        if users.areEverybody { return "" }
        return switch users {
        case .allowed(let names): names.isEmpty ? "for nobody" : "for \(names.joined(separator: ", "))"
        case .denied(let names): "not for \(names.joined(separator: ", "))"
        }
    }
}
