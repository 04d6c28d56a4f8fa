// A printer as JSON.

import IPP
import PrintIPP
import PrintModel
import SpoolerClient

/// A printer as JSON, created from its IPP attributes and its current job.
struct PrinterRecord: Sendable {
    /// The printer attributes to request for a list of printers.
    static let listNames = PrinterView.attributeNames + ["printer-location"]
    /// The printer attributes to request for the details of one printer.
    static let detailNames = Array(
        Set(
            listNames + PrinterCapabilities.attributeNames + PrinterStatus.attributeNames
                + PrinterFacts.attributeNames + ["printer-uri-supported"] + sharingNames
                + PrintOption.all.map { "\($0.name)-default" }
        ))
    private static let sharingNames = [
        "printer-is-shared", "printq-dns-sd-name", "printq-anonymous", "printq-sharing-problem",
    ]
    /// The job attributes to request for jobs that printd will try to print again.
    static let retryNames = ["job-id", "job-printer-uri", "job-state", "printq-retry-at"]
    /// The job attributes to request for a printer's current job.
    static let jobNames = [
        "job-id", "job-printer-uri", "job-state", "job-state-reasons", "job-impressions-completed", "job-pages",
        "job-pages-completed-current-copy", "printq-copies", "printq-current-copy",
    ]

    /// The IPP attributes of the printer.
    let group: AttributeGroup
    private let view: PrinterView
    private let job: JobView?
    private let retryAt: UnixTime?
    private let user: CenterUser
    private let service: String

    /// Creates the JSON record of a printer from its attributes.
    ///
    /// - Parameters:
    ///   - job: The job that is printing or has stopped during printing; nil if there is no such job.
    ///   - retryAt: The time of the next attempt to reach the printer, in seconds since 1970; nil if no attempt is
    ///     planned.
    ///   - user: The user who receives the record.
    ///   - service: The name of the server: `printd` or `printsim`.
    init(_ group: AttributeGroup, job: JobView?, retryAt: UnixTime? = nil, user: CenterUser, service: String) {
        self.group = group
        self.retryAt = retryAt
        view = PrinterView(group)
        self.job = job
        self.user = user
        self.service = service
    }

    /// Returns whether printd might retry a job on the printer.
    ///
    /// The result is true if jobs are waiting, the printer is not printing, and the printer reports a state reason.
    static func mayRetry(_ group: AttributeGroup) -> Bool {
        let view = PrinterView(group)
        return view.queuedJobs > 0 && view.state != .processing && !view.reasons.allSatisfy { $0 == "none" }
    }

    var isSimulated: Bool { view.isSimulated || service == "printsim" }

    private var alerts: [PrinterAlert] {
        PrinterAlert.all(reasons: view.reasons, isStopped: view.state == .stopped, descriptions: view.alerts)
    }

    private var phase: PrinterPhase {
        .of(
            reasons: view.reasons, isStopped: view.state == .stopped, isProcessing: view.state == .processing,
            isAccepting: view.isAccepting, isPreparing: job?.reasons.contains("job-transforming") ?? false)
    }

    /// The state message of the printer.
    ///
    /// For a paused printer, the text is only the reason for the pause, without the `printq` command that resumes the
    /// printer.
    private var message: String { phase == .paused ? view.pauseMessage : view.message }

    /// The JSON members for every printer, in lists and details.
    var members: [(name: String, value: JSONText)] {
        [
            ("name", .string(view.name)), ("info", .string(group.string("printer-info") ?? "")),
            ("location", .string(group.string("printer-location") ?? "")),
            ("make-and-model", .string(group.string("printer-make-and-model") ?? "")),
            ("state", .string("\(view.state)")), ("phase", .string(phase.rawValue)),
            ("reasons", .strings(view.reasons)), ("message", .string(message)),
            ("alerts", .array(alerts.map(\.json))), ("accepting", .bool(view.isAccepting)),
            ("default", .bool(view.isDefault)), ("simulated", .bool(isSimulated)),
            ("queued-jobs", .number(view.queuedJobs)), ("job", job.map { .number($0.id) } ?? .null),
            ("cause", cause), ("commands", .strings(commands)),
        ]
    }

    /// The printer as a JSON object for lists.
    var json: JSONText { .object(members) }

