// The command `printq watch`, which shows events as they happen.

import ArgumentParser
import IPP
import PrintqOutput
import PrintIPP
import PrintModel
import SpoolerClient

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Show the events of jobs and printers as they happen.",
        discussion: """
            Shows one line per event until interrupted. With job numbers, shows only these jobs and exits when all \
            have ended; fails if a job is not completed. Each event has a number, which --json shows. To continue \
            after a break without missing events, pass the last number to --after. printq reconnects when printd \
            restarts.
            """)

    @Argument(help: "The job numbers (default: all jobs and printers).")
    var ids: [JobID] = []
    @OptionGroup var choice: PrinterChoice
    @Option(
        help: ArgumentHelp(
            "The number of the event after which the output begins; 0 shows all stored events.", valueName: "number"))
    var after: Int?
    @Flag(help: "Exits when no unfinished jobs remain; fails if a job was not completed.")
    var untilEnded = false
    @Flag(help: "Also shows a notification on the desktop when a job stops or ends.")
    var notify = false
    @Flag(help: "Writes each event as a line of JSON with IPP names.")
    var json = false
    @OptionGroup var session: Session

    func validate() throws {
        if let after, !(0...Int(Int32.max)).contains(after) {
            throw ValidationError("invalid value '\(after)' for --after; expected the number of an event")
        }
    }

    func run() async throws {
        let queue = try session.spooler
        let printer = try choice.name
        let request = WatchRequest(printer: printer, jobs: ids.map(\.number), after: after)
        let watch = EventWatch(queue, request) { StandardOutput.complain($0.text) }
        let ends = !ids.isEmpty || untilEnded
        let notification = notify ? try DesktopNotification() : nil
        let result = try await untilInterrupted { () async -> Result<OpenJobs, SpoolerClientError> in
            var open = OpenJobs(named: request.jobs)
            // The line is drawn only if the events also go to a terminal.
            let width = ends && !json && StandardOutput.width != nil ? StandardOutput.progressWidth : nil
            var progress = width.map { WatchProgress(width: $0) }
            defer { StandardOutput.show(progress?.clear() ?? "") }
            do throws(SpoolerClientError) {
                try await watch.run { () async throws(SpoolerClientError) in
                    guard ends else { return true }
                    for words in try await open.look(at: queue, printer: printer) { StandardOutput.complain(words) }
                    return !open.isEmpty
                } onEvent: { (event: EventView) throws(SpoolerClientError) in
                    StandardOutput.show(progress?.clear() ?? "")
                    StandardOutput.print((json ? event.json.compactText : event.line(now: Session.now)) + "\n")
                    StandardOutput.show(progress?.update(event) ?? "")
                    if event.endsOrStopsJob { notification?.show(event.text, id: event.jobID) }
                    open.note(event)
                    return !ends || !open.isEmpty
                }
                return .success(open)
            } catch {
                return .failure(error)
            }
        }
        for id in try result.get().ended where ends {
            try JobView(try await queue.job(id, JobView.followedNames)).checkCompleted()
        }
    }
}

extension EventView {
    /// Whether the event ends a job, or stops the job until a person acts.
    fileprivate var endsOrStopsJob: Bool { kind == "job-completed" || state == .processingStopped }
}
