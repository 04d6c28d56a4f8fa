// The command `printq status`, which shows a summary of a spool.

import ArgumentParser
import PrintqOutput
import SpoolerClient

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the addresses of printd, its printers and its jobs in progress.",
        discussion: "Does not start printd: exits with code 69 if printd is not running.")

    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        guard try session.daemon.answers() else {
            throw SpoolerClientError(
                .unavailable,
                "printd is not running on the spool '\(try session.place.path.printable)'; any other command "
                    + "starts printd"
            )
        }
        let status = try await SpoolStatus(of: session.spooler)
        if output.json { return StandardOutput.print(status.json) }
        StandardOutput.print(status.heading + "\n")
        StandardOutput.print(status.printers.map(PrinterView.init).table, whenEmpty: "there are no printers")
        guard !status.jobs.isEmpty else { return }
        StandardOutput.print("\n")
        StandardOutput.print(status.jobs.map(JobView.init).table(now: Session.now), whenEmpty: "")
    }
}
