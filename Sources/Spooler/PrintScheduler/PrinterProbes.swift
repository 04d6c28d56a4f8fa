// Determines when printers that do not respond are asked again.

import PrintModel

/// The printers that could not be reached, and the time of the next request to each printer.
///
/// While a printer is in this table, its undelivered jobs wait, and nothing is stored. The delay between two requests
/// grows as the delay between two delivery attempts (`RetryPolicy`).
struct PrinterProbes: Sendable {
    /// A printer that could not be reached.
    struct Probe: Sendable {
        let printer: ConfiguredPrinter
        /// The job that could not be delivered.
        let jobID: Int
        /// The number of failed attempts to reach the printer for this job.
        var attempts: Int
        /// The time of the last failure.
        var failedAt: UnixTime
        /// The time from the last failure to the next request, in seconds.
        var delay: Double
        /// The start of the request in progress; nil if no request is in progress.
        var startedAt: UnixTime?
        /// Whether the last request took longer than a refused connection takes.
        var isSlow = false
        /// The message of the last failed request.
        var message: String?
        /// Whether the job is delivered again, because the printer responded or failed with another error.
        var isReleased = false
    }

    /// The maximum number of requests that have just started, to printers that refused the last connection.
    private static let mostQuick = 4
    /// The maximum number of requests to printers that did not respond to the last request.
    ///
    /// Such a request ends at a timeout, so it does not delay the requests to other printers.
    private static let mostSlow = 32
    /// The time in seconds after which a request counts as slow.
    private static let quickTime = 1.0

    private var probes: [String: Probe] = [:]

    /// The printers whose jobs wait until the printers respond.
    var unreachable: Set<String> { Set(probes.values.lazy.filter { !$0.isReleased }.map(\.printer.name)) }

    /// Returns the probe of a job that waits until its printer responds.
    func probe(of job: Job) -> Probe? {
        guard let probe = probes[job.printer], probe.jobID == job.id, !probe.isReleased else { return nil }
        return probe
    }

    /// Adds a printer after a delivery attempt that failed because the printer could not be reached.
    ///
    /// - Parameter job: The job's record before the attempt.
    mutating func add(_ printer: ConfiguredPrinter, for job: Job, at now: UnixTime, _ retry: RetryPolicy) {
        let earlier = probes[printer.name].flatMap { $0.jobID == job.id ? $0 : nil }
        let attempts = max(job.attempts, earlier?.attempts ?? 0) + 1
        probes[printer.name] = Probe(
            printer: printer, jobID: job.id, attempts: attempts, failedAt: now,
            delay: retry.delay(afterAttempt: attempts),
            isSlow: earlier?.isSlow ?? false, message: earlier?.message)
    }

    /// Removes a printer, so that its jobs are delivered at their retry times.
    mutating func remove(_ printer: String) { probes[printer] = nil }

    /// Removes all printers except the given printers.
    mutating func keepOnly(_ names: Set<String>) {
        for name in probes.keys where !names.contains(name) { probes[name] = nil }
    }

    /// Makes the printer's job ready for delivery.
    ///
    /// The number of attempts remains known until the job is delivered.
    mutating func release(_ printer: String) { probes[printer]?.isReleased = true }

    /// Returns the requests that start now.
    mutating func start(at now: UnixTime) -> [Probe] {
        var (quick, slow) = (0, 0)
        for probe in probes.values where probe.startedAt != nil {
            if probe.isSlow { slow += 1 } else if isQuick(probe, at: now) { quick += 1 }
        }
        var started: [Probe] = []
        for probe in probes.values.filter({ $0.isWaiting && $0.isDue(at: now) }).sorted(by: { $0.due < $1.due }) {
            guard probe.isSlow ? slow < Self.mostSlow : quick < Self.mostQuick else { continue }
            if probe.isSlow { slow += 1 } else { quick += 1 }
            probes[probe.printer.name]?.startedAt = now
            started.append(probe)
        }
        return started
    }

    /// Returns the time at which the next request may start, unless a request in progress ends earlier.
    func nextStart(after now: UnixTime) -> UnixTime? {
        let waiting = probes.values.lazy.filter(\.isWaiting)
        let next = waiting.filter { !$0.isDue(at: now) }.map(\.due).min()
        guard waiting.contains(where: { $0.isDue(at: now) && !$0.isSlow }) else { return next }
        let turn = probes.values.lazy.filter { isQuick($0, at: now) }.compactMap(\.startedAt).min()
        return [next, turn.map { $0 + Self.quickTime }].compactMap(\.self).min()
    }

    /// Stores that a request has failed.
    ///
    /// If the error differs from the error of the request before, the job is released, because the job's message
    /// describes the error.
    mutating func fail(_ probe: Probe, _ message: String?, at now: UnixTime, _ retry: RetryPolicy) {
        let name = probe.printer.name
        guard var current = probes[name], current.isSame(as: probe), let startedAt = current.startedAt else { return }
        current.isSlow = now - startedAt > Self.quickTime
        current.startedAt = nil
        if let before = current.message, before != message { current.isReleased = true }
        current.message = message
        if !current.isReleased {
            current.attempts += 1
            (current.failedAt, current.delay) = (now, retry.delay(afterAttempt: current.attempts))
        }
        probes[name] = current
    }

    private func isQuick(_ probe: Probe, at now: UnixTime) -> Bool {
        guard let startedAt = probe.startedAt, !probe.isSlow else { return false }
        // If the clock was set back, the start is in the future.
        return (0..<Self.quickTime).contains(now - startedAt)
    }
}

extension PrinterProbes.Probe {
    /// The time of the next request.
    var due: UnixTime { failedAt + delay }

    /// Returns whether the next request is due.
    ///
    /// If the clock was set back, the last failure is in the future, and the request is due too.
    fileprivate func isDue(at now: UnixTime) -> Bool { !(failedAt..<due).contains(now) }

    /// Whether the time of the next request is known, and no request is in progress.
    fileprivate var isWaiting: Bool { !isReleased && startedAt == nil }

    /// Returns whether both probes belong to the same failed delivery attempt.
    fileprivate func isSame(as other: Self) -> Bool {
        jobID == other.jobID && attempts == other.attempts && printer.deviceURI == other.printer.deviceURI
    }
}
