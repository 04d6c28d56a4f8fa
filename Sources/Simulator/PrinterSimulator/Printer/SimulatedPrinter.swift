// A simulated printer without its network interface.

package import PrintModel

/// A printer that prints to page images.
///
/// The printer queues jobs and renders the pages of the jobs with a worker. Then the printer prints one side after the
/// other at times that a clock determines. Printing consumes paper and supplies, and writes `job.json` and a line in
/// `printer.log`. The printer implements no protocol. A server makes the printer available to clients.
///
///     let printer = try SimulatedPrinter(description, output: "output/color-laser", in: .init(worker: worker))
///     async let running: Void = printer.run()
///     let job = try await printer.createJob(.init(name: "Report", owner: "ann", options: options))
///     let file = printer.nextDocument()                                  // write the document there, then
///     try await printer.addDocument(file, format: .pdf, to: job.id)
///
/// The printer stores the job numbers, the paper and the jobs durably, so that no data is lost when the process ends or
/// is killed. After a restart, a job without printed pages waits again. A partly printed job is aborted, and its
/// message contains the number of printed sides.
package actor SimulatedPrinter {
    package nonisolated let description: SimulatedPrinterDescription
    package nonisolated var outputFolder: String { folder.path }

    package static let historyLength = 1_000

    nonisolated let folder: OutputFolder
    nonisolated let environment: SimulatorEnvironment

    var memory: OutputFolder.Memory
    var jobs: [Int: SimulatedJob] = [:]
    /// The numbers of the unfinished jobs, in the order of their creation.
    var queue: [Int] = []
    /// The numbers of the ended jobs, with the oldest job first.
    var history: [Int] = []
    var current: Current?
    /// The failures of switching on that are not cleared yet.
    var conditions: [StopCondition] = []
    /// The faults that have not started or that can start again, except delayed faults.
    var faults: FaultSchedule
    var delayed: [(fault: Fault, at: UnixTime)] = []
    var active: [ActiveFault] = [] { didSet { putWrongPaperIn() } }
    var held: [HeldRequest] = []
    var answerEnds: [(fault: Fault, end: UnixTime)] = []
    /// The sequence number of the newest `Refusal`.
    var lastRefusal = 0
    /// Whether the printer is switched off.
    ///
    /// `backAt` is the time at which the power returns; nil if a command must switch the printer on.
    var isOff = false
    var backAt: UnixTime?
    /// The printer checks the condition again after each change.
    var currentStop: StopCondition?

    private var news = StateChanges()
    private var observers: [Int: AsyncStream<SimulatorEvent>.Continuation] = [:]
    private var lastObserver = 0
    private let wakeUps = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    struct Current {
        var job: Int
        var reading: Task<Result<RasterizedDocument, WorkError>, Never>?
        /// Whether the printer is printing a side or reading the document.
        ///
        /// If false, the printer is waiting.
        var isMoving = true
        var pages: [PageImage] = []
        var pagesOut: Set<Int> = []
        /// The changes of the sheet size that the printer does not detect, for example because a tray contains wrong
        /// paper.
        ///
        /// Each change contains the new size, and the first page on a sheet of this size.
        var sheetChanges: [RasterizeRequest.SheetChange] = []
        /// The actual size of the most recently fed sheet; nil if the sheet has the size that the printer assumes.
        var mismatchedMedia: Media?
    }

    /// Creates a printer, and restores the printer's state and jobs from the output folder.
    ///
    /// - Parameter output: The printer's output folder, which is created if needed.
    /// - Throws: `fileSystem` if the folder cannot be used.
    package init(
        _ description: SimulatedPrinterDescription, output: String, in environment: SimulatorEnvironment
    ) throws(SimulatorError) {
        self.description = description
        self.environment = environment
        let (planned, now) = (description.faults, environment.now())
        faults = FaultSchedule(planned.filter { $0.start.after == nil }, seed: environment.seed)
        delayed = planned.compactMap { fault in fault.start.after.map { (fault, now + $0) } }
        folder = try OutputFolder(path: output, remove: environment.remove)
        let restart = try Restart(folder, description, isOfQueue: environment.isOfQueue, now: now)
        memory = restart.memory
        environment.jobNumbers.reserve(below: memory.nextJobID)
        jobs = restart.jobs
        queue = restart.queue
        history = restart.history
        for id in queue { if let job = jobs[id] { news.know(job) } }
        if let kept = environment.keptJobs {
            for id in history.prefix(max(0, history.count - kept)) {
                if let job = jobs.removeValue(forKey: id) { folder.removeJob(job.folder) }
            }
            history.removeFirst(max(0, history.count - kept))
        }
        answerEnds = planned.filter { $0.start.after == nil }.compactMap { fault in
            fault.secondsOfAnswers.map { (fault, now + $0) }
        }
    }

    func readMemory() throws(SimulatorError) {
        let restart = try Restart(
            folder, description, isOfQueue: environment.isOfQueue, now: environment.now())
        let unfinished = queue
        memory = restart.memory
        environment.jobNumbers.reserve(below: memory.nextJobID)
        putWrongPaperIn()
        jobs = restart.jobs
        queue = restart.queue
        history = restart.history
        for id in unfinished { tell(.jobChanged(id)) }
    }

    package static func makeFolder(_ path: String) throws(SimulatorError) { try FileOperations.makeFolders(path) }

    // MARK: - State

    /// A client that stores job numbers must compare the `uuid` too.
    package func job(_ id: Int) -> SimulatedJob? { jobs[id] }

    /// The unfinished jobs, in the order of their creation.
    package var unfinishedJobs: [SimulatedJob] { queue.compactMap { jobs[$0] } }

    /// The ended jobs, with the newest job first.
    package var endedJobs: [SimulatedJob] { history.reversed().compactMap { jobs[$0] } }

    package var status: SimulatedPrinterStatus {
        SimulatedPrinterStatus(
            uuid: memory.uuid, printer: printerStatus, isPaused: memory.isPaused, queuedJobs: queue.count,
            trays: description.trays.map(memory.stock.tray),
            supplies: description.supplies.map {
                var supply = $0
                supply.level = memory.stock.levels[$0.name] ?? $0.level
                return supply
            },
            impressionsPrinted: memory.stock.impressionsPrinted, sheetsPrinted: memory.stock.sheetsPrinted,
            settings: memory.settings, configurationChangedAt: memory.configurationChangedAt)
    }

    private var printerStatus: PrinterStatus {
        let stops = stops
        let isMoving = current?.isMoving ?? false
        var reasons = stops.map { $0 == .paused && isMoving ? "moving-to-paused" : $0.keyword }
        reasons += memory.stock.lowSupplies(of: description) + faultWarnings
        if isOff { return PrinterStatus(state: .stopped, reasons: ["shutdown"], message: "Switched off") }
        let isStopped = !isMoving && !stops.isEmpty
        let state: PrinterState = isStopped ? .stopped : current == nil ? .idle : .processing
        // A job that has not continued yet still has the message of its stop.
        let printing = current.flatMap { jobs[$0.job] }.flatMap { $0.state == .processingStopped ? nil : $0.message }
        let message = stops.first?.message ?? printing ?? ""
        let text = message.isEmpty && isSpoolFull ? "No space for more jobs; free some space" : message
        return PrinterStatus(state: state, reasons: reasons, message: text, isAccepting: !memory.isDisabled)
    }

    var stops: [StopCondition] {
        (memory.isPaused ? [.paused] : []) + conditions + faultStops + (currentStop.map { [$0] } ?? [])
    }

    // MARK: - Events

    /// A slow observer loses the oldest events.
    package func events() -> AsyncStream<SimulatorEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SimulatorEvent.self, bufferingPolicy: .bufferingNewest(256))
        lastObserver += 1
        let number = lastObserver
        observers[number] = continuation
        return stream
    }

    func tell(_ event: SimulatorEvent) {
        switch event {
        case .jobChanged(let id): if let job = jobs[id] { note(news.of(job)) }
        case .printerChanged: note(news.of(printerStatus))
        }
        for (number, observer) in observers {
            if case .terminated = observer.yield(event) { observers[number] = nil }
        }
    }

    /// The function adds the printer's name, the time, and whether the printer accepts jobs.
    func note(_ event: JobEvent?) {
        guard var event else { return }
        event.printer = description.name
        event.time = environment.now()
        event.isAccepting = !memory.isDisabled
        environment.note(event)
    }

    func wake() { wakeUps.continuation.yield() }

    /// Waits for a call of `wake()`, the next planned change, or the cancellation of the task.
    func untilWake() async {
        releaseDueJobs()
        endDueFaults()
        guard let moment = [nextRelease, nextEnd].compactMap({ $0 }).min() else {
            for await _ in wakeUps.stream { return }
            return
        }
        let span = Duration.seconds(max(0, moment - environment.now()))
        await withTaskGroup { group in
            group.addTask { [clock = environment.clock] in
                do { try await clock.sleep(for: span) } catch { return }
                await self.wake()
            }
            for await _ in wakeUps.stream { break }
            group.cancelAll()
        }
    }
}

package struct SimulatedPrinterStatus: Hashable, Sendable {
    /// The UUID of the printer (IPP `printer-uuid`), as stored in the output folder.
    package var uuid: String
    package var printer: PrinterStatus
    package var isPaused: Bool
    package var queuedJobs: Int
    /// The trays with their current contents.
    ///
    /// `loaded` is the current amount; nil for a tray that never runs empty.
    package var trays: [SimulatedPrinterDescription.Tray]
    /// The supplies with their current levels.
    ///
    /// `level` is the current level in percent.
    package var supplies: [SimulatedPrinterDescription.Supply]
    package var impressionsPrinted: Int
    package var sheetsPrinted: Int
    /// The attributes that an administrator has set, by IPP name.
    ///
    /// All other attributes have the values from the printer file.
    package var settings: [String: String]
    /// The time of the last change of `settings`; nil if `settings` was never changed.
    package var configurationChangedAt: UnixTime?
}
