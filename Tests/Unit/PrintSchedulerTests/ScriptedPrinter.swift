import PrintModel
import AsyncPrimitives

/// A printer that does what the test says, and remembers which documents it was given.
actor ScriptedPrinter: PrinterBackend {
    enum Step: Hashable, Sendable { case capabilities, printerStatus, create, send, status, cancel }

    private struct Fault {
        var error: BackendError
        /// Whether the printer did it all the same, and only its answer was lost.
        var isDone: Bool
        /// Whether it happens again and again.
        var stays: Bool
    }

    private struct Remote {
        var name: String
        var status: RemoteJobStatus
    }

    /// The names of the jobs whose documents arrived, in order: what would be on paper.
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
    /// The names of the files that were sent, of each job.
    private(set) var sent: [[String]] = []
    private(set) var sentFormats: [DocumentFormat] = []

    // MARK: - The script

    /// Lets the next request of a kind fail.
    func fail(_ step: Step, with error: BackendError, isDone: Bool = false, stays: Bool = false) {
        faults[step, default: []].append(Fault(error: error, isDone: isDone, stays: stays))
    }

    func mend() { faults = [:] }

    /// Lets requests of a kind wait at a gate; nil takes the gate away.
    func set(_ gate: Gate?, at step: Step) { gates[step] = gate }

    /// From now on jobs print until `show` says otherwise.
    func printSlowly() { printsAtOnce = false }

    /// From now on jobs are in this state when their documents have come.
    func begin(with status: RemoteJobStatus) { beginning = status }

    func show(_ status: RemoteJobStatus, of name: String) {
        for (id, job) in jobs where job.name == name { jobs[id]?.status = status }
    }

    func show(_ status: PrinterStatus) { ownStatus = status }

    func forgetJobs() { jobs = [:] }

    /// From now on what is not asked for otherwise is printed so.
    func set(defaultDuplex: Duplex) { self.defaultDuplex = defaultDuplex }

    /// From now on jobs have numbers only.
    func nameJobsByNumberOnly() { namesJobs = false }

    /// From now on it takes documents of these formats only.
    func take(_ formats: [DocumentFormat], _ rasters: RasterCapabilities) {
        (self.formats, self.rasters) = (formats, rasters)
    }

    /// How often a request of a kind came.
    func count(_ step: Step) -> Int { counts[step] ?? 0 }

    /// Waits until a request of a kind came that often.
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

    /// A job without its document, as if an earlier process had made it.
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

    /// Takes the document of a job.
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
