// Who prints next: takes jobs from the head of the queue and sees them through.

public import Logging
public import PrintModel
public import PrintSpool
public import ServiceLifecycle
import AsyncPrimitives

/// Prints the queue: every printer its oldest job, printers side by side.
///
/// One loop wakes when the spool changes, when a job ends and when a moment comes (a hold that is over, a next try); it
/// claims what can be claimed and starts a `JobRun` for each. While a printer prints, an `PreparationRun` prepares its next job.
/// Rules live in the spool's statements and in `JobStateMachine`; what happens to one job is `JobRun`'s.
public actor Scheduler: Service {
    /// In what order jobs are taken up.
    public nonisolated let order: QueueOrder

    let spool: Spool
    let logger: Logger
    private let directory: PrinterDirectory
    private let worker: any DocumentWorking
    private let retry: RetryPolicy
    private let clock: @Sendable () -> UnixTime
    private let sleeper: any Clock<Duration>

    /// The jobs in hand, by number.
    var running: [Int: Running] = [:]
    /// What is made ready, or was, for jobs that wait, by number.
    var preparations: [Int: Preparation] = [:]
    /// Whether what an earlier process left in the middle has been taken up.
    private var isRescued = false
    private let wakeUps: AsyncStream<Void>
    let wakeUp: AsyncStream<Void>.Continuation

    /// A job in hand.
    struct Running {
        var printer: String
        var stop: Signal
        /// Given when the worker has done its part.
        var ready: Signal
    }

    /// A scheduler for a spool.
    ///
    /// - Parameters:
    ///   - directory: the ways to the printers.
    ///   - worker: what inspects and prepares documents.
    ///   - order: in what order jobs are taken up.
    ///   - retry: when an undelivered job is tried again.
    ///   - clock: the time in seconds since 1970, the spool's own.
    ///   - sleeper: what the scheduler sleeps by.
    public init(
        spool: Spool, directory: PrinterDirectory, worker: any DocumentWorking, order: QueueOrder = .perPrinter,
        retry: RetryPolicy = .standard, clock: @escaping @Sendable () -> UnixTime = Spool.systemTime,
        sleeper: any Clock<Duration> = ContinuousClock(), logger: Logger
    ) {
        self.spool = spool
        self.directory = directory
        self.worker = worker
        self.order = order
        self.retry = retry
        self.clock = clock
        self.sleeper = sleeper
        self.logger = logger
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether nothing is in hand.
    public var isIdle: Bool { running.isEmpty }

    /// Prints until the task is cancelled or a graceful shutdown begins; what is in hand then is taken up again at the
    /// next start.
    public func run() async throws {
        let wakeUp = wakeUp
        let recoveries = await directory.recoveries()
        await withTaskCancellationOrGracefulShutdownHandler {
            await spool.wake({ wakeUp.yield() }) {
                await withDiscardingTaskGroup { group in
                    group.addTask {
                        for await printer in recoveries { await self.tryAgain(printer: printer) }
                    }
                    var wakeUps = wakeUps.makeAsyncIterator()
                    repeat {
                        let pause = await look(in: &group)
                        guard await wait(for: &wakeUps, atMost: pause) else { break }
                    } while true
                    group.cancelAll()
                }
            }
        } onCancelOrGracefulShutdown: {
            wakeUp.finish()
        }
    }

    /// Looks at the queue anew: something may be claimable that was not.
    public nonisolated func wake() { wakeUp.yield() }

    /// Stops the work on a job that was canceled; the job ends when its printer has stopped.
    ///
    /// Nothing is lost when the job is just being taken up: its run looks at the record for itself.
    public func stopSending(_ jobID: Int) { running[jobID]?.stop.give() }

    /// Has the jobs of a printer that wait for their next try be tried at once, because somebody resumed the printer or
    /// it was seen to answer again.
    public nonisolated func tryAgain(printer: String) async {
        do throws(SpoolError) {
            if try await spool.tryAgain(printer: printer) {
                logger.info("the printer answers again", metadata: ["printer": "\(printer)"])
            }
        } catch {
            // The next try comes by itself.
            logger.error("a job's next try cannot be brought forward", metadata: ["error": "\(error)"])
        }
    }

    // MARK: - The loop

    /// Starts what can be started, and says in how many seconds something is due; nil when nothing is.
    private func look(in group: inout DiscardingTaskGroup) async -> Double? {
        do throws(SpoolError) {
            try await rescue(in: &group)
            let now = clock()
            try await release(now)
            try await tidyPreparations()
            try await claimAll(at: now, in: &group)
            try await prepareAhead(at: now, in: &group)
            // Clocks jump: what is due later than in a minute is looked at in a minute.
            return try await spool.nextDueTime(after: now).map { max(0.01, min($0 - clock(), 60)) }
        } catch {
            // A queue that cannot be read now may be readable later: a full disk is mended, a lock is released.
            logger.error("the queue cannot be read; trying again", metadata: ["error": "\(error)"])
            return 1
        }
    }

    private func release(_ now: UnixTime) async throws(SpoolError) {
        guard try await spool.hasDueJobs(now: now) else { return }
        for job in try await spool.releaseDueJobs(now: now) where job.state.isTerminal {
            logger.info("job ended", metadata: ["job": "\(job.id)", "state": "\(job.state)"])
        }
    }

    /// Waits for the next wake-up, at most that many seconds; false when there are no more.
    private func wait(for wakeUps: inout AsyncStream<Void>.Iterator, atMost seconds: Double?) async -> Bool {
        guard let seconds else { return await wakeUps.next(isolation: self) != nil }
        return await withDiscardingTaskGroup { alarm in
            alarm.addTask { [sleeper, wakeUp] in
                guard (try? await sleeper.sleep(for: .seconds(seconds))) != nil else { return }
                wakeUp.yield()
            }
            defer { alarm.cancelAll() }
            return await wakeUps.next(isolation: self) != nil
        }
    }

    private func claimAll(at now: UnixTime, in group: inout DiscardingTaskGroup) async throws(SpoolError) {
        while order == .perPrinter || running.isEmpty {
            let all = try await spool.printers()
            let busy = Set(running.values.map(\.printer))
            let printers = all.filter { !$0.isPaused && !busy.contains($0.name) }
            guard let job = try await spool.claim(fromPrinters: printers.map(\.name), order: order, now: now),
                let printer = printers.first(where: { $0.name == job.printer })
            else { return }
            let ahead = preparations.removeValue(forKey: job.id)
            start(job, on: printer, step: .prepare(ahead: ahead), in: &group)
        }
    }

    private func start(
        _ job: Job, on printer: ConfiguredPrinter, step: JobRun.Step, in group: inout DiscardingTaskGroup
    ) {
        let (stop, ready) = (Signal(), Signal())
        running[job.id] = Running(printer: printer.name, stop: stop, ready: ready)
        logger.info("job taken up", metadata: ["job": "\(job.id)", "printer": "\(printer.name)"])
        let run = JobRun(
            spool: spool, preparer: preparer(for: printer), retry: retry, clock: clock, sleeper: sleeper,
            logger: logger, stop: stop, ready: ready)
        if case .lookUp = step { ready.give() }
        group.addTask {
            let prepared = await run.see(job, from: step)
            // At a shutdown the job stays in hand, and its printer busy, until the next start.
            guard !Task.isCancelled else { return }
            await self.ended(job, stop, ready: prepared)
        }
    }

    func preparer(for printer: ConfiguredPrinter) -> Preparer {
        Preparer(spool: spool, directory: directory, worker: worker, printer: printer)
    }

    /// Lets go of the run that has that stop signal.
    private func ended(_ job: Job, _ stop: Signal, ready prepared: Prepared?) {
        wakeUp.yield()
        // Between the last words of a run and its end, its job can be moved and taken up for another printer.
        guard running[job.id]?.stop === stop else { return }
        running[job.id] = nil
        if let prepared { preparations[job.id] = Preparation(of: job, made: prepared) }
    }

    // MARK: - After a crash

    /// Takes up what an earlier process left in the middle, before anything else is begun.
    ///
    /// What never reached a printer goes back to its place in the queue; what may have is looked up there. Where the
    /// spool fails in between, the next look does the rest.
    private func rescue(in group: inout DiscardingTaskGroup) async throws(SpoolError) {
        guard !isRescued else { return }
        let printers = try await spool.printers()
        for job in try await spool.jobsToRescue() where running[job.id] == nil {
            guard var remote = job.remote else {
                try await spool.change(job.id, .interrupted)
                continue
            }
            guard let printer = printers.first(where: { $0.name == job.printer }) else {
                let message = "\(job.printer) no longer exists, and the job may have been printed there"
                try await spool.change(job.id, .doubted(message: message))
                continue
            }
            logger.notice("looking a job up after a restart", metadata: ["job": "\(job.id)"])
            remote.owner = job.owner
            start(job, on: printer, step: .lookUp(remote), in: &group)
        }
        isRescued = true
    }
}
