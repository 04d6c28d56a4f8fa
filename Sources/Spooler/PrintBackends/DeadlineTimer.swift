// Deadlines that depend on no pool of threads.

import Glibc

/// Rings alarms, on one thread for the whole process.
///
/// A deadline must not depend on the threads whose work it ends: a timer of libdispatch, and `Task.sleep`, need a thread of the
/// pool that blocking work may have used up.
///
/// `@unchecked Sendable`: what changes is changed with the monitor's lock held.
final class DeadlineTimer: @unchecked Sendable {
    /// The one of this process.
    static let shared = DeadlineTimer()

    /// What an alarm is canceled by.
    struct Alarm: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct Entry {
        var moment: UInt64
        var number: UInt64
    }

    private let monitor = Monitor()
    /// A heap: no entry is later than those at twice its place.
    private var entries: [Entry] = []
    /// What is to be done; an entry without is one that was canceled.
    private var acts: [UInt64: @Sendable () -> Void] = [:]
    private var lastNumber: UInt64 = 0
    private var isRunning = false

    init() {}

    /// Does something in so many seconds, on the clock's thread: it must not block.
    @discardableResult
    func ring(in seconds: Double, _ act: @escaping @Sendable () -> Void) -> Alarm {
        let moment = Monitor.moment(in: seconds)
        return monitor.locked {
            lastNumber += 1
            acts[lastNumber] = act
            if entries.count > 2 * acts.count + 64 { dropCanceled() }
            insert(Entry(moment: moment, number: lastNumber))
            // Without a thread now, the next alarm starts it.
            if !isRunning { isRunning = start() }
            if entries.first?.number == lastNumber { monitor.wake() }
            return Alarm(number: lastNumber)
        }
    }

    /// Has an alarm not ring, unless it rings already.
    func cancel(_ alarm: Alarm) { monitor.locked { acts[alarm.number] = nil } }

    /// How many alarms are set.
    var count: Int { monitor.locked { acts.count } }

    // MARK: - The thread

    private func start() -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var thread = pthread_t()
        let own = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                if let argument { Unmanaged<DeadlineTimer>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, own.toOpaque())
        if code != 0 { own.release() }
        return code == 0
    }

    private func run() -> Never {
        while true { next()() }
    }

    /// Waits for the next alarm that rings.
    private func next() -> @Sendable () -> Void {
        monitor.locked {
            while true {
                guard let first = entries.first else {
                    monitor.wait(until: nil)
                    continue
                }
                guard acts[first.number] != nil, first.moment > Monitor.now else {
                    removeFirst()
                    if let act = acts.removeValue(forKey: first.number) { return act }
                    continue
                }
                monitor.wait(until: first.moment)
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
