// Starts the jobs of the queue.

public import Logging
public import PrintModel
public import PrintSpool
public import ServiceLifecycle
import AsyncPrimitives
import Synchronization

/// The service that prints the jobs of the queue.
///
/// Each printer prints the jobs of its queue in order, and printers work in parallel.
///
/// One loop wakes when the spool changes, when a job ends, and at due times (the end of a hold, the next attempt). The
/// loop claims the jobs that can be printed now, and starts a `JobRun` for each claimed job. While a printer prints,
/// `PreparationRun` prepares its next jobs. The scheduling rules are in the SQL statements of the spool and in
/// `JobStateMachine`. Each `JobRun` delivers one job.
public actor Scheduler: Service {
    /// The order in which jobs are claimed.
    public nonisolated var order: QueueOrder { currentOrder.withLock { $0 } }

    private nonisolated let currentOrder: Mutex<QueueOrder>
    private nonisolated let currentRetry: Mutex<RetryPolicy>
    nonisolated var retry: RetryPolicy { currentRetry.withLock { $0 } }
    let spool: Spool
    let logger: Logger
    let directory: PrinterDirectory
    private let worker: any DocumentWorking
    nonisolated let clock: @Sendable () -> UnixTime
    private let sleeper: any Clock<Duration>
    let workClock: any Clock<Duration>

    /// The jobs in progress, by job number.
    var running: [Int: Running] = [:]
    /// The preparations for waiting jobs, in progress or finished, by job number.
    var preparations: [Int: Preparation] = [:]
    /// The printers whose jobs in progress this process has not recovered yet.
    ///
    /// An earlier process or another host has started these jobs.
    var unrecovered = UnrecoveredPrinters.all
    /// The printers whose next job cannot be claimed or recovered because of an error that does not concern all jobs.
    var failing: Set<String> = []
    /// Whether a job that is due cannot be released because of an error that does not concern all jobs.
    private var cannotRelease = false
    /// The jobs that were canceled while jobs are claimed; nil if no jobs are claimed now.
    var stoppedWhileClaimed: Set<Int>?
    /// The leases that this scheduler knows, by printer; empty if the spool is not shared.
    var leases: [String: PrinterLease] = [:]
    /// The printers that could not be reached, whose jobs wait until the printers respond.
    nonisolated let probes = Mutex(PrinterProbes())
    private let wakeUps: AsyncStream<Void>
    let wakeUp: AsyncStream<Void>.Continuation
    let probeWakeUps: AsyncStream<Void>
    nonisolated let probeWakeUp: AsyncStream<Void>.Continuation

    /// A job in progress.
    struct Running {
        var printer: String
        var stop: Signal
        /// The signal that the worker has prepared the document.
        var ready: Signal
        /// The preparation of the document; nil for a job that is looked up at its printer.
        var preparation: Preparation?
        /// The lease under which the job is in progress; nil if the spool is not shared.
        var lease: PrinterLease?
        /// The signal that this process no longer drives the printer, so that the run must end without a result.
        var lost = Signal()
    }

    /// A set of printers whose jobs in progress are not recovered yet.
    enum UnrecoveredPrinters {
        /// All printers, at the start of a process and after a temporary error.
        case all
        /// The printers with these names.
        case some(Set<String>)

        func contains(_ printer: String) -> Bool {
            switch self {
            case .all: true
            case .some(let printers): printers.contains(printer)
            }
        }

        mutating func insert(_ names: Set<String>) {
            if case .some(let printers) = self { self = .some(printers.union(names)) }
        }
    }

    /// Creates a scheduler for a spool.
    ///
    /// - Parameters:
    ///   - directory: The backends of the printers.
    ///   - worker: The service that inspects and prepares documents.
    ///   - order: The order in which jobs are claimed.
    ///   - retry: The times at which an undelivered job is retried.
    ///   - clock: The wall-clock time in seconds since 1970. Pass the spool's clock.
    ///   - sleeper: The clock that the scheduler uses to wait.
    ///   - workClock: The clock that determines which preparations take long.
    public init(
        spool: Spool, directory: PrinterDirectory, worker: any DocumentWorking, order: QueueOrder = .perPrinter,
        retry: RetryPolicy = .standard, clock: @escaping @Sendable () -> UnixTime = Spool.systemTime,
        sleeper: any Clock<Duration> = ContinuousClock(), workClock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.spool = spool
        self.directory = directory
        self.worker = worker
        currentOrder = Mutex(order)
        currentRetry = Mutex(retry)
        self.clock = clock
        self.sleeper = sleeper
        self.workClock = workClock
        self.logger = logger
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (probeWakeUps, probeWakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether no job is in progress.
    public var isIdle: Bool { running.isEmpty }

    /// Prints jobs until the task is canceled or a graceful shutdown begins.
    ///
    /// The next start continues the jobs in progress.
    public func run() async throws {
        let (wakeUp, probeWakeUp) = (wakeUp, probeWakeUp)
        let recoveries = await directory.recoveries()
        await withTaskCancellationOrGracefulShutdownHandler {
            await spool.wake({ wakeUp.yield() }) {
                await withDiscardingTaskGroup { group in
                    group.addTask {
                        for await printer in recoveries { await self.printerAnswered(printer) }
                    }
                    group.addTask { await self.probePrinters() }
                    var wakeUps = wakeUps.makeAsyncIterator()
                    repeat {
                        let pause = await processQueue(in: &group)
                        guard await wait(for: &wakeUps, atMost: pause, wakeUp) else { break }
                    } while true
                    group.cancelAll()
                }
            }
        } onCancelOrGracefulShutdown: {
            wakeUp.finish()
            probeWakeUp.finish()
        }
    }

    /// Changes the times at which the jobs that are claimed next are retried.
    public nonisolated func setRetry(_ retry: RetryPolicy) { currentRetry.withLock { $0 = retry } }

    /// Changes the order in which the next jobs are claimed.
    ///
    /// Jobs in progress continue.
    public nonisolated func setOrder(_ order: QueueOrder) {
        currentOrder.withLock { $0 = order }
        wake()
    }

    /// Makes the scheduler check the queue again.
    public nonisolated func wake() { wakeUp.yield() }

    /// Stops the delivery of a canceled job.
    ///
    /// The job ends when the printer has stopped printing the job.
    ///
    /// If the scheduler claims the job at the same time, the delivery stops when it starts.
    public func stopSending(_ jobID: Int) {
        if let run = running[jobID] { run.stop.give() } else { stoppedWhileClaimed?.insert(jobID) }
    }

    /// Retries the postponed jobs of a printer immediately.
    ///
    /// Call this function after a person has changed or resumed the printer.
    public nonisolated func tryAgain(printer: String) async {
        probes.withLock { $0.remove(printer) }
        await printerAnswered(printer)
    }

    /// Retries the postponed jobs of a printer that responds again.
    nonisolated func printerAnswered(_ printer: String) async {
        probes.withLock { $0.release(printer) }
        do throws(SpoolError) {
            if try await spool.tryAgain(printer: printer) {
                logger.info("the printer responds again", metadata: ["printer": "\(printer)"])
            }
        } catch {
            // The jobs are retried at their scheduled time.
            logger.error("cannot retry a job before its scheduled time", metadata: ["error": "\(error)"])
        }
    }

    // MARK: - The loop

    /// Starts the jobs and preparations that can start now.
    ///
    /// - Returns: The number of seconds until the next due time; nil if no job has a due time.
    private func processQueue(in group: inout DiscardingTaskGroup) async -> Double? {
        do throws(SpoolError) {
            try await followOtherHosts()
            try await recoverJobs(in: &group)
            let now = clock()
            try await release(now)
            try await removeStalePreparations()
            try await claimAll(at: now, in: &group)
            try await letOthersPass(at: now)
            try await prepareAhead(at: now, in: &group)
            // The clock may be changed, so the scheduler sleeps for one minute at most.
            let pause = try await spool.nextDueTime(after: now).map { max(0.01, min($0 - clock(), 60)) }
            return failing.isEmpty && !cannotRelease ? pause : 1
        } catch {
            // The error may be temporary, such as a full disk or a lock. If it is unknown whether the database saved
            // the start of a job, the job may be in progress without a run.
            unrecovered = .all
            logger.error("the queue cannot be read; trying again", metadata: ["error": "\(error)"])
            return 1
        }
    }

    private func release(_ now: UnixTime) async throws(SpoolError) {
        let couldRelease = !cannotRelease
        cannotRelease = false
        guard try await spool.hasDueJobs(now: now) else { return }
        do throws(SpoolError) {
            _ = try await spool.releaseDueJobs(now: now)
        } catch {
            guard !error.concernsAllJobs else { throw error }
            cannotRelease = true
            guard couldRelease else { return }
            logger.error("a job that is due cannot be released; trying again", metadata: ["error": "\(error)"])
        }
    }

    /// Waits until the scheduler is woken, or until the given number of seconds has passed.
    ///
    /// Returns `false` if the scheduler must stop.
    func wait(
        for wakeUps: inout AsyncStream<Void>.Iterator, atMost seconds: Double?,
        _ wakeUp: AsyncStream<Void>.Continuation
    ) async -> Bool {
        guard let seconds else { return await wakeUps.next(isolation: self) != nil }
        return await withDiscardingTaskGroup { timer in
            timer.addTask { [sleeper] in
                guard (try? await sleeper.sleep(for: .seconds(seconds))) != nil else { return }
                wakeUp.yield()
            }
            defer { timer.cancelAll() }
            return await wakeUps.next(isolation: self) != nil
        }
    }

    func startRun(
        _ job: Job, on printer: ConfiguredPrinter, from start: JobRun.Start, in group: inout DiscardingTaskGroup
    ) {
        let (stop, ready) = (Signal(), Signal())
        var new = Running(
            printer: printer.name, stop: stop, ready: ready,
            lease: leases[printer.name])
        if case .prepare(let preparation) = start { new.preparation = preparation }
        running[job.id] = new
        let (lost, preparation) = (new.lost, new.preparation)
        logger.debug("job claimed", metadata: job.logFields)
        let run = JobRun(
            spool: spool, preparer: preparer(for: printer), retry: retry, clock: clock,
            sleeper: sleeper, logger: logger, stop: stop, ready: ready, lease: new.lease)
        switch start {
        case .lookUp: ready.give()
        case .prepare(let preparation): if preparation.earlier?.document != nil { ready.give() }
        }
        group.addTask {
            let ended = try? await lost.stopping { await run.run(job, from: start) }
            if ended?.overtaken == nil { preparation?.cancel() }
            // At a shutdown the job remains in progress until the next start.
            guard !Task.isCancelled else { return }
            await self.runEnded(of: job, on: printer, stop, ended)
        }
    }

    func preparer(for printer: ConfiguredPrinter) -> Preparer {
        Preparer(spool: spool, directory: directory, worker: worker, printer: printer)
    }

    /// Removes a job from the jobs in progress after its delivery has ended.
    ///
    /// The stop signal identifies the delivery. If another delivery of the job is already in progress, the job is not
    /// removed.
    private func runEnded(of job: Job, on printer: ConfiguredPrinter, _ stop: Signal, _ ended: JobRun.Ended?) {
        wakeUp.yield()
        // After the run has stored its outcome, the job may already be claimed again for another printer.
        guard running[job.id]?.stop === stop else { return }
        running[job.id] = nil
        // The process may hold the same lease again, because it could not end the lease in the database.
        if ended?.isInterrupted == true { unrecovered.insert([printer.name]) }
        if let moment = ended?.unreachableSince {
            waitForPrinter(printer, toPrint: job, since: moment)
        } else {
            probes.withLock { $0.remove(printer.name) }
        }
        if let prepared = ended?.prepared { preparations[job.id] = Preparation(of: job, made: prepared) }
        if let overtaken = ended?.overtaken { preparations[job.id] = overtaken }
    }
}

extension Job {
    /// The metadata of log messages about this job.
    var logFields: Logger.Metadata { ["job": "\(id)", "printer": "\(printer)", "user": "\(owner)"] }
}
