// The newest part of the event log, read once for all who watch.

import PrintIPP
import PrintModel
import PrintSpool

/// The newest events of a spool's log in memory, so that a commit is read once and not by everyone who watches.
///
/// Whoever is further behind reads the log itself.
actor RecentEvents {
    private let spool: Spool
    private let capacity: Int
    /// The newest events, oldest first: all those after `floor`.
    private var events: ArraySlice<JobEvent> = []
    private var floor = 0
    private var purgedThrough = 0
    /// The spool's count of commits when it was last read; nil before the first time.
    private var commitCount: Int?
    private var isReading = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// The newest events of a spool, no more than `capacity`.
    init(spool: Spool, capacity: Int = 2048) {
        self.spool = spool
        self.capacity = capacity
    }

    /// What happened after an event, everything included that was committed before the call.
    func page(after number: Int, limit: Int) async throws(SpoolError) -> EventPage {
        try await refresh()
        guard number >= floor else {
            let page = try await spool.eventPage(after: number, limit: limit)
            return EventPage(page.events, purgedThrough: page.purgedThrough)
        }
        let start = events.partitioningIndex { $0.sequence > number }
        return EventPage(Array(events[start...].prefix(limit)), purgedThrough: purgedThrough)
    }

    /// Reads what is new; those that come meanwhile wait, and mostly find it done.
    private func refresh() async throws(SpoolError) {
        while commitCount != spool.commitCount {
            guard !isReading else {
                await withCheckedContinuation { waiters.append($0) }
                continue
            }
            isReading = true
            defer {
                isReading = false
                for waiter in waiters { waiter.resume() }
                waiters = []
            }
            // Counted first: what is committed while we read is read again.
            let count = spool.commitCount
            try await read()
            commitCount = count
        }
    }

    private func read() async throws(SpoolError) {
        if commitCount == nil { floor = max(0, try await spool.latestEventSequence() - capacity) }
        while true {
            let page = try await spool.eventPage(after: events.last?.sequence ?? floor, limit: capacity)
            events += page.events
            purgedThrough = page.purgedThrough
            if events.count > capacity {
                let rest = events.dropFirst(events.count - capacity)
                floor = events[rest.startIndex - 1].sequence
                events = ArraySlice(Array(rest))
            }
            if page.events.count < capacity { return }
        }
    }
}

extension ArraySlice {
    /// The first index from which on all elements belong to the second part.
    fileprivate func partitioningIndex(_ belongsToSecond: (Element) -> Bool) -> Index {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if belongsToSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
