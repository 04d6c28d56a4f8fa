// Reads a printer from its IPP attributes.

package import IPP
import PrintIPP
public import PrintModel

/// A printer of the queue, with its state.
public struct PrinterView: Sendable {
    /// The printer's name.
    public var name: String
    /// The printer's description, or the make and model if the description is empty.
    public var info: String
    /// The state (IPP `printer-state`); ``phase`` is more specific.
    public var state: PrinterState
    /// The message about the printer's state.
    public var message: String
    /// The reason for the pause of a paused printer; empty if no reason was given.
    public var pauseMessage: String
    /// The reasons for the printer's state, without `none`.
    public var reasons: [String]
    /// The alerts of the printer, each of which requires attention from a person.
    public var alerts: [String]
    /// Whether the printer accepts jobs.
    public var isAccepting: Bool
    /// The number of the printer's jobs that are waiting or printing.
    public var queuedJobs: Int
    /// Whether jobs that name no printer are printed here.
    public var isDefault: Bool
    /// The lists of the printer's policy that the user may see.
    public var policy: PrinterPolicy
    /// The URI of the printer's device.
    public var deviceURI: String
    /// The name of the host that drives the printer; nil if no host drives the printer, or if the queue is not shared.
    public var host: String?

    /// The printer attributes to request from printd.
    package static let attributeNames =
        [
            "printer-name", "printer-info", "printer-make-and-model", "printer-state", "printer-state-reasons",
            "printer-state-message", "printer-is-accepting-jobs", "queued-job-count", "printer-type", "device-uri",
            "printer-alert", "printer-alert-description",
            "printq-host", "printq-pause-message",
        ] + PolicyList.attributeNames
    /// The printer attributes to request for `phase`, `message` and `alerts`.
    ///
    /// They do not contain `queued-job-count`, for which printd counts the jobs of each printer.
    package static let stateNames = [
        "printer-name", "printer-state", "printer-state-reasons", "printer-state-message", "printer-is-accepting-jobs",
        "printer-alert", "printer-alert-description", "printq-pause-message",
    ]

    /// Creates a printer from its attributes.
    ///
    /// Missing attributes become empty values.
    package init(_ group: AttributeGroup) {
        name = group.string("printer-name") ?? ""
        let info = group.string("printer-info") ?? ""
        self.info = info.isEmpty ? group.string("printer-make-and-model") ?? "" : info
        state = group.integer("printer-state").flatMap { PrinterState(rawValue: Int($0)) } ?? .idle
        message = (group.string("printer-state-message") ?? "").printable
        pauseMessage = (group.string("printq-pause-message") ?? "").printable
        reasons = group.keywords("printer-state-reasons").filter { $0 != "none" }
        alerts = group.strings("printer-alert-description").map(\.printable).filter { !$0.isEmpty }
        isAccepting = group.boolean("printer-is-accepting-jobs") ?? true
        queuedJobs = Int(group.integer("queued-job-count") ?? 0)
        isDefault = group.cupsPrinterType.contains(.isDefault)
        deviceURI = group.string("device-uri") ?? ""
        host = group.string("printq-host")
        policy = PrinterPolicy(group)
    }

    /// Whether the printer is simulated.
    ///
    /// A simulated printer writes files instead of printing on paper.
    public var isSimulated: Bool { deviceURI.hasPrefix("printsim:") }

    /// The state of a printer as one word for lists.
    public enum Phase: String, Sendable { case ready, printing, paused, refusing, offline, stopped }

    /// The state as one word, from the state, the reasons and `isAccepting`.
    public var phase: Phase {
        if reasons.contains("paused") || reasons.contains("moving-to-paused") { return .paused }
        if !isAccepting { return .refusing }
        if reasons.contains(where: { $0.hasPrefix("offline") }) { return .offline }
        return switch state {
        case .idle: .ready
        case .processing: .printing
        case .stopped: .stopped
        }
    }

    /// The state message and the policy, as one text.
    ///
    /// If the printer has no state message, the text contains the alerts or the state reasons.
    public var note: String {
        let reasons = alerts.isEmpty ? self.reasons.filter { $0 != "paused" } : alerts
        let state = message.isEmpty ? reasons.joined(separator: ", ") : message
        return [state, policyText].filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// The policy as text, such as `only ann may print`; empty if nothing is set.
    public var policyText: String {
        PolicyList.allCases.filter { !policy[$0].isSame(as: $0.standard) }.map { $0.text(policy[$0]) }
            .joined(separator: ", ")
    }
}

extension PolicyList {
    /// Returns a list as text, such as `only ann may print`.
    ///
    /// - Parameter printer: The name of the printer, which the text then contains.
    package func text(_ names: AccessList, printer: String? = nil) -> String {
        let verb: String =
            switch right {
            case .submit: printer.map { "print on \($0)" } ?? "print"
            case .look: printer.map { "look at \($0)" } ?? "look"
            case .manage: printer.map { "manage \($0)" } ?? "manage"
            }
        let (all, none, clients) =
            kind == .users
            ? ("everybody", "nobody", "") : ("clients of all networks", "no client on the network", "clients in ")
        if names.admitsEverybody { return "\(all) may \(verb)" }
        return switch names {
        case .allowed([]): "\(none) may \(verb)"
        case .allowed(let names): "only \(clients)\(names.joined(separator: ", ")) may \(verb)"
        case .denied(let names): "\(clients)\(names.joined(separator: ", ")) cannot \(verb)"
        }
    }
}
