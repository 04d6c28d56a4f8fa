// The newest events of the log, read once for all watchers.

import PrintIPP
import PrintModel
import PrintSpool

/// The newest events of a spool's log in memory, so that each commit is read once and not once for each watcher.
///
/// A watcher that is further behind reads the log itself.
actor RecentEvents {
    private let spool: Spool
    private let capacity: Int
    /// The newest events, oldest first: all events after `floor`.
    private var events: ArraySlice<JobEvent> = []
    private var floor = 0
    private var purgedThrough = 0
    /// The spool's number of commits at the last read; nil before the first read.
    private var commitCount: Int?
    private var isReading = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// Creates a cache of at most `capacity` events.
    init(spool: Spool, capacity: Int = 2048) {
        self.spool = spool
        self.capacity = capacity
    }

    /// Returns the events after an event, including all events that were committed before the call.
    func page(after number: Int, limit: Int) async throws(SpoolError) -> EventPage {
        try await refresh()
        guard number >= floor else {
            let page = try await spool.eventPage(after: number, limit: limit)
            return EventPage(page.events, purgedThrough: page.purgedThrough)
        }
        let start = events.partitioningIndex { $0.sequence > number }
        return EventPage(Array(events[start...].prefix(limit)), purgedThrough: purgedThrough)
    }

    /// Reads new events.
    ///
    /// Concurrent callers wait, and usually find the events already read.
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
            // The commits are counted first, so that events that are committed during the read are read again.
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
    /// Returns the first index from which on all elements belong to the second part.
    fileprivate func partitioningIndex(_ belongsToSecond: (Element) -> Bool) -> Index {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if belongsToSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
