// The commands `printq log --follow` and `printq log --daemon`.

import ArgumentParser
import IPP
import PrintqOutput
import PrintModel
import SpoolReports
import SpoolerClient

extension Log {
    /// The default number of earlier jobs or log messages that `--follow` shows first.
    private static let usualBefore = 10
    /// The default number of log messages that are shown without `--follow`.
    private static let usualMessages = 100

    /// Lists the most recently ended jobs.
    ///
    /// The function then lists each further job that ends, until the user interrupts the program.
    func followEndedJobs() async throws {
        let queue = try choices.spooler
        let listing = JobListQuery(
            .completed, printer: try choice.name, isMine: mine, owner: user, limit: limit ?? Self.usualBefore)
        let (json, isStyled) = (choices.json, choices.color.isStyled)
        let watch = EventWatch(queue, WatchRequest(printer: listing.printer)) { StandardOutput.complain($0.text) }
        let failure = try await untilInterrupted { () async -> SpoolerClientError? in
            var rows = EndedJobRows(json: json, isStyled: isStyled)
            var hasStarted = false
            do throws(SpoolerClientError) {
                try await watch.run { (events: [EventView]) async throws(SpoolerClientError) in
                    if !hasStarted {
                        // printd records all later events already, so no job is missed.
                        for job in try await queue.jobs(listing).reversed() { rows.show(job) }
                        hasStarted = true
                    }
                    for event in events where event.state?.isTerminal == true {
                        guard let id = event.jobID, !rows.contains(id) else { continue }
                        let job = try await queue.endedJob(id, event)
                        let wanted = listing.isMine ? queue.user : listing.owner
                        if wanted == nil || JobView(job).owner == wanted { rows.show(job) }
                    }
                    return .wait
                }
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    /// Shows the log messages of printd.
    func showDaemonLog() async throws {
        let filter = DaemonLogFilter(
            job: job?.number, printer: try choice.name, user: user, since: since, until: until,
            limit: limit ?? (follow ? Self.usualBefore : Self.usualMessages))
        let log = DaemonLog(of: try choices.place, filter)
        let (json, follows) = (choices.json, follow)
        let failure = try await untilInterrupted { () async -> SpoolerClientError? in
            do throws(SpoolerClientError) {
                try await log.read(follows: follows) { entry in
                    StandardOutput.print((json ? entry.json.compactText : entry.text(now: Session.now)) + "\n")
                }
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }
}

/// A writer that writes each ended job as a table row or as a line of JSON.
private struct EndedJobRows {
    let json: Bool
    let isStyled: Bool
    private var form: TextTable.Form?
    private var shown: Set<Int> = []

    init(json: Bool, isStyled: Bool) { (self.json, self.isStyled) = (json, isStyled) }

    /// Returns whether the writer has already written the job with the given number.
    func contains(_ id: Int) -> Bool { shown.contains(id) }

    /// Writes the row or line of a job.
    mutating func show(_ job: AttributeGroup) {
        let view = JobView(job)
        shown.insert(view.id)
        if json {
            StandardOutput.print(JSONText(job.attributes).compactText + "\n")
        } else {
            StandardOutput.print([view].table(now: Session.now, ended: true), following: &form, isStyled: isStyled)
        }
    }
}

extension Spooler {
    /// Returns the attributes of an ended job.
    ///
    /// If the job has been deleted, the attributes come from its event.
    fileprivate func endedJob(_ id: Int, _ event: EventView) async throws(SpoolerClientError) -> AttributeGroup {
        do throws(SpoolerClientError) {
            return try await job(id, JobView.listedNames)
        } catch {
            guard error.code == .usage else { throw error }
            return AttributeGroup(
                .job,
                [
                    Attribute("job-id", .integer(Int32(clamping: id))),
                    Attribute("job-printer-uri", .uri("ipp://localhost/printers/\(event.printer)")),
                    Attribute("job-state", .enumeration(Int32(event.state?.rawValue ?? 0))),
                    Attribute("time-at-completed", .integer(Int32(clamping: Int(event.time)))),
                ])
        }
    }
}
