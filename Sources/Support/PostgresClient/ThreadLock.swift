// A mutex with condition variables.

import Glibc

/// A mutex that blocks the calling thread, for code that runs on dedicated threads.
///
/// `@unchecked Sendable`: the POSIX mutex is thread-safe, and has a fixed address.
final class ThreadLock: @unchecked Sendable {
    fileprivate let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() { pthread_mutex_init(mutex, nil) }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` while the calling thread holds the mutex.
    func locked<Value>(_ body: () throws -> Value) rethrows -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body()
    }
}

/// A condition variable for threads that hold a `ThreadLock`.
///
/// `@unchecked Sendable`: the POSIX condition variable is thread-safe, and has a fixed address.
final class ThreadCondition: @unchecked Sendable {
    private let lock: ThreadLock
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(_ lock: ThreadLock) {
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
    func wait(until end: ContinuousClock.Instant?) {
        guard let end else {
            pthread_cond_wait(condition, lock.mutex)
            return
        }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let milliseconds = Int(ContinuousClock.now.milliseconds(until: end))
        let nanoseconds = time.tv_nsec + milliseconds % 1000 * 1_000_000
        time.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
        time.tv_nsec = nanoseconds % 1_000_000_000
        pthread_cond_timedwait(condition, lock.mutex, &time)
    }

    /// Wakes one waiting thread.
    func wakeOne() { pthread_cond_signal(condition) }

    /// Wakes all waiting threads.
    func wakeAll() { pthread_cond_broadcast(condition) }
}
