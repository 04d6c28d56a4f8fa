// The in-memory event log of the simulated printers.

package import PrintIPP
package import PrintModel
import Synchronization

/// The event log of the simulated printers.
///
/// The log keeps at least the newest 4,096 events in memory.
///
///     let log = SimulatorLog(startingAt: now)
///     var environment = SimulatorEnvironment(worker: worker)
///     environment.note = { log.append($0) }
///     let operations = PrinterOperations(service, events: log, …)
///
/// The event numbers start at the current time in seconds. Therefore event numbers of an earlier run are not reused,
/// unless the earlier run had more than one event per second.
package final class SimulatorLog: EventSource {
    private struct State {
        var events: [JobEvent] = []
        var next: Int
        var purgedThrough: Int
        var ended = 0
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastWatcher = 0
    }

    /// The log removes older events when the log contains more than twice this number.
    package static let capacity = 4_096

    private let state: Mutex<State>

    /// The first event number is greater than the given time.
    package init(startingAt now: UnixTime) {
        let first = max(0, Int(now.isFinite ? min(now, 2e9) : 0))
        state = Mutex(State(next: first + 1, purgedThrough: first))
    }

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

    package func latestEvent() async throws(IPPFailure) -> Int { state.withLock { $0.next - 1 } }

    package func events(after number: Int, limit: Int) async throws(IPPFailure) -> EventPage {
        state.withLock { state in
            let first = state.events.first?.sequence ?? state.next
            let start = number < first ? 0 : min(number - first + 1, state.events.count)
            return EventPage(
                Array(state.events[start...].prefix(max(0, limit))), purgedThrough: state.purgedThrough)
        }
    }

    /// Waits until the given number of jobs have ended since the log was created, or until the task is canceled.
    package func untilEnded(jobs count: Int) async {
        let changes = eventChanges()
        while state.withLock({ $0.ended < count }) {
            var next = changes.makeAsyncIterator()
            guard await next.next() != nil else { return }
        }
    }

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
