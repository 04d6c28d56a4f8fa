import PrintModel
import AsyncPrimitives

/// A printer that follows the test's script and records the documents it receives.
actor ScriptedPrinter: PrinterBackend {
    enum Step: Hashable, Sendable { case capabilities, printerStatus, create, send, status, cancel }

    private struct Fault {
        var error: BackendError
        /// Whether the printer executes the request and only the response is lost.
        var isDone: Bool
        /// Whether the failure is repeated.
        var stays: Bool
    }

    private struct Remote {
        var name: String
        var status: RemoteJobStatus
    }

    /// The names of the jobs whose documents arrived, in the order of arrival.
    private(set) var received: [String] = []
    private(set) var canceled: [String] = []
    private var jobs: [Int: Remote] = [:]
    private var nextID = 100
    private var faults: [Step: [Fault]] = [:]
    private var gates: [Step: Gate] = [:]
    private var counts: [Step: Int] = [:]
    private var watchers: [(step: Step, count: Int, signal: Signal)] = []
    private var printsAtOnce = true
    private var beginning: RemoteJobStatus?
    private var ownStatus = PrinterStatus(state: .idle)
    private var defaultDuplex = Duplex.none
    private var namesJobs = true
    private var formats: [DocumentFormat] = [.pdf]
    private var rasters = RasterCapabilities()
    /// The names of the files that were sent for each job.
    private(set) var sent: [[String]] = []
    private(set) var sentFormats: [DocumentFormat] = []

    // MARK: - The script

    /// Makes the next request of a kind fail.
    func fail(_ step: Step, with error: BackendError, isDone: Bool = false, stays: Bool = false) {
        faults[step, default: []].append(Fault(error: error, isDone: isDone, stays: stays))
    }

    func mend() { faults = [:] }

    /// Makes requests of a kind wait at a gate; nil removes the gate.
    func set(_ gate: Gate?, at step: Step) { gates[step] = gate }

    /// Makes jobs print until `show` sets another status.
    func printSlowly() { printsAtOnce = false }

    /// Sets the status that a job has after its document has arrived.
    func begin(with status: RemoteJobStatus) { beginning = status }

    func show(_ status: RemoteJobStatus, of name: String) {
        for (id, job) in jobs where job.name == name { jobs[id]?.status = status }
    }

    func show(_ status: PrinterStatus) { ownStatus = status }

    func forgetJobs() { jobs = [:] }

    /// Sets the default duplex mode.
    func set(defaultDuplex: Duplex) { self.defaultDuplex = defaultDuplex }

    /// Makes the printer assign job numbers without UUIDs.
    func nameJobsByNumberOnly() { namesJobs = false }

    /// Makes the printer accept only documents of these formats.
    func take(_ formats: [DocumentFormat], _ rasters: RasterCapabilities) {
        (self.formats, self.rasters) = (formats, rasters)
    }

    /// Returns the number of requests of a kind.
    func count(_ step: Step) -> Int { counts[step] ?? 0 }

    /// Waits until the given number of requests of a kind has arrived.
    func wait(for step: Step, count: Int) async {
        guard self.count(step) < count else { return }
        let signal = Signal()
        watchers.append((step, count, signal))
        await signal.wait()
    }

    // MARK: - The printer

    func capabilities() async throws(BackendError) -> PrinterCapabilities {
        try await answer(.capabilities) {
            PrinterCapabilities(
                makeAndModel: "Scripted", papers: [PrintPaper(media: .a4)], defaultMedia: .a4,
                duplexModes: Duplex.allCases, defaultDuplex: defaultDuplex, formats: formats,
                rasters: rasters)
        }
    }

    func status() async throws(BackendError) -> PrinterStatus { try await answer(.printerStatus) { ownStatus } }

    func createJob(_ request: DeliveryRequest) async throws(BackendError) -> RemoteJob {
        try await answer(.create) { makeJob(request.name) }
    }

    /// Creates a job without a document, as if an earlier scheduler had created the job.
    func makeJob(_ name: String) -> RemoteJob {
        nextID += 1
        jobs[nextID] = Remote(
            name: name,
            status: RemoteJobStatus(state: .pending, reasons: [.jobDataInsufficient], impressionsCompleted: 0))
        return remote(nextID)
    }

    func sendDocument(_ path: String, format: DocumentFormat, to job: RemoteJob) async throws(BackendError) {
        try await sendDocuments([path], format: format, to: job)
    }

    func sendDocuments(_ paths: [String], format: DocumentFormat, to job: RemoteJob) async throws(BackendError) {
        sent.append(paths.map { String($0.split(separator: "/").last ?? "") })
        sentFormats.append(format)
        try await answer(.send) { receive(job) }
    }

    /// Accepts the document of a job.
    func receive(_ job: RemoteJob) {
        guard let name = jobs[job.id]?.name else { return }
        received.append(name)
        jobs[job.id]?.status = beginning ?? RemoteJobStatus(state: printsAtOnce ? .completed : .processing)
    }

    func jobStatus(_ job: RemoteJob) async throws(BackendError) -> RemoteJobStatus? {
        try await answer(.status) { job == remote(job.id) ? jobs[job.id]?.status : nil }
    }

    func cancelJob(_ job: RemoteJob) async throws(BackendError) {
        try await answer(.cancel) {
            guard let found = jobs[job.id], !found.status.state.isTerminal else { return }
            canceled.append(found.name)
            jobs[job.id]?.status.state = .canceled
            jobs[job.id]?.status.reasons = [.jobCanceledByUser]
        }
    }

    private func remote(_ id: Int) -> RemoteJob { RemoteJob(id: id, uuid: namesJobs ? "urn:uuid:\(id)" : nil) }

    private func answer<Answer>(_ step: Step, _ effect: () -> Answer) async throws(BackendError) -> Answer {
        counts[step, default: 0] += 1
        for watcher in watchers where watcher.step == step && watcher.count == count(step) {
            watcher.signal.give()
        }
        watchers.removeAll { $0.step == step && $0.count == count(step) }
        if let gate = gates[step] {
            do throws(CancellationError) {
                try await gate.pass()
            } catch {
                throw BackendError(.unreachable, "the connection was cut", mayHaveBeenReceived: step == .send)
            }
        }
        if let fault = faults[step]?.first {
            if !fault.stays { faults[step]?.removeFirst() }
            if fault.isDone { _ = effect() }
            throw fault.error
        }
        return effect()
    }
}

extension BackendError {
    static let silent = BackendError(.unreachable, "the printer does not answer")
}
