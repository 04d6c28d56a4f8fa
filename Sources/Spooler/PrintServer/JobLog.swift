// Writes the changes of jobs and printers to the log of the program.

package import Logging
import PrintModel
import PrintSpool
import ServiceLifecycle

/// A service that reads the event log of a spool, and writes important changes to the log of `printd`.
///
/// The metadata keys are `job`, `printer`, `user` and `reasons`. The log contains no names of jobs and documents.
/// Messages of printers can contain such names. Therefore the log contains no messages of printers. `printq why` shows
/// the messages to the job's owner.
package struct JobLog: Service {
    private let events: RecentEvents
    private let logger: Logger
    private let start: Int

    /// The maximum number of events per read operation.
    private static let pageSize = 1000

    /// Creates a service that logs the events of a spool.
    ///
    /// - Parameter event: The number of the event after which logging starts.
    package init(_ events: RecentEvents, after event: Int, logger: Logger) {
        (self.events, self.start, self.logger) = (events, event, logger)
    }

    /// Follows the event log until the task is canceled or a graceful shutdown begins.
    ///
    /// The function logs all events that were stored before a graceful shutdown. Place this service first in its
    /// service group, so that the service shuts down last.
    package func run() async throws {
        var progress = await cancelWhenGracefulShutdown { await follow() }
        await log(&progress)
    }

    /// The number of the last event that was read, and the state of the log after this event.
    private struct Progress {
        var event: Int
        var entries = JobLogEntries()
    }

    private func follow() async -> Progress {
        var progress = Progress(event: start)
        // The stream is created before the first query, so that no change is missed.
        var changes = events.spool.changes().makeAsyncIterator()
        repeat {
            await log(&progress)
            try? await Task.sleep(for: Spool.observerPause)
        } while await changes.next() != nil
        return progress
    }

    private func log(_ progress: inout Progress) async {
        while !Task.isCancelled {
            // After an error, the next commit wakes the loop again.
            guard let events = try? await events.page(after: progress.event, limit: Self.pageSize).events,
                let newest = events.last
            else { return }
            for event in events {
                guard let entry = progress.entries.entry(for: event) else { continue }
                logger.log(level: entry.level, "\(entry.message)", metadata: entry.metadata)
            }
            progress.event = newest.sequence
            if events.count < Self.pageSize { return }
        }
    }
}

/// The log entry for an event.
struct JobLogEntry: Equatable {
    var level: Logger.Level
    var message: String
    var metadata: Logger.Metadata
}

/// The rules that select the events to log.
///
/// An event that changes only the reasons of a state is not logged.
struct JobLogEntries {
    /// The last logged state of each job that has not ended.
    private var jobs: [Int: JobState] = [:]
    /// The names of printers whose last logged state is stopped.
    private var stopped: Set<String> = []

    /// Returns the entry for the next event; nil if the event is not logged.
    mutating func entry(for event: JobEvent) -> JobLogEntry? {
        guard let id = event.jobID else { return printerEntry(for: event) }
        guard let (level, message) = change(of: id, in: event) else { return nil }
        var metadata: Logger.Metadata = ["job": "\(id)", "printer": "\(event.printer)"]
        if let owner = event.owner { metadata["user"] = "\(owner)" }
        return entry(level, message, metadata, event)
    }

    private func entry(
        _ level: Logger.Level, _ message: String, _ metadata: Logger.Metadata, _ event: JobEvent
    ) -> JobLogEntry {
        var metadata = metadata
        if !event.reasons.isEmpty { metadata["reasons"] = "\(event.reasons.joined(separator: " "))" }
        return JobLogEntry(level: level, message: message, metadata: metadata)
    }

    private mutating func change(of id: Int, in event: JobEvent) -> (Logger.Level, String)? {
        switch (event.kind, event.state) {
        case ("job-created", _): return (.info, "job accepted")
        case ("job-completed", let state?):
            jobs[id] = nil
            switch state {
            case .aborted: return (.warning, "job aborted")
            case .canceled: return (.info, "job canceled")
            default: return (.info, "job completed")
            }
        case ("job-state-changed", let state?):
            guard jobs.updateValue(state, forKey: id) != state else { return nil }
            switch state {
            case .processing: return (.info, "job started")
            case .processingStopped where event.reasons.contains(JobStateReason.jobSuspended.rawValue):
                return (.warning, "job suspended")
            case .processingStopped: return (.warning, "job stopped because the printer stopped")
            case .pendingHeld: return (.info, "job held")
            case .pending: return (.info, "job waits")
            case .completed, .aborted, .canceled: return nil
            }
        default: return nil
        }
    }

    private mutating func printerEntry(for event: JobEvent) -> JobLogEntry? {
        let metadata: Logger.Metadata = ["printer": "\(event.printer)"]
        switch event.kind {
        case "printer-added": return entry(.info, "printer added", metadata, event)
        case "printer-deleted":
            stopped.remove(event.printer)
            return entry(.info, "printer removed", metadata, event)
        case "printer-state-changed" where event.printerState == .stopped:
            return stopped.insert(event.printer).inserted ? entry(.warning, "printer stopped", metadata, event) : nil
        case "printer-state-changed":
            return stopped.remove(event.printer) == nil ? nil : entry(.info, "printer resumed", metadata, event)
        default: return nil
        }
    }
}
