// A mutex with a condition variable.

import Glibc

/// A mutex with a condition variable, for dedicated threads that wait for work or for a point in time.
///
/// `@unchecked Sendable`: the POSIX mutex and condition variable are thread-safe, and have a fixed address.
public final class Monitor: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    /// Creates a monitor without an owner.
    public init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        // The monotonic clock is used because the wall-clock time may be changed.
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

    /// Runs `body` with the lock held.
    public func locked<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }

    /// Waits until another thread calls `wake`, or until `now` reaches `moment`.
    ///
    /// If `moment` is nil, waits only for `wake`.
    ///
    /// The calling thread must hold the lock.
    public func wait(until moment: UInt64?) {
        guard let moment else {
            pthread_cond_wait(condition, mutex)
            return
        }
        var time = timespec(tv_sec: Int(moment / 1_000_000_000), tv_nsec: Int(moment % 1_000_000_000))
        pthread_cond_timedwait(condition, mutex, &time)
    }

    /// Wakes the waiting thread.
    public func wake() { pthread_cond_signal(condition) }

    /// The monotonic time in nanoseconds.
    public static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Returns the monotonic time that is `seconds` after the current time, at most about a hundred years later.
    public static func moment(in seconds: Double) -> UInt64 { now + UInt64(min(max(seconds, 0), 3e9) * 1e9) }
}
