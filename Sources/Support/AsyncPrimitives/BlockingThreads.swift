// Threads for blocking calls.

import Dispatch
import Glibc

/// Threads that run blocking calls and tasks, which start in the order of their arrival.
///
/// A call that waits for a disk, a database or a network must not occupy a thread that Swift's tasks share, nor the
/// thread of an event loop (`BlockingCall`). Threads of libdispatch are no alternative. libdispatch has at most 255
/// threads for all queues of a process, and Swift's timers use these threads too. Three hundred printers that accept
/// connections but never respond would block all 255 threads.
///
/// A thread starts if a call arrives while all threads are busy. A thread ends after a time without a call, or after the
/// call of `finish`.
///
///     let names = await BlockingThreads.shared.run { names(in: folder) }
///     try await withTaskExecutorPreference(BlockingThreads.shared) { try await copy(from: source, to: file) }
///
/// `@unchecked Sendable`: mutable state is accessed only with the lock held.
public final class BlockingThreads: TaskExecutor, @unchecked Sendable {
    /// The threads for calls that need no threads of their own.
    public static let shared = BlockingThreads(most: 64, stackBytes: 8 << 20, timeout: 10)

    private let most: Int
    private let stackBytes: Int
    private let timeout: Double
    private let lock = ThreadLock()
    private let change: ThreadCondition
    private var calls: [@Sendable () -> Void] = []
    private var threads = 0
    private var busy = 0
    /// The number of threads that wait for a call.
    private var idle = 0
    /// Whether the threads end as soon as they have no calls.
    private var isFinished = false

    /// Creates threads, which start with the first calls.
    ///
    /// - Parameters:
    ///   - most: The maximum number of threads. One thread runs the calls one after another.
    ///   - stackBytes: The stack size of a thread in bytes. libcups and GnuTLS need up to 128 KiB.
    ///   - timeout: The time in seconds without a call after which a thread ends.
    public init(most: Int = 1, stackBytes: Int = 512 << 10, timeout: Double = 2) {
        (self.most, self.stackBytes, self.timeout) = (most, stackBytes, timeout)
        change = ThreadCondition(lock)
    }

    /// The number of waiting and running calls.
    public var load: Int { lock.locked { calls.count + busy } }

    /// Adds a call, which starts after all earlier calls.
    ///
    /// - Returns: `false` if no thread can be started. In that case the call is discarded.
    public func async(_ call: @escaping @Sendable () -> Void) -> Bool {
        lock.locked {
            calls.append(call)
            if calls.count <= idle {
                change.wakeOne()
            } else if threads < most {
                if DedicatedThread.start(stackBytes: stackBytes, work) == 0 {
                    threads += 1
                } else if threads == 0 {
                    calls.removeLast()
                    return false
                }
            }
            return true
        }
    }

    /// Runs a blocking call, and returns the result of the call.
    ///
    /// If no thread can be started, the call runs on the calling thread.
    public func run<Value: Sendable, Failure>(
        _ call: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            let isBegun = self.async { continuation.resume(returning: Result(catching: call)) }
            if !isBegun { continuation.resume(returning: Result(catching: call)) }
        }
        return try result.get()
    }

    /// Adds a job of a task.
    ///
    /// If no thread can be started, the job runs on a thread of libdispatch.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isBegun = self.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
        if !isBegun { DispatchQueue.global().async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) } }
    }

    /// Ends the threads after the calls that were added.
    ///
    /// A later call starts a thread again.
    public func finish() {
        lock.locked {
            isFinished = true
            change.wakeOne()
        }
    }

    private func work() {
        var call = next(after: false)
        while let current = call {
            current()
            call = next(after: true)
        }
    }

    /// Waits for the next call and returns that call.
    ///
    /// The result is nil if the thread must end.
    ///
    /// - Parameter isAfterCall: Whether the thread has just ended a call.
    private func next(after isAfterCall: Bool) -> (@Sendable () -> Void)? {
        lock.locked {
            if isAfterCall { busy -= 1 }
            let end = ContinuousClock.now + .seconds(timeout)
            while calls.isEmpty {
                guard !isFinished, ContinuousClock.now < end else {
                    threads -= 1
                    if isFinished { change.wakeOne() }  // the next waiting thread ends too
                    return nil
                }
                idle += 1
                change.wait(until: end)
                idle -= 1
            }
            busy += 1
            return calls.removeFirst()
        }
    }
}
