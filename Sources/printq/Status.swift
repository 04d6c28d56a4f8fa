// printq status: a spool in one look.

import ArgumentParser
import PrintCommands
import PrintQueue

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show where printd can be reached, its printers, and the jobs in progress.",
        discussion: "Starts nothing: exits with 69 when printd is not running.")

    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        guard try session.daemon.answers() else {
            throw CommandError(
                .unavailable,
                "printd is not running on the spool '\(try session.place.path.printable)'; the next other command starts it"
            )
        }
        let status = try await SpoolStatus(of: session.queue)
        if output.json { return Terminal.print(status.json) }
        Terminal.print(status.heading + "\n")
        Terminal.print(status.printers.map(PrinterView.init).table, whenEmpty: "there are no printers")
        guard !status.jobs.isEmpty else { return }
        Terminal.print("\n")
        Terminal.print(status.jobs.map(JobView.init).table(now: Session.now), whenEmpty: "")
    }
}
