// The metrics of a spool.

import CoreMetrics
package import OpenMetrics
package import PrintModel
package import PrintScheduler
import PrintSpool
import ServiceLifecycle
import Synchronization

/// The metrics of a spool: counters that are updated from the event log, and gauges that are read for each request.
///
/// The labels are names of printers, states and errors. The metrics contain no names of users, jobs or documents.
///
///     let metrics = SpoolMetrics(events, directory: directory, after: lastEvent)
///     MeasuredWorker(worker, metrics: metrics.factory)
///     async let following: Void = metrics.run()
///     let text = MetricsText.text(of: await metrics.families())
package final class SpoolMetrics: Service {
    /// The backend that records counters and histograms.
    package let factory: OpenMetricsFactory

    private let events: RecentEvents
    private var spool: Spool { events.spool }
    private let directory: PrinterDirectory
    private let clock: @Sendable () -> UnixTime
    private let follower: Mutex<Follower>

    /// The progress of the service that reads the event log.
    private struct Follower {
        /// The number of the last event that was processed.
        var event: Int
        /// The delay between the last event and its processing, in seconds.
        var lag = 0.0
    }

    /// Creates the metrics of a spool.
    ///
    /// - Parameter event: The number of the event after which counting starts.
    package init(
        _ events: RecentEvents, directory: PrinterDirectory, after event: Int,
        clock: @escaping @Sendable () -> UnixTime = Spool.systemTime
    ) {
        self.events = events
        self.directory = directory
        self.clock = clock
        factory = OpenMetricsFactory(Self.descriptions)
        follower = Mutex(Follower(event: event))
    }

    static let prepareTime = "printq_prepare_seconds"
    static let workerFailures = "printq_worker_failures"
    private static let printTime = "printq_print_seconds"
    private static let sides = "printq_sides_printed"
    private static let sheets = "printq_sheets_printed"
    private static let accepted = "printq_jobs_accepted"
    private static let ended = "printq_jobs_ended"

    private static let descriptions = [
        MetricDescription(
            prepareTime, unit: "seconds",
            bounds: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300],
            help: "Time to convert and lay out (prepare) or to draw (render) the documents of a job."),
        MetricDescription(
            printTime, unit: "seconds", bounds: [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 14_400],
            help: "Time from the start of a job to its completion."),
        MetricDescription(
            workerFailures, help: "Failed requests to document workers, by operation and error."),
        MetricDescription(sides, help: "Printed sides that are not blank, counted when their job ends."),
        MetricDescription(sheets, help: "Printed sheets, counted when their job ends."),
        MetricDescription(accepted, help: "Jobs that were accepted."),
        MetricDescription(ended, help: "Jobs that have ended, by final state."),
    ]

    // MARK: - Counters

    /// Counts the events of the event log until the task is canceled or a graceful shutdown begins.
    package func run() async throws {
        await cancelWhenGracefulShutdown { await self.follow() }
    }

    private func follow() async {
        // The stream is created before the first query, so that no change is missed.
        var changes = spool.changes().makeAsyncIterator()
        repeat {
            await countNewEvents()
            try? await Task.sleep(for: Spool.observerPause)
        } while await changes.next() != nil
    }

    private func countNewEvents() async {
        while !Task.isCancelled {
            let last = follower.withLock(\.event)
            // After an error, the next commit wakes the loop again.
            guard let events = try? await events.page(after: last, limit: Self.pageSize).events,
                let newest = events.last
            else { return }
            for event in events { await count(event) }
            let lag = max(0, clock() - newest.time)
            follower.withLock { $0 = Follower(event: newest.sequence, lag: lag) }
            if events.count < Self.pageSize { return }
        }
    }

    /// The maximum number of events per read operation.
    private static let pageSize = 1000

    private func count(_ event: JobEvent) async {
        let printer = ("printer", event.printer)
        switch event.kind {
        case "job-created":
            Counter(label: Self.accepted, dimensions: [printer], factory: factory).increment()
        case "job-completed":
            guard let id = event.jobID, let state = event.state else { return }
            Counter(label: Self.ended, dimensions: [printer, ("state", "\(state)")], factory: factory).increment()
            guard let job = try? await spool.job(id) else { return }
            Counter(label: Self.sides, dimensions: [printer], factory: factory)
                .increment(by: max(0, job.printedImpressions))
            Counter(label: Self.sheets, dimensions: [printer], factory: factory)
                .increment(by: max(0, job.sheetsCompleted))
            guard state == .completed, let start = job.processingAt, let end = job.completedAt, end >= start else {
                return
            }
            Timer(label: Self.printTime, dimensions: [printer], factory: factory)
                .recordSeconds(end - start)
        default: break
        }
    }

    // MARK: - Gauges

    /// Returns all metrics.
    ///
    /// The function reads the spool and the cached status of the printers, and sends no request to a printer.
    package func families() async -> [MetricFamily] { factory.families + (await gauges()) }

    private func gauges() async -> [MetricFamily] {
        var depth = MetricFamily("printq_queue_depth", .gauge, help: "Jobs that have not ended.")
        var states = MetricFamily("printq_jobs", .gauge, help: "Jobs that have not ended, by state.")
        var age = MetricFamily(
            "printq_oldest_job_age_seconds", .gauge, unit: "seconds",
            help: "Age of the oldest unfinished job that is not held.")
        let now = clock()
        let printers = (try? await spool.printers()) ?? []
        let counts = (try? await spool.countUnfinishedJobs()) ?? []
        let byPrinter = Dictionary(grouping: counts, by: \.printer)
        for name in Set(printers.map(\.name)).union(byPrinter.keys).sorted().prefix(factory.seriesLimit) {
            let own = byPrinter[name] ?? []
            let label = ("printer", name)
            depth.add(Double(own.reduce(0) { $0 + $1.jobs }), [label])
            for state in JobState.allCases where !state.isTerminal {
                let number = own.filter { $0.state == state }.reduce(0) { $0 + $1.jobs }
                states.add(Double(number), [label, ("state", "\(state)")])
            }
            let oldest = own.filter { $0.state != .pendingHeld }.map(\.oldest).min()
            age.add(oldest.map { max(0, now - $0) } ?? 0, [label])
        }
        return [depth, states, age] + (await printerFamilies(printers, byPrinter)) + (await eventFamilies())
            + hostFamilies()
    }

    /// Returns the metrics of the leases; empty if the spool is not shared.
    private func hostFamilies() -> [MetricFamily] {
        guard spool.isShared else { return [] }
        var leases = MetricFamily("printq_host_leases", .gauge, help: "Printers that this host drives.")
        leases.add(Double(spool.leases.count))
        var renewal = MetricFamily(
            "printq_lease_renewal_age_seconds", .gauge, unit: "seconds",
            help: "Time since the last renewal of the leases. Other hosts take over the printers "
                + "after 10 seconds without a renewal.")
        if let age = spool.timeSinceRenewal { renewal.add(age / .seconds(1)) }
        return [leases, renewal]
    }

    private static let printerStates = [PrinterState.idle, .processing, .stopped].map { "\($0)" }

    private func printerFamilies(
        _ printers: [ConfiguredPrinter], _ counts: [String: [JobCount]]
    ) async -> [MetricFamily] {
        var state = MetricFamily("printq_printer_state", .stateset, help: "State of the printer (IPP printer-state).")
        var accepting = MetricFamily(
            "printq_printer_accepting", .gauge, help: "Whether the printer accepts new jobs: 1 or 0.")
        var responding = MetricFamily(
            "printq_printer_responding", .gauge,
            help: "Whether the printer responded to the last request: 1 or 0. "
                + "Printers that have received no request are omitted.")
        for printer in printers {
            let label = ("printer", printer.name)
            let known = await directory.lastStatus(of: printer)
            let shown = Self.state(of: printer, jobs: counts[printer.name] ?? [], device: known?.status)
            state.add(states: ["\(shown)"], of: Self.printerStates, [label])
            accepting.add(printer.isAccepting ? 1 : 0, [label])
            if let known { responding.add(known.status == nil ? 0 : 1, [label]) }
        }
        return [state, accepting, responding]
    }

    /// Returns the state of a printer.
    ///
    /// The state depends on the settings, the jobs and the last response of the printer.
    static func state(of printer: ConfiguredPrinter, jobs: [JobCount], device: PrinterStatus?) -> PrinterState {
        if printer.isPaused || jobs.contains(where: { $0.state == .processingStopped }) { return .stopped }
        if jobs.contains(where: { $0.state == .processing }) { return .processing }
        return device?.state == .stopped ? .stopped : .idle
    }

    private func eventFamilies() async -> [MetricFamily] {
        let (followed, lag) = follower.withLock { ($0.event, $0.lag) }
        let latest = (try? await spool.latestEventSequence()) ?? 0
        var number = MetricFamily("printq_events", .counter, help: "Events that the spool has recorded.")
        number.add(Double(latest))
        var waiting = MetricFamily(
            "printq_event_lag", .gauge, help: "Stored events that the metrics have not processed yet.")
        waiting.add(Double(max(0, latest - followed)))
        var delay = MetricFamily(
            "printq_event_lag_seconds", .gauge, unit: "seconds",
            help: "Time from the last processed event until its processing.")
        delay.add(lag)
        return [number, waiting, delay]
    }
}
