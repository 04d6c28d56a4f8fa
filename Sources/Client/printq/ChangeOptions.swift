// The command `printq change`, which changes the options of waiting jobs.

import ArgumentParser
import PrintModel
import SpoolerClient

struct Change: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change",
        abstract: "Change the options of waiting jobs.",
        discussion: """
            A job keeps its number and its place in the queue, and options that are not given here keep their values. \
            A job that is printing cannot be changed: cancel it, then reprint it with other options.
            """)

    @Argument(help: "The job numbers.")
    var ids: [JobID]
    @Option(help: ArgumentHelp("The new name of the jobs.", valueName: "name"))
    var title: String?
    @OptionGroup(title: "Print options") var options: JobOptions
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        let ticket = try options.ticket(now: Session.now)
        guard title != nil || ticket != JobTicket() else {
            throw SpoolerClientError(.usage, "specify --title or at least one print option")
        }
        let queue = try session.spooler
        try await ids.changeEach(in: queue, output) { id throws(SpoolerClientError) in
            try await queue.change(id, to: ticket, title: title)
        }
    }
}
