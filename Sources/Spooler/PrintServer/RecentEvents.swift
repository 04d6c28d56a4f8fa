// Caches the newest part of the event log for all readers.

package import PrintIPP
import PrintModel
package import PrintSpool

/// A cache of the newest events of a spool.
///
/// With the cache, `printd` reads the events of each commit only once for its log, its metrics and all subscribers.
///
/// Older events are read from the event log.
package actor RecentEvents {
    nonisolated let spool: Spool
    private let capacity: Int
    /// The events with numbers above `floor`, oldest first.
    private var events: ArraySlice<JobEvent> = []
    private var floor: Int
    private var purgedThrough = 0
    /// The spool's commit count at the last read; nil before the first read.
    private var commitCount: Int?
    private var isReading = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    /// Creates a cache for at most `capacity` events of a spool.
    ///
    /// - Parameter event: The number of the event after which caching starts.
    package init(spool: Spool, after event: Int, capacity: Int = 2048) {
        (self.spool, floor, self.capacity) = (spool, event, capacity)
    }

    /// Returns the events after the given event number, including all events that were committed before the call.
    package func page(after number: Int, limit: Int) async throws(SpoolError) -> EventPage {
        try await refresh()
        guard number >= floor else {
            let page = try await spool.eventPage(after: number, limit: limit)
            return EventPage(page.events, purgedThrough: page.purgedThrough)
        }
        let start = events.partitioningIndex { $0.sequence > number }
        return EventPage(Array(events[start...].prefix(limit)), purgedThrough: purgedThrough)
    }

    /// Reads the new events.
    ///
    /// Concurrent calls wait for the current read operation, and usually do not read again.
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
            // The count is read first, so that events committed during the read are read again.
            let count = spool.commitCount
            try await read()
            commitCount = count
        }
    }

    private func read() async throws(SpoolError) {
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
    /// Returns the index of the first element for which the condition is true.
    ///
    /// The condition must be true for all following elements.
    fileprivate func partitioningIndex(_ belongsToSecond: (Element) -> Bool) -> Index {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if belongsToSecond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
