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
    private let logger: Logger

    /// The jobs in hand, by number.
    private var running: [Int: StopSignal] = [:]
    /// The printers that have a job in hand.
    private var busyPrinters: Set<String> = []
    private let wakeUps: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation

    /// A scheduler for a spool.
    ///
    /// - Parameters:
    ///   - directory: the ways to the printers.
    ///   - worker: what inspects and prepares documents.
    ///   - retry: when an undelivered job is tried again.
    ///   - clock: the time in seconds since 1970, the spool's own.
    public init(
        spool: Spool, directory: PrinterDirectory, worker: any DocumentWorking, retry: RetryPolicy = .standard,
        clock: @escaping @Sendable () -> UnixTime = Spool.systemTime, logger: Logger
    ) {
        self.spool = spool
        self.directory = directory
        self.worker = worker
        self.retry = retry
        self.clock = clock
        self.logger = logger
        (wakeUps, wakeUp) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether nothing is in hand.
    public var isIdle: Bool { running.isEmpty }

    /// Prints until the task is cancelled or a graceful shutdown begins; what is in hand then is taken up again at the
    /// next start.
    public func run() async throws {
        let wakeUp = wakeUp
        await withTaskCancellationOrGracefulShutdownHandler {
            await withDiscardingTaskGroup { group in
                await rescue(in: &group)
                group.addTask { [spool] in
                    for await _ in spool.changes() { wakeUp.yield() }
                }
                await schedule(in: &group)
                group.cancelAll()
            }
        } onCancelOrGracefulShutdown: {
            wakeUp.finish()
        }
    }

    /// Looks at the queue anew: something may be claimable that was not.
    public nonisolated func wake() { wakeUp.yield() }

    /// Stops the work on a job that was canceled; the job ends when its printer has stopped.
    public func stopSending(_ jobID: Int) { running[jobID]?.request() }

    // MARK: - The loop

    private func schedule(in group: inout DiscardingTaskGroup) async {
        wakeUp.yield()
        var timer: Task<Void, Never>?
        for await _ in wakeUps {
            timer?.cancel()
            do {
                let now = clock()
                for job in try await spool.releaseDueJobs(now: now) where job.state.isTerminal {
                    logger.info("job ended", metadata: ["job": "\(job.id)", "state": "\(job.state)"])
                }
                try await claimAll(at: now, in: &group)
                timer = try await startTimer(after: now)
            } catch {
                // A queue that cannot be read now may be readable later: a full disk is mended, a lock is released.
                logger.error("the queue cannot be read; trying again", metadata: ["error": "\(error)"])
                timer = wake(after: 1)
            }
        }
        timer?.cancel()
    }

    private func claimAll(at now: UnixTime, in group: inout DiscardingTaskGroup) async throws(SpoolError) {
        while true {
            let printers = try await spool.printers().filter { !$0.isPaused && !busyPrinters.contains($0.name) }
            guard let job = try await spool.claim(fromPrinters: printers.map(\.name), now: now),
                let printer = printers.first(where: { $0.name == job.printer })
            else { return }
            start(job, on: printer, step: .prepare, in: &group)
        }
    }

    private func start(_ job: Job, on printer: Printer, step: JobRun.Step, in group: inout DiscardingTaskGroup) {
        let signal = StopSignal()
        running[job.id] = signal
        busyPrinters.insert(printer.name)
        logger.info("job taken up", metadata: ["job": "\(job.id)", "printer": "\(printer.name)"])
        let run = JobRun(
            spool: spool, directory: directory, worker: worker, retry: retry, clock: clock, logger: logger,
            printer: printer, stop: signal)
        group.addTask {
            await run.see(job, from: step)
            await self.ended(job.id, printer: printer.name)
        }
    }

    private func ended(_ jobID: Int, printer: String) {
        running[jobID] = nil
        busyPrinters.remove(printer)
        wakeUp.yield()
    }

    // MARK: - Time

    private func startTimer(after now: UnixTime) async throws(SpoolError) -> Task<Void, Never>? {
        guard let due = try await spool.nextDueTime(after: now) else { return nil }
        return wake(after: max(0.01, min(due - clock(), 3600)))
    }

    /// A wake-up in a while; cancelled when another wake-up comes first.
    private func wake(after seconds: Double) -> Task<Void, Never> {
        let wakeUp = wakeUp
        return Task {
            guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
            wakeUp.yield()
        }
    }

    // MARK: - After a crash

    /// Takes up what an earlier process left in the middle.
    ///
    /// What never reached a printer goes back to its place in the queue; what may have is looked up there.
    private func rescue(in group: inout DiscardingTaskGroup) async {
        do {
            let printers = try await spool.printers()
            for job in try await spool.jobsToRescue() {
                guard job.remote != nil, let printer = printers.first(where: { $0.name == job.printer }) else {
                    try await spool.change(job.id, .interrupted)
                    continue
                }
                logger.notice("looking a job up after a restart", metadata: ["job": "\(job.id)"])
                start(job, on: printer, step: .lookUp, in: &group)
            }
        } catch {
            logger.error("what was in the middle cannot be taken up", metadata: ["error": "\(error)"])
        }
    }
}
