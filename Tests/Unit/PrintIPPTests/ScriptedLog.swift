// Provides an event log that a test writes, and a queue that reads the log.

import IPP
import IPPTestSupport
import PrintIPP
import PrintModel
import AsyncPrimitives
import Synchronization

/// An event log that a test writes.
final class ScriptedLog: EventSource {
    private struct State {
        var events: [JobEvent] = []
        var purgedThrough = 0
        var watchers: [AsyncStream<Void>.Continuation] = []
    }

    private let state = Mutex(State())
    private let arrivals = AsyncStream.makeStream(of: Void.self)

    func latestEvent() async throws(IPPFailure) -> Int { state.withLock { $0.events.last?.sequence ?? 0 } }

    func events(after number: Int, limit: Int) async throws(IPPFailure) -> EventPage {
        state.withLock { state in
            EventPage(
                Array(state.events.filter { $0.sequence > number }.prefix(limit)), purgedThrough: state.purgedThrough)
        }
    }

    func eventChanges() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.watchers.append(continuation) }
        arrivals.continuation.yield()
        return stream
    }

    /// Waits until a reader waits for changes.
    func someoneWaits() async { for await _ in arrivals.stream { return } }

    /// Adds an event to the log and notifies the waiting readers.
    func append(
        _ kind: String = "job-state-changed", job: Int? = 1, state jobState: JobState? = .processing,
        owner: String? = "alice", printer: String = "office", message: String = "Printing page 1 of 2"
    ) {
        let watchers = state.withLock { state in
            state.events.append(
                JobEvent(
                    sequence: (state.events.last?.sequence ?? 0) + 1, jobID: job, printer: printer, time: 999_000,
                    kind: kind, state: job == nil ? nil : jobState, message: message,
                    printerState: job == nil ? .stopped : nil, reasons: job == nil ? ["paused"] : ["job-printing"],
                    impressions: 2, impressionsCompleted: job == nil ? nil : 1, jobName: job == nil ? nil : "Report",
                    owner: job == nil ? nil : owner))
            return state.watchers
        }
        for watcher in watchers { watcher.yield() }
    }

    /// Removes the events up to and including a number.
    func purge(through number: Int) {
        state.withLock { state in
            state.events.removeAll { $0.sequence <= number }
            state.purgedThrough = number
        }
    }
}

/// A printer queue with an event log, and the requests of its clients.
struct WatchedQueue {
    let log = ScriptedLog()
    let operations: PrinterOperations

    init(_ service: ScriptedService = ScriptedService(jobs: [.sample()]), wait: Duration = .seconds(60)) {
        operations = PrinterOperations(
            service, events: log, numbersJobsGlobally: true, isOpen: false, accounts: TestAccounts.shared.accounts,
            notifyWait: wait
        ) { 1_000_000 }
    }

    /// Sends a request for a printer, by default as alice over TCP.
    func ask(
        _ operation: Operation, _ attributes: [Attribute] = [], groups: [AttributeGroup] = [],
        uri: String = "ipp://localhost/printers/office", as user: String? = "alice",
        over who: ScriptedService.Who = .tcp, disconnection: Signal = Signal()
    ) async -> Message {
        let group = AttributeGroup(
            .operation,
            .preamble + [Attribute("printer-uri", .uri(uri))]
                + (user.map { [Attribute("requesting-user-name", .name($0))] } ?? []) + attributes)
        let message = Message(operation: operation, requestID: 7, groups: [group] + groups)
        return await operations.respond(
            to: IPPRequest(message: message, peer: who.peer(message), disconnection: disconnection))
    }

    /// Subscribes to events and returns the ID of the subscription.
    func subscribe(
        _ events: String..., more: [Attribute] = [], uri: String = "ipp://localhost/", as user: String = "alice",
        over who: ScriptedService.Who = .tcp
    ) async -> Int32? {
        await ask(.createPrinterSubscriptions, groups: [.subscription(events, more)], uri: uri, as: user, over: who)[
            .subscription]?.integer("notify-subscription-id")
    }

    /// Requests the notifications that start at a sequence number.
    func notifications(
        _ id: Int32?, from number: Int32? = nil, wait: Bool = false, as user: String = "alice",
        over who: ScriptedService.Who = .tcp, disconnection: Signal = Signal()
    ) async -> Message {
        var attributes = [Attribute("notify-subscription-ids", .integer(id ?? 0))]
        if let number { attributes.append(Attribute("notify-sequence-numbers", .integer(number))) }
        if wait { attributes.append(Attribute("notify-wait", .boolean(true))) }
        return await ask(.getNotifications, attributes, as: user, over: who, disconnection: disconnection)
    }
}

extension AttributeGroup {
    /// Returns a group that requests a pull subscription.
    static func subscription(_ events: [String], _ more: [Attribute] = []) -> AttributeGroup {
        let events = events.isEmpty ? [] : [Attribute("notify-events", events.map { .keyword($0) })]
        return AttributeGroup(.subscription, [Attribute("notify-pull-method", .keyword("ippget"))] + events + more)
    }
}

extension Message {
    /// The sequence numbers and texts of the notifications in a response.
    var told: [String] {
        groups(.eventNotification).map {
            "\($0.integer("notify-sequence-number") ?? 0) \($0.string("notify-text") ?? "")"
        }
    }
}
