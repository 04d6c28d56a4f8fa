// What happens at the simulated printers, kept for as long as printsim runs.

package import PrintIPP
package import PrintModel
import Synchronization

/// The log of what happened at simulated printers: the newest few thousand events, in memory.
///
///     let log = SimulatorLog(startingAt: now)
///     var surroundings = SimulatorEnvironment(worker: worker)
///     surroundings.note = { log.append($0) }
///     let operations = PrinterOperations(service, events: log, …)
///
/// Its numbers begin at the present second, so that one that a client remembers from an earlier run is not given to
/// something else, as long as there were no more events than seconds.
package final class SimulatorLog: EventSource {
    private struct State {
        var events: [JobEvent] = []
        var next: Int
        var purgedThrough: Int
        var ended = 0
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastWatcher = 0
    }

    /// How many events are kept.
    package static let capacity = 4_096

    private let state: Mutex<State>

    /// An empty log whose first number follows the given moment.
    package init(startingAt now: UnixTime) {
        let first = max(0, Int(now.isFinite ? min(now, 2e9) : 0))
        state = Mutex(State(next: first + 1, purgedThrough: first))
    }

    /// Adds an event, which gets its number here.
    package func append(_ event: JobEvent) {
        let watchers = state.withLock { state in
            var event = event
            event.sequence = state.next
            state.next += 1
            state.events.append(event)
            if event.kind == "job-completed" { state.ended += 1 }
            if state.events.count > 2 * Self.capacity {
                state.events.removeFirst(state.events.count - Self.capacity)
                state.purgedThrough = state.events[0].sequence - 1
            }
            return Array(state.watchers.values)
        }
        for watcher in watchers { watcher.yield() }
    }

    /// The number of the newest event.
    package func latestEvent() async throws(IPPFailure) -> Int { state.withLock { $0.next - 1 } }

    /// What happened after an event.
    package func events(after number: Int, limit: Int) async throws(IPPFailure) -> EventPage {
        state.withLock { state in
            let first = state.events.first?.sequence ?? state.next
            let start = number < first ? 0 : min(number - first + 1, state.events.count)
            return EventPage(
                Array(state.events[start...].prefix(max(0, limit))), purgedThrough: state.purgedThrough)
        }
    }

    /// Returns when so many jobs have ended since the log began, or the task is cancelled.
    package func untilEnded(jobs count: Int) async {
        let changes = eventChanges()
        while state.withLock({ $0.ended < count }) {
            var next = changes.makeAsyncIterator()
            guard await next.next() != nil else { return }
        }
    }

    /// A stream that wakes whoever waits for events.
    package func eventChanges() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastWatcher += 1
            state.watchers[state.lastWatcher] = continuation
            return state.lastWatcher
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.watchers.removeValue(forKey: number) }
        }
        return stream
    }
}
