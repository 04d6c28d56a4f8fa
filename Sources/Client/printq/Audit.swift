// The command `printq audit`, which shows who changed what.

import ArgumentParser
import PrintModel
import PrintqOutput
import SpoolerClient

struct Audit: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Show who did what to which job or printer, and which requests were refused.",
        discussion: """
            The log has no titles and no passwords. PROOF says how the user was identified: by the kernel, by a token, by a \
            password, or not at all. Only administrators can read it. With several hosts, each host has a log.
            """)
    @Option(
        help: ArgumentHelp("Only entries since a date, or a date and time.", valueName: "time"),
        transform: { try AccountingGrouping.moment($0) })
    var since: Double?
    @Option(help: ArgumentHelp("Only entries of this user.", valueName: "name"))
    var user: String?
    @Option(help: ArgumentHelp("Only entries of this job.", valueName: "number"))
    var job: JobID?
    @Option(help: ArgumentHelp("The maximum number of entries, the newest; at most 1000.", valueName: "number"))
    var limit = AuditQuery.mostAtOnce
    @OptionGroup var choices: ListChoice

    func validate() throws {
        guard (1...AuditQuery.mostAtOnce).contains(limit) else {
            throw ValidationError("invalid value '\(limit)' for --limit; expected 1 to \(AuditQuery.mostAtOnce)")
        }
    }

    func run() async throws {
        let entries = try await choices.spooler.audit(
            AuditQuery(since: since, user: user, job: job?.number, limit: limit))
        if choices.json { return StandardOutput.print(AuditEntry.json(of: entries)) }
        StandardOutput.print(
            AuditEntry.table(of: entries, now: Session.now, times: TimeStyle.chosen(absolute: choices.absolute)),
            whenEmpty: "no entries", isStyled: choices.color.isStyled)
    }
}
