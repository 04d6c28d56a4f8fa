// The members of a job in the JSON API.

package import IPP
import PrintIPP
package import PrintModel
package import SpoolerClient

/// The summary of a job in the Print Center.
///
/// The summary contains the phase, the reason for the state, the progress and the possible commands.
///
/// All members come from IPP attributes that the user is allowed to read.
package struct JobSummary: Sendable {
    /// The names of the job attributes to request for a list of jobs.
    package static let attributeNames = [
        "job-id", "job-printer-uri", "job-originating-user-name", "job-name", "job-state", "job-state-reasons",
        "job-state-message", "job-impressions", "job-impressions-completed", "job-media-sheets",
        "job-media-sheets-completed", "job-pages", "job-pages-completed-current-copy", "printq-copies",
        "printq-current-copy", "job-hold-until-time", "time-at-creation", "time-at-processing", "time-at-completed",
        "media", "media-col", "printq-place", "printq-jobs-before", "printq-retry-at", "printq-resume-from",
        "printq-documents-kept",
    ]

    /// The IPP attributes of the job.
    package let group: AttributeGroup
    /// The job with the properties that a list shows.
    package let view: JobView
    private let user: CenterUser
    let printer: PrinterFacts?

    /// Creates a summary of a job.
    ///
    /// - Parameters:
    ///   - group: The attributes that printd returned for the user.
    ///   - user: The user who reads the summary.
    ///   - printer: The state of the job's printer; nil if the printer was removed.
    package init(_ group: AttributeGroup, for user: CenterUser, printer: PrinterFacts?) {
        (self.group, self.user, self.printer) = (group, user, printer)
        view = JobView(group)
    }

    /// Whether printd hides the job's name and owner from the user.
    package var isWithheld: Bool { group["job-name"] == nil }

    package var phase: JobPhase {
        JobPhase(
            view.state ?? .pending, reasons: view.reasons, isRetrying: retryAt != nil,
            impressionsCompleted: view.impressionsCompleted)
    }

    private var retryAt: UnixTime? { group.integer("printq-retry-at").map(UnixTime.init) }

    /// The number of jobs before this job in its printer's queue; nil if the job does not wait.
    private var jobsBefore: Int? { group.integer("printq-jobs-before").map(Int.init) }

    /// The number of the side at which a stopped or suspended job continues, counted from 1 over all copies; nil if no
    /// side was printed.
    private var resumePage: Int? {
        view.resumeFrom ?? (view.impressionsCompleted > 0 ? view.impressionsCompleted + 1 : nil)
    }

    /// The name of the job's paper, such as `A4`; nil if the paper is unknown.
    private var media: String? {
        guard !isWithheld else { return nil }
        let ticket = JobTicket.read(group.attributes.filter { ["media", "media-col"].contains($0.name) }, at: 0).ticket
        if let media = ticket.media { return media.localizedName }
        return printer?.defaultMedia.flatMap { Media(name: $0) }?.localizedName
    }

    /// The cause of the job's phase as a JSON object, from which clients make sentences; nil if the phase requires no
    /// explanation.
    package var cause: JSONText? {
        var members: [(name: String, value: JSONText)] = [("code", .string(causeCode))]
        guard !causeCode.isEmpty else { return nil }
        if phase != .failed, phase != .canceled { members.append(("printer", .string(view.printer))) }
        if ["media-empty", "media-needed"].contains(causeCode), let media { members.append(("media", .string(media))) }
        if let message { members.append(("message", .string(message))) }
        if let retryAt { members.append(("retry-at", .time(retryAt))) }
        if phase == .suspended || phase == .stopped, let resumePage { members.append(("page", .number(resumePage))) }
        if phase == .waiting, let jobsBefore, jobsBefore > 0 { members.append(("before", .number(jobsBefore))) }
        if phase == .held, let until = view.heldUntil { members.append(("until", .time(until))) }
        if phase == .canceled, let canceler { members.append(("by", .string(canceler))) }
        return .object(members)
    }

    private var causeCode: String {
        switch phase {
        case .retrying: printer?.stopReason ?? "retry"
        case .stopped: printer?.stopReason ?? "stopped"
        case .suspended: "suspended"
        case .waiting: printer?.stopReason ?? (jobsBefore ?? 0 > 0 ? "jobs-before" : "")
        case .held where waitsForPassword: "password-wait"
        case .held: view.heldUntil == nil ? "held" : "held-until"
        case .canceled: "canceled"
        case .failed: view.reasons.first ?? "failed"
        default: ""
        }
    }

    /// The printer's message if the printer prevents the printing of the job, otherwise the message of a job with a
    /// problem; nil if the message is empty.
    private var message: String? {
        let message: String? =
            switch phase {
            case .retrying, .stopped: printer?.stopReason == nil ? view.message : printer?.message
            case .waiting: printer?.stopReason == nil ? nil : printer?.message
            case .suspended, .failed: view.message
            default: nil
            }
        return message?.isEmpty == true ? nil : message
    }

    private var waitsForPassword: Bool { view.reasons.contains("job-password-wait") }

    private var canceler: String? {
        if view.reasons.contains("job-canceled-by-operator") { return "administrator" }
        if view.reasons.contains("job-canceled-at-device") { return "printer" }
        return isWithheld ? nil : view.owner
    }

    /// The commands that the user is allowed to use in the current state of the job.
    package var commands: [String] {
        guard user.isAdministrator || !isWithheld && view.owner == user.name else { return [] }
        return switch phase {
        case .waiting, .retrying: ["hold", "move", "change", "cancel"]
        // A job with a password cannot be held until a time.
        case .held where waitsForPassword: ["release", "move", "change", "cancel"]
        case .held: ["release", "hold", "move", "change", "cancel"]
        case .arriving, .preparing, .printing, .stopped: ["cancel"]
        case .suspended: ["resume", "reprint", "move", "cancel"]
        case .stopping: []
        case .canceled, .completed, .failed:
            group.boolean("printq-documents-kept") == true ? ["reprint"] : []
        }
    }

    /// The JSON members of the job in a list.
    package var members: [(name: String, value: JSONText)] {
        let progress = view.progress
        let hidden = isWithheld
        var members: [(name: String, value: JSONText)] = [
            ("job-id", .number(view.id)),
            ("job-name", hidden ? .null : .string(view.name.printable)),
            ("printer", .string(view.printer)),
            ("owner", hidden ? .null : .string(view.owner.printable)),
            ("withheld", .bool(hidden)),
            ("job-state", .string(view.state.map { "\($0)" } ?? "unknown")),
            ("phase", .string(phase.rawValue)),
            ("job-state-reasons", .strings(view.reasons)),
            ("job-state-message", .string(view.message)),
            ("cause", cause ?? .null),
        ]
        members += [
            ("pages", .optional(progress?.pages)),
            ("pages-completed", .number(progress?.completed ?? 0)),
            ("copies", .number(progress?.copies ?? 1)),
            ("copy", .number(progress?.copy ?? 1)),
            ("impressions", .optional(view.impressions)),
            ("impressions-completed", .number(view.impressionsCompleted)),
            ("sheets", .optional(group.integer("job-media-sheets").map(Int.init))),
            ("sheets-completed", .number(view.sheetsCompleted)),
            ("jobs-before", phase == .waiting || phase == .retrying ? .optional(jobsBefore) : .null),
            ("hold-until", .time(view.heldUntil)),
            ("retry-at", .time(retryAt)),
            ("time-at-creation", .time(view.createdAt)),
            ("time-at-processing", .time(group.integer("time-at-processing").map(UnixTime.init))),
            ("time-at-completed", .time(view.completedAt)),
            ("commands", .strings(commands)),
        ]
        return members
    }

    /// The job as a JSON object for a list.
    package var json: JSONText { .object(members) }
}

extension JSONText {
    /// Returns a time as a JSON string in ISO 8601, or `null` for nil.
    package static func time(_ moment: Double?) -> JSONText {
        moment.map { .string(LocalTime.universal($0)) } ?? .null
    }

    /// Returns a JSON string, or `null` for nil.
    package static func optional(_ text: String?) -> JSONText { text.map { .string($0) } ?? .null }

    /// Returns a JSON number, or `null` for nil.
    package static func optional(_ number: Int?) -> JSONText { number.map { .number($0) } ?? .null }
}
