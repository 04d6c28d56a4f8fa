// A simulated printer: everything but the wire.

package import PrintModel

/// A printer that prints onto page images.
///
/// It takes jobs, queues them, has their pages made by a worker, and then "prints" side by side on a clock: paper and
/// supplies go down, `job.json` and a line in `printer.log` are left behind. It speaks no protocol; a server shows it
/// to clients.
///
///     let printer = try SimulatedPrinter(description, output: "output/color-laser", in: .init(worker: worker))
///     async let running: Void = printer.run()
///     let job = try await printer.createJob(.init(name: "Report", owner: "ann", options: options))
///     let file = printer.nextDocument()                                  // write the document there, then
///     try await printer.addDocument(file, format: .pdf, to: job.id)
///
/// Switched off (its process ended, by whatever), it remembers its job numbers, its paper and its jobs: a job of which
/// nothing had come out waits again, one that had begun to come out is aborted and says how far it came.
package actor SimulatedPrinter {
    /// What the printer is.
    package nonisolated let description: SimulatedPrinterDescription
    /// The printer's output folder.
    package nonisolated var outputFolder: String { folder.path }

    /// How many ended jobs it can still be asked about.
    package static let historyLength = 1_000

    nonisolated let folder: OutputFolder
    nonisolated let surroundings: SimulatorEnvironment

    var memory: OutputFolder.Memory
    /// All jobs that can be asked about, by number.
    var jobs: [Int: SimulatedJob] = [:]
    /// The jobs that have not ended, in the order in which they were made.
    var queue: [Int] = []
    /// The jobs that have ended, the first that did first.
    var history: [Int] = []
    /// The job in the printer's hands.
    var current: Current?
    /// What was raised from outside and stops the printer until it is cleared.
    var conditions: [StopCondition] = []
    /// The faults that are to come.
    var faults: FaultSchedule
    /// The faults that are to come at a moment.
    var delayed: [(fault: Fault, at: UnixTime)] = []
    /// The faults that have begun.
    var active: [ActiveFault] = [] { didSet { putWrongPaperIn() } }
    /// The requests that wait for a fault to end.
    var held: [HeldRequest] = []
    /// When wrong answers end by themselves.
    var answerEnds: [(fault: Fault, end: UnixTime)] = []
    /// How often it was asked whether it takes connections.
    var lastRefusal = 0
    /// Whether it has no power, and when that comes back; nil when someone must see to it.
    var isOff = false
    var backAt: UnixTime?
    /// What the printer itself stumbled upon and looks at again when something changes.
    var obstacle: StopCondition?

    private var news = StateChanges()
    private var observers: [Int: AsyncStream<SimulatorEvent>.Continuation] = [:]
    private var lastObserver = 0
    private let bell = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// The job in the printer's hands.
    struct Current {
        var job: Int
        /// The document being read.
        var reading: Task<Result<RasterizedDocument, WorkError>, Never>?
        /// Whether a side is being printed or the document read, rather than waited for something.
        var isMoving = true
        var pages: [PageImage] = []
        /// The pages whose images have come out.
        var pagesOut: Set<Int> = []
        /// The pages from which on sheets of another size than the printer believes are fed.
        var sheetChanges: [RasterizeRequest.SheetChange] = []
        /// The size of the sheet fed last, if it was another than the printer believes.
        var strangeMedia: Media?
    }

    /// Switches a printer on: its memory and its jobs are read from its output folder.
    ///
    /// - Parameter output: the printer's own output folder; it is made if need be.
    /// - Throws: `fileSystem` when the folder cannot be used.
    package init(
        _ description: SimulatedPrinterDescription, output: String, in surroundings: SimulatorEnvironment
    ) throws(SimulatorError) {
        self.description = description
        self.surroundings = surroundings
        let (planned, now) = (description.faults, surroundings.now())
        faults = FaultSchedule(planned.filter { $0.start.after == nil }, seed: surroundings.seed)
        delayed = planned.compactMap { fault in fault.start.after.map { (fault, now + $0) } }
        folder = try OutputFolder(path: output)
        let restart = try Restart(folder, description, isOfQueue: surroundings.isOfQueue, now: now)
        memory = restart.memory
        jobs = restart.jobs
        queue = restart.queue
        history = restart.history
        for id in queue { if let job = jobs[id] { news.know(job) } }
        answerEnds = planned.filter { $0.start.after == nil }.compactMap { fault in
            fault.secondsOfAnswers.map { (fault, now + $0) }
        }
    }

    /// Reads its memory and its jobs as a printer does that is switched on, and tells what became of them.
    func readMemory() throws(SimulatorError) {
        let restart = try Restart(
            folder, description, isOfQueue: surroundings.isOfQueue, now: surroundings.now())
        let unfinished = queue
        memory = restart.memory
        putWrongPaperIn()
        jobs = restart.jobs
        queue = restart.queue
        history = restart.history
        for id in unfinished { tell(.jobChanged(id)) }
    }

    /// Makes a printer's output folder, and those above it, if need be.
    ///
    /// - Throws: `fileSystem`.
    package static func makeFolder(_ path: String) throws(SimulatorError) { try FileOperations.makeFolders(path) }

    // MARK: - Questions

    /// The job of a number, whether it has ended or not; nil when there is none, or it ended long ago.
    ///
    /// A client that keeps numbers compares the `uuid` as well.
    package func job(_ id: Int) -> SimulatedJob? { jobs[id] }

    /// The jobs that have not ended, in the order in which they will be printed.
    package var unfinishedJobs: [SimulatedJob] { queue.compactMap { jobs[$0] } }

    /// The jobs that have ended, the last one first.
    package var endedJobs: [SimulatedJob] { history.reversed().compactMap { jobs[$0] } }

    /// The printer as it is now.
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
        // A job that has not gone on yet still says why it stopped.
        let printing = current.flatMap { jobs[$0.job] }.flatMap { $0.state == .processingStopped ? nil : $0.message }
        let message = stops.first?.message ?? printing ?? ""
        let words = message.isEmpty && isSpoolFull ? "No room for more jobs; make some" : message
        return PrinterStatus(state: state, reasons: reasons, message: words, isAccepting: !memory.isDisabled)
    }

    /// Everything that keeps the printer from printing its next side.
    var stops: [StopCondition] {
        (memory.isPaused ? [.paused] : []) + conditions + faultStops + (obstacle.map { [$0] } ?? [])
    }

    // MARK: - News

    /// What happens at the printer from now on; an observer that is slow loses the oldest news, never the newest.
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

    /// Tells the log what happened.
    func note(_ event: JobEvent?) {
        guard var event else { return }
        event.printer = description.name
        event.time = surroundings.now()
        event.isAccepting = !memory.isDisabled
        surroundings.note(event)
    }

    /// Has the printer look again whether it can go on.
    func ring() { bell.continuation.yield() }

    /// Waits until the bell rings, the next moment comes at which something changes by itself, or the task is cancelled.
    func untilBell() async {
        releaseDueJobs()
        endDueFaults()
        guard let moment = [nextRelease, nextEnd].compactMap({ $0 }).min() else {
            for await _ in bell.stream { return }
            return
        }
        let span = Duration.seconds(max(0, moment - surroundings.now()))
        await withTaskGroup { group in
            group.addTask { [clock = surroundings.clock] in
                do { try await clock.sleep(for: span) } catch { return }
                await self.ring()
            }
            for await _ in bell.stream { break }
            group.cancelAll()
        }
    }
}

/// A simulated printer at one moment.
package struct SimulatedPrinterStatus: Hashable, Sendable {
    /// Its universal name, which stays as long as its folder does (IPP `printer-uuid`).
    package var uuid: String
    /// State, reasons and words.
    package var printer: PrinterStatus
    /// Whether someone paused it.
    package var isPaused: Bool
    /// The jobs that have not ended.
    package var queuedJobs: Int
    /// The trays; `loaded` is what is in them now, nil when they never run empty.
    package var trays: [SimulatedPrinterDescription.Tray]
    /// The supplies; `level` is how full they are now, in per cent.
    package var supplies: [SimulatedPrinterDescription.Supply]
    /// The sides printed in the printer's life.
    package var impressionsPrinted: Int
    /// The sheets put out in the printer's life.
    package var sheetsPrinted: Int
    /// What an administrator calls it, by IPP attribute; what is not here is as the printer's file says.
    package var settings: [String: String]
    /// When that was last changed; nil when it never was.
    package var configurationChangedAt: UnixTime?
}
