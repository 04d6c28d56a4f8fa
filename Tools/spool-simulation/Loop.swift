// The one thread on which everything of a world happens, and its time.

import Glibc

/// The one thread on which everything of a world happens, and its time.
///
/// Tasks that prefer it as their executor, with their children and the default actors they call, run here job by job, in
/// an order the dice choose. When nothing can run, time moves on to the next moment somebody waits for.
final class Loop: TaskExecutor, @unchecked Sendable {
    // Unchecked: all of it is used on the thread that calls `run`, which `enqueue` checks.

    /// What can run now.
    private enum Ready {
        case job(UnownedJob)
        case work(@Sendable () -> Void)
    }

    private struct Alarm {
        var time: Double
        var number: Int
        var work: @Sendable () -> Void
    }

    /// Why a run ended.
    enum End { case done, idle, exhausted }

    private let thread = pthread_self()
    private let dice: Dice
    /// How often something else than the oldest runs next.
    private let disorder: Double
    private var ready: [Ready] = []
    private var alarms: [Alarm] = []
    private var lastAlarm = 0
    /// The time, in seconds since the world began.
    private(set) var now = 0.0
    /// How many steps have been made.
    private(set) var steps = 0
    /// Called before each step.
    var willStep: () -> Void = {}

    init(dice: Dice, disorder: Double) {
        self.dice = dice
        self.disorder = disorder
    }

    func enqueue(_ job: consuming ExecutorJob) {
        precondition(pthread_equal(pthread_self(), thread) != 0, "something of a world left its thread")
        ready.append(.job(UnownedJob(job)))
    }

    /// Runs `work` as a step of its own, soon.
    func post(_ work: @escaping @Sendable () -> Void) { ready.append(.work(work)) }

    /// Runs `work` after that many seconds, and says how to call that off.
    @discardableResult
    func after(_ seconds: Double, _ work: @escaping @Sendable () -> Void) -> Int {
        lastAlarm += 1
        alarms.append(Alarm(time: now + max(0, seconds), number: lastAlarm, work: work))
        return lastAlarm
    }

    /// Calls off what was to run later; false when it is too late.
    func callOff(_ number: Int) -> Bool {
        guard let index = alarms.firstIndex(where: { $0.number == number }) else { return false }
        alarms.remove(at: index)
        return true
    }

    /// Runs until `isDone`, until nothing is left to do, or for that many steps.
    func run(steps limit: Int, until isDone: () -> Bool) -> End {
        let executor = asUnownedTaskExecutor()
        while !isDone() {
            guard steps < limit else { return .exhausted }
            if ready.isEmpty && !advance() { return .idle }
            steps += 1
            willStep()
            let index = ready.count > 1 && dice.chance(disorder) ? dice.number(0...ready.count - 1) : 0
            switch ready.remove(at: index) {
            case .job(let job): job.runSynchronously(on: executor)
            case .work(let work): work()
            }
        }
        return .done
    }

    /// Moves on to the next moment somebody waits for; false when nobody does.
    private func advance() -> Bool {
        guard let next = alarms.min(by: { $0.time < $1.time })?.time else { return false }
        now = max(now, next)
        for alarm in alarms where alarm.time <= now { ready.append(.work(alarm.work)) }
        alarms.removeAll { $0.time <= now }
        return true
    }
}

/// The time of a loop, to sleep by.
struct LoopClock: Clock {
    /// A moment, in seconds since the world began.
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
    /// Waits that many seconds.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
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

    /// Waits that many seconds, or shorter when the task is cancelled.
    func pause(_ seconds: Double) async { try? await sleep(seconds) }

    private final class Sleeper: @unchecked Sendable {
        // Unchecked: used on the loop's thread alone.
        var alarm = 0
        var continuation: CheckedContinuation<Void, any Error>?
    }
}

extension Duration {
    /// In seconds.
    fileprivate var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