    /// The most important alert of the printer as a JSON object; null if no alert requires attention.
    private var cause: JSONText {
        guard let alert = alerts.first, alert.severity != .report || phase == .offline else { return .null }
        var members: [(name: String, value: JSONText)] = [
            ("code", .string(alert.code)), ("printer", .string(view.name)),
        ]
        if let progress = job?.progress, job?.state == .processingStopped {
            members.append(("page", .number(min(progress.completed + 1, progress.pages))))
            members.append(("pages", .number(progress.pages)))
        }
        if let retryAt { members.append(("retry-at", .time(retryAt))) }
        if job != nil, view.queuedJobs > 1 { members.append(("waiting", .number(view.queuedJobs - 1))) }
        return .object(members)
    }

    /// The commands that the user is allowed to use in the current state of the printer.
    ///
    /// The IPP access rules check each command again.
    private var commands: [String] {
        var commands: [String] = []
        if user.isAdministrator {
            commands.append(phase == .paused ? "resume" : "pause")
            commands.append(view.isAccepting ? "reject" : "accept")
            if service == "printd" {
                if !view.isDefault { commands.append("default") }
                commands.append("remove")
                if user.networkUser == nil { commands.append("share") }
            }
            commands.append("change")
            if isSimulated { commands.append("control") }
        }
        if view.isAccepting { commands.append("test-page") }
        return commands + ["identify"]
    }

    // MARK: - One printer

    /// The additional JSON members in the details of one printer.
    var detail: [(name: String, value: JSONText)] {
        let capabilities = PrinterCapabilities(attributes: group)
        let status = PrinterStatus(attributes: group)
        let paper = capabilities.papers.first { $0.media.hasSameSize(as: capabilities.defaultMedia) }
        var ready: [String] = []
        for paper in capabilities.readyPapers where !ready.contains(paper.media.localizedName) {
            ready.append(paper.media.localizedName)
        }
        return [
            ("uri", group.string("printer-uri-supported").map { .string($0) } ?? .null),
            ("device-uri", group.string("device-uri").map { .string($0) } ?? .null), ("users", users),
            ("sharing", sharing),
            ("pages-per-minute", capabilities.pagesPerMinute.map { .number($0) } ?? .null),
            ("color", .bool(capabilities.colorModes.contains(.color))),
            ("sides", .strings(capabilities.duplexModes.map(\.rawValue))),
            ("resolutions", .strings(capabilities.resolutions.map { "\($0)dpi" })),
            ("formats", .strings(capabilities.formats.map(\.rawValue).filter { $0 != "application/octet-stream" })),
            ("supplies", .array(status.supplies.map(Self.supply))),
            ("margins", paper.map { $0.margins.json } ?? .null), ("ready-media", .strings(ready)),
            ("defaults", defaults(capabilities)),
        ]
    }

    private var users: JSONText {
        let (allowed, denied): ([String]?, [String]?) =
            switch view.policy[.submitters] {
            case let users where users.admitsEverybody: (nil, nil)
            case .allowed(let names): (names, nil)
            case .denied(let names): (nil, names)
            }
        return .object([
            ("allowed", allowed.map { .strings($0) } ?? .null), ("denied", denied.map { .strings($0) } ?? .null),
        ])
    }

    private var sharing: JSONText {
        .object([
            ("shared", .bool(group.boolean("printer-is-shared") ?? false)),
            ("name", .string(group.string("printq-dns-sd-name") ?? "")),
            ("anonymous", .bool(group.boolean("printq-anonymous") ?? false)),
            ("problem", group.string("printq-sharing-problem").map { .string($0) } ?? .null),
        ])
    }

    private func defaults(_ capabilities: PrinterCapabilities) -> JSONText {
        var members: [(name: String, value: JSONText)] = [("media", .string(capabilities.defaultMedia.localizedName))]
        for option in PrintOption.all where option.name != "media" {
            let words = group["\(option.name)-default"]?.values.compactMap { OptionForm.text($0, of: option) } ?? []
            if !words.isEmpty { members.append((option.name, .string(words.joined(separator: ",")))) }
        }
        return .object(members)
    }

    private static func supply(_ supply: PrinterStatus.Supply) -> JSONText {
        .object([
            ("name", .string(supply.name)), ("color", .string(supply.color)),
            ("level", supply.level.map { .number($0) } ?? .null), ("type", .string(supply.type)),
        ])
    }
}

extension Margins {
    /// The unprintable margins as JSON, in points.
    var json: JSONText {
        .object([
            ("top", .points(top)), ("left", .points(left)), ("bottom", .points(bottom)), ("right", .points(right)),
        ])
    }
}

extension JSONText {
    /// Returns a length in points as a JSON number, rounded to two decimal places.
    static func points(_ length: Length) -> JSONText { .decimal((length.points * 100).rounded() / 100) }
}
