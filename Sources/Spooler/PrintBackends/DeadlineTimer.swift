// A timer that does not depend on a thread pool.

import AsyncPrimitives

/// A timer whose deadlines fire on one thread for the whole process.
///
/// A deadline must not depend on threads that may be blocked. Timers of libdispatch and `Task.sleep` need a thread of
/// the pool, and blocking work may occupy all threads of the pool.
///
/// `@unchecked Sendable`: mutable state is accessed only with the lock held.
final class DeadlineTimer: @unchecked Sendable {
    static let shared = DeadlineTimer()

    /// The identifier of a deadline, for `cancel(_:)`.
    struct Deadline: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Entry {
        var moment: ContinuousClock.Instant
        var number: UInt64
    }

    private let lock = ThreadLock()
    private let change: ThreadCondition
    /// The deadlines as a binary heap, ordered by time.
    private var entries: [Entry] = []
    /// The actions of the deadlines, by deadline number.
    ///
    /// A canceled deadline has no action.
    private var acts: [UInt64: @Sendable () -> Void] = [:]
    private var lastNumber: UInt64 = 0
    private var isRunning = false

    /// The longest delay, about a hundred years, in seconds.
    private static let longestDelay = 3e9

    init() { change = ThreadCondition(lock) }

    /// Runs an action on the timer's thread after a delay of `seconds`.
    ///
    /// The action must not block.
    @discardableResult
    func schedule(after seconds: Double, _ act: @escaping @Sendable () -> Void) -> Deadline {
        let moment = ContinuousClock.now + .seconds(min(max(seconds, 0), Self.longestDelay))
        return lock.locked {
            lastNumber += 1
            acts[lastNumber] = act
            if entries.count > 2 * acts.count + 64 { dropCanceled() }
            insert(Entry(moment: moment, number: lastNumber))
            // If the thread cannot be started, the next deadline tries again.
            if !isRunning { isRunning = DedicatedThread.start { self.run() } == 0 }
            if entries.first?.number == lastNumber { change.wakeOne() }
            return Deadline(number: lastNumber)
        }
    }

    /// Cancels a deadline, unless its action is already running.
    func cancel(_ deadline: Deadline) { lock.locked { acts[deadline.number] = nil } }

    /// The number of pending deadlines.
    var count: Int { lock.locked { acts.count } }

    // MARK: - The thread

    private func run() -> Never {
        while true { next()() }
    }

    /// Waits until the next deadline is due, and returns the action of this deadline.
    private func next() -> @Sendable () -> Void {
        lock.locked {
            while true {
                guard let first = entries.first else {
                    change.wait(until: nil)
                    continue
                }
                guard acts[first.number] != nil, first.moment > .now else {
                    removeFirst()
                    if let act = acts.removeValue(forKey: first.number) { return act }
                    continue
                }
                change.wait(until: first.moment)
            }
        }
    }

    // MARK: - The heap

    private func insert(_ entry: Entry) {
        entries.append(entry)
        var place = entries.count - 1
        while place > 0, entries[place].moment < entries[(place - 1) / 2].moment {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private func removeFirst() {
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < entries.count && entries[child].moment < entries[least].moment { least = child }
            guard least != place else { return }
            entries.swapAt(place, least)
            place = least
        }
    }

    private func dropCanceled() {
        let left = entries.filter { acts[$0.number] != nil }
        entries = []
        for entry in left { insert(entry) }
    }
}
