// A mutex with condition variables.

import Glibc

/// A mutex that blocks the calling thread, for code that runs on dedicated threads.
///
/// `@unchecked Sendable`: the POSIX mutex is thread-safe, and has a fixed address.
public final class ThreadLock: @unchecked Sendable {
    fileprivate let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    /// Creates a mutex that no thread holds.
    public init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` while the calling thread holds the mutex.
    public func locked<Value>(_ body: () throws -> Value) rethrows -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }
}

/// A condition variable for threads that hold a `ThreadLock`.
///
/// `@unchecked Sendable`: the POSIX condition variable is thread-safe, and has a fixed address.
public final class ThreadCondition: @unchecked Sendable {
    private let lock: ThreadLock
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Creates a condition variable for the threads that hold `lock`.
    public init(_ lock: ThreadLock) {
        self.lock = lock
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // The wall-clock time may be changed.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deallocate()
    }

    /// Waits for `wakeOne` or `wakeAll`, at most until the instant `end`; nil sets no time limit.
    ///
    /// The caller must hold the lock.
    public func wait(until end: ContinuousClock.Instant?) {
        guard let end else {
            pthread_cond_wait(condition, lock.mutex)
            return
        }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let left = max(end - .now, .zero).components
        let nanoseconds = time.tv_nsec + Int(left.attoseconds / 1_000_000_000)
        time.tv_sec += Int(left.seconds) + nanoseconds / 1_000_000_000
        time.tv_nsec = nanoseconds % 1_000_000_000
        pthread_cond_timedwait(condition, lock.mutex, &time)
    }

    /// Wakes one waiting thread.
    public func wakeOne() { pthread_cond_signal(condition) }

    /// Wakes all waiting threads.
    public func wakeAll() { pthread_cond_broadcast(condition) }
}
