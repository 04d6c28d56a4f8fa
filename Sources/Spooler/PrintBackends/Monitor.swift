// A lock with a condition, for threads that wait.

import Glibc

/// A lock with a condition, for threads of our own that wait for work or for a moment.
///
/// `@unchecked Sendable`: the lock and the condition are POSIX's, made for several threads, and stay where they are.
final class Monitor: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // Somebody may set the wall clock.
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Does something with the lock held.
    func locked<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Waits, with the lock held, for `wake` or for a moment of `now`; nil waits for `wake` alone.
    func wait(until moment: UInt64?) {
        guard let moment else {
            pthread_cond_wait(condition, mutex)
            return
        }
        var time = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
        pthread_cond_timedwait(condition, mutex, &time)
    }

    /// Wakes the thread that waits.
    func wake() { pthread_cond_signal(condition) }

    /// Nanoseconds of a clock that nobody sets.
    static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// The moment in so many seconds, at most in a hundred years.
    static func moment(in seconds: Double) -> UInt64 { now + UInt64(min(max(seconds, 0), 3e9) * 1e9) }
}
