// Who prints next: takes jobs from the head of the queue and sees them through.

public import Logging
public import PrintModel
public import PrintSpool
public import ServiceLifecycle

/// Prints the queue: every printer its oldest job, printers side by side.
///
/// One loop wakes when the spool changes, when a job ends and when a moment comes (a hold that is over, a next try); it
/// claims what can be claimed and starts a `JobRun` for each. Rules live in the spool's statements and in
/// `JobStateMachine`; what happens to one job is `JobRun`'s.
public actor Scheduler: Service {
    private let spool: Spool
    private let directory: PrinterDirectory
    private let worker: any DocumentWorking
    private let retry: RetryPolicy
    private let clock: @Sendable () -> UnixTime
    private let sleeper: any Clock<Duration>
    private let logger: Logger

    /// The jobs in hand, by number.
    private var running: [Int: Running] = [:]
    /// Whether what an earlier process left in the middle has been taken up.
    private var isRescued = false
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    /// A job in hand.
    private struct Running {
        var printer: String
        var stop: StopSignal
    }

    /// A scheduler for a spool.
    ///
    /// - Parameters:
    ///   - directory: the ways to the printers.
    ///   - worker: what inspects and prepares documents.
    ///   - retry: when an undelivered job is tried again.
    ///   - clock: the time in seconds since 1970, the spool's own.
    ///   - sleeper: what the scheduler sleeps by.
    public init(
        spool: Spool, directory: PrinterDirectory, worker: any DocumentWorking, retry: RetryPolicy = .standard,
        clock: @escaping @Sendable () -> UnixTime = Spool.systemTime,
        sleeper: any Clock<Duration> = ContinuousClock(), logger: Logger
    ) {
        self.spool = spool
        self.directory = directory
        self.worker = worker
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
        // Begun before the first look, so that no change goes unseen.
        let changes = spool.changes()
        await withTaskCancellationOrGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    for await _ in changes { wakeUp.yield() }
                }
                var wakeUps = wakeUps.makeAsyncIterator()
                repeat {
                    let pause = await look(in: &group)
                    guard await wait(for: &wakeUps, atMost: pause) else { break }
                } while true
                group.cancelAll()
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
    public func stopSending(_ jobID: Int) { running[jobID]?.stop.request() }

    // MARK: - The loop

    /// Starts what can be started, and says in how many seconds something is due; nil when nothing is.
    private func look(in group: inout DiscardingTaskGroup) async -> Double? {
        do throws(SpoolError) {
            try await rescue(in: &group)
            let now = clock()
            for job in try await spool.releaseDueJobs(now: now) where job.state.isTerminal {
                logger.info("job ended", metadata: ["job": "\(job.id)", "state": "\(job.state)"])
            }
            try await claimAll(at: now, in: &group)
            // Clocks jump: what is due later than in a minute is looked at in a minute.
            return try await spool.nextDueTime(after: now).map { max(0.01, min($0 - clock(), 60)) }
        } catch {
            // A queue that cannot be read now may be readable later: a full disk is mended, a lock is released.
            logger.error("the queue cannot be read; trying again", metadata: ["error": "\(error)"])
            return 1
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
        while true {
            let all = try await spool.printers()
            let busy = Set(running.values.map(\.printer))
            let printers = all.filter { !$0.isPaused && !busy.contains($0.name) }
            guard let job = try await spool.claim(fromPrinters: printers.map(\.name), now: now),
                let printer = printers.first(where: { $0.name == job.printer })
            else { return }
            start(job, on: printer, step: .prepare, in: &group)
        }
    }

    private func start(_ job: Job, on printer: Printer, step: JobRun.Step, in group: inout DiscardingTaskGroup) {
        let signal = StopSignal()
        running[job.id] = Running(printer: printer.name, stop: signal)
        logger.info("job taken up", metadata: ["job": "\(job.id)", "printer": "\(printer.name)"])
        let run = JobRun(
            spool: spool, directory: directory, worker: worker, retry: retry, clock: clock,
            sleeper: sleeper, logger: logger, printer: printer, stop: signal)
        group.addTask {
            await run.see(job, from: step)
            await self.ended(job.id)
        }
    }

    private func ended(_ jobID: Int) {
        running[jobID] = nil
        wakeUp.yield()
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
            guard let remote = job.remote else {
                try await spool.change(job.id, .interrupted)
                continue
            }
            guard let printer = printers.first(where: { $0.name == job.printer }) else {
                let message = "\(job.printer) no longer exists, and the job may have been printed there"
                try await spool.change(job.id, .doubted(message: message))
                continue
            }
            logger.notice("looking a job up after a restart", metadata: ["job": "\(job.id)"])
            start(job, on: printer, step: .lookUp(remote), in: &group)
        }
        isRescued = true
    }
}
