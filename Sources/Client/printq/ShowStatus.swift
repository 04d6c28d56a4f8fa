// The command `printq status`, which shows a summary of a spool.

import ArgumentParser
import PrintqOutput
import SpoolReports
import SpoolerClient

struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the state, addresses, printers and jobs of printd on one screen.",
        discussion: "Does not start printd: exits with code 69 if printd is not running.")

    @OptionGroup var times: TimeChoice
    @OptionGroup var output: OutputChoice
    @OptionGroup var session: Session

    func run() async throws {
        guard try session.daemon.answers() else {
            let place = try session.place
            throw SpoolerClientError(
                .unavailable,
                "printd is not running for the spool \(place.text); "
                    + (place.isSystem
                        ? "run 'systemctl start printd.socket' as root" : "'printq queue' starts printd"))
        }
        let (place, now) = (try session.place, Session.now)
        var status = try await SpoolStatus(of: session.spooler, now: now)
        status.selection = place.selection.text
        if let warning = await place.otherJobsWarning() { StandardOutput.complain("warning: \(warning)") }
        if output.json { return StandardOutput.print(status.json) }
        StandardOutput.print(
            status.screen(width: StandardOutput.width, now: now, times: .chosen(absolute: times.absolute)))
    }
}
