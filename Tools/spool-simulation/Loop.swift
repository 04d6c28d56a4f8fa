// Runs all code of a simulation on one thread, with virtual time.

import Glibc

/// An executor that runs all code of a simulation on one thread, with virtual time.
///
/// Tasks that use the loop as preferred executor run here step by step, in random order. This includes their child
/// tasks and the default actors that they call. If no step can run, the time advances to the next alarm.
final class Loop: TaskExecutor, @unchecked Sendable {
    // Unchecked, because everything is used on the thread that calls `run`. `enqueue` checks that.

    /// A step that can run now.
    enum Ready {
        case job(UnownedJob, UnownedTaskExecutor)
        case work(@Sendable () -> Void)
    }

    private struct Timer {
        var time: Double
        var number: Int
        var work: @Sendable () -> Void
    }

    /// The reasons why a run ends.
    enum End { case done, idle, exhausted }

    private let thread = pthread_self()
    private let dice: Dice
    /// The probability that a step other than the oldest runs next.
    private let disorder: Double
    private var ready: [(step: Ready, process: ProcessSteps?)] = []
    private var timers: [Timer] = []
    private var lastAlarm = 0
    /// The time in seconds since the start of the simulation.
    private(set) var now = 0.0
    /// The number of steps so far.
    private(set) var steps = 0
    /// The function that is called before each step.
    var willStep: () -> Void = {}

    init(dice: Dice, disorder: Double) {
        self.dice = dice
        self.disorder = disorder
    }

    func enqueue(_ job: consuming ExecutorJob) {
        add(.job(UnownedJob(job), asUnownedTaskExecutor()), of: nil)
    }

    /// Schedules `work` as a separate step.
    func post(_ work: @escaping @Sendable () -> Void) { add(.work(work), of: nil) }

    /// Adds a step of a process; nil for a step of the simulation.
    func add(_ step: Ready, of process: ProcessSteps?) {
        precondition(pthread_equal(pthread_self(), thread) != 0, "code of a simulation must run on the loop's thread")
        ready.append((step, process))
    }

    /// Removes and returns the steps of a process that can run now.
    func withdrawSteps(of process: ProcessSteps) -> [Ready] {
        defer { ready.removeAll { $0.process === process } }
        return ready.filter { $0.process === process }.map(\.step)
    }

    /// Schedules `work` after a number of seconds, and returns a number for canceling it.
    @discardableResult
    func after(_ seconds: Double, _ work: @escaping @Sendable () -> Void) -> Int {
        lastAlarm += 1
        timers.append(Timer(time: now + max(0, seconds), number: lastAlarm, work: work))
        return lastAlarm
    }

    /// Cancels scheduled work; returns false if the work has already run.
    func callOff(_ number: Int) -> Bool {
        guard let index = timers.firstIndex(where: { $0.number == number }) else { return false }
        timers.remove(at: index)
        return true
    }

    /// Runs until `isDone` returns true, no work is left, or the number of steps is reached.
    func run(steps limit: Int, until isDone: () -> Bool) -> End {
        while !isDone() {
            guard steps < limit else { return .exhausted }
            if ready.isEmpty && !advance() { return .idle }
            steps += 1
            willStep()
            guard !ready.isEmpty else { continue }
            let index = ready.count > 1 && dice.chance(disorder) ? dice.number(0...ready.count - 1) : 0
            switch ready.remove(at: index).step {
            case .job(let job, let executor): job.runSynchronously(on: executor)
            case .work(let work): work()
            }
        }
        return .done
    }

    /// Advances the time to the next alarm; returns false if there is none.
    private func advance() -> Bool {
        guard let next = timers.min(by: { $0.time < $1.time })?.time else { return false }
        now = max(now, next)
        for alarm in timers where alarm.time <= now { add(.work(alarm.work), of: nil) }
        timers.removeAll { $0.time <= now }
        return true
    }
}

/// The steps of one process, which can be stopped and continued.
///
/// While the process is stopped, as by SIGSTOP, its steps wait. Its timers and its clock continue.
final class ProcessSteps: TaskExecutor, @unchecked Sendable {
    // Unchecked, because everything is used on the loop's thread.

    private let loop: Loop
    private var waiting: [Loop.Ready] = []
    /// Whether the process is stopped.
    private(set) var isStopped = false

    init(loop: Loop) { self.loop = loop }

    func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job), asUnownedTaskExecutor())) }

    /// Schedules `work` as a separate step of the process.
    func post(_ work: @escaping @Sendable () -> Void) { add(.work(work)) }

    private func add(_ step: Loop.Ready) {
        if isStopped { waiting.append(step) } else { loop.add(step, of: self) }
    }

    /// Stops the process after the current step.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        waiting = loop.withdrawSteps(of: self)
    }

    /// Continues a stopped process.
    func goOn() {
        guard isStopped else { return }
        isStopped = false
        for step in waiting { loop.add(step, of: self) }
        waiting = []
    }
}

/// A clock that uses the time of a loop.
struct LoopClock: Clock {
    /// An instant, in seconds since the start of the simulation.
    struct Instant: InstantProtocol {
        var seconds: Double

        func advanced(by duration: Duration) -> Instant { Instant(seconds: seconds + duration.inSeconds) }
        func duration(to other: Instant) -> Duration { .seconds(other.seconds - seconds) }
        static func < (a: Instant, b: Instant) -> Bool { a.seconds < b.seconds }
    }

    let loop: Loop

    var now: Instant { Instant(seconds: loop.now) }
    var minimumResolution: Duration { .nanoseconds(1) }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await loop.sleep(max(0, deadline.seconds - loop.now))
    }
}

extension Loop {
    /// Waits for a number of seconds.
    ///
    /// - Throws: `CancellationError` as soon as the task is canceled.
    func sleep(_ seconds: Double) async throws {
        let sleeper = Sleeper()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                sleeper.continuation = continuation
                sleeper.alarm = after(seconds) { sleeper.continuation.take()?.resume() }
            }
        } onCancel: {
            guard let continuation = sleeper.continuation.take() else { return }
            _ = callOff(sleeper.alarm)
            continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits for a number of seconds, or until the task is canceled.
    func pause(_ seconds: Double) async { try? await sleep(seconds) }

    private final class Sleeper: @unchecked Sendable {
        // Unchecked, because the class is only used on the loop's thread.
        var alarm = 0
        var continuation: CheckedContinuation<Void, any Error>?
    }
}

extension Duration {
    /// The duration in seconds.
    fileprivate var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
