// Tests the requests and events of an event watch, and its continuation after printd restarts.

import IPP
import IPPClient
import PrintqOutput
import SpoolerClient
import PrintIPP
import PrintModel
import Synchronization
import Testing

/// A printd with scripted responses.
///
/// Each response belongs to one request.
final class ScriptedDaemon: IPPTransport {
    typealias Step = @Sendable (Message) throws(IPPClientError) -> Message

    private let steps: Mutex<[Step]>
    private let log = Mutex<[Message]>([])

    init(_ steps: [Step]) { self.steps = Mutex(steps) }

    var requests: [Message] { log.withLock { $0 } }

    func send(_ request: Message, document: DocumentSource?, path: String) async throws(IPPClientError) -> Message {
        log.withLock { $0.append(request) }
        let step = steps.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let step else { return Self.answer() }
        return try step(request)
    }

    static func answer(_ status: Status = .successfulOk, _ groups: [AttributeGroup] = []) -> Message {
        Message(version: .v2_0, status: status, requestID: 1, groups: [AttributeGroup(.operation)] + groups)
    }

    /// Returns a response with a subscription that begins after an event.
    static func subscribed(_ id: Int32, after event: Int32, missing: Int32? = nil) -> Step {
        { _ in
            var group = AttributeGroup(
                .subscription,
                [
                    Attribute("notify-subscription-id", .integer(id)),
                    Attribute("printq-event-number", .integer(event)),
                ])
            if let missing { group.append("printq-events-missing-through", .integer(missing)) }
            return answer(.successfulOk, [group])
        }
    }

    /// Returns a response with events of job 7 that have the given event numbers.
    ///
    /// The sequence numbers begin with `first`.
    static func events(_ numbers: Int32..., first: Int32 = 1, ending: Int32? = nil) -> Step {
        { _ in
            answer(
                .successfulOk,
                numbers.enumerated().map { index, number in
                    AttributeGroup(
                        .eventNotification,
                        [
                            Attribute("printq-event-number", .integer(number)),
                            Attribute("notify-sequence-number", .integer(first + Int32(index))),
                            Attribute("notify-subscribed-event", .keyword("job-state-changed")),
                            Attribute("notify-job-id", .integer(7)),
                            Attribute("job-state", .enumeration(number == ending ? 9 : 5)),
                            Attribute("printer-up-time", .integer(3600)),
                            Attribute("notify-text", .text("event \(number)\u{1B}[2J")),
                        ])
                })
        }
    }

    static let gone: Step = { _ throws(IPPClientError) in
        throw IPPClientError(.connectionLost, "the connection to printd was lost", mayHaveBeenReceived: true)
    }
    static let unreachable: Step = { _ throws(IPPClientError) in
        throw IPPClientError(.unreachable, "printd cannot be reached", mayHaveBeenReceived: false)
    }
}

struct EventWatchTests {
    private struct Seen: Sendable {
        var events: [Int] = []
        var notices: [String] = []
        var pauses: [Duration] = []
        var starts = 0
    }

    /// Watches until the given number of events has arrived.
    private func watch(
        _ daemon: ScriptedDaemon, _ request: WatchRequest = WatchRequest(), until count: Int, waits: Bool = true
    ) async throws(SpoolerClientError) -> (events: [Int], notices: [String], pauses: [Duration], starts: Int) {
        let seen = Mutex(Seen())
        let queue = Spooler(client: daemon, user: "ada") { () throws(SpoolerClientError) in
            seen.withLock { $0.starts += 1 }
        }
        let watch = EventWatch(
            queue, request, pause: { pause in seen.withLock { $0.pauses.append(pause) } },
            notice: { notice in seen.withLock { $0.notices.append(notice.text) } })
        try await watch.run(onStart: { () async throws(SpoolerClientError) in waits }) {
            (event: EventView) throws(SpoolerClientError) in
            seen.withLock { seen in
                seen.events.append(event.number)
                return seen.events.count < count
            }
        }
        return seen.withLock { ($0.events, $0.notices, $0.pauses, $0.starts) }
    }

    private func sequenceNumbers(_ daemon: ScriptedDaemon) -> [Int32?] {
        daemon.requests.filter { $0.operation == .getNotifications }.map {
            $0[.operation]?.integer("notify-sequence-numbers")
        }
    }

    private func beginnings(_ daemon: ScriptedDaemon) -> [Int32?] {
        daemon.requests.filter { $0.operation == .createPrinterSubscriptions }.map {
            $0[.subscription]?.integer("printq-events-after")
        }
    }

    @Test func `'printq watch' subscribes, requests only new events, and cancels its subscription before it exits`()
        async throws
    {
        let daemon = ScriptedDaemon([
            ScriptedDaemon.subscribed(5, after: 10), ScriptedDaemon.events(11, 12), ScriptedDaemon.events(),
            ScriptedDaemon.events(14, first: 3),
        ])
        let seen = try await watch(daemon, until: 3)
        #expect(seen.events == [11, 12, 14])
        #expect(seen.notices.isEmpty && seen.starts == 0)
        #expect(sequenceNumbers(daemon) == [1, 3, 3])
        #expect(daemon.requests.map(\.operation).last == .cancelSubscription)
        #expect(daemon.requests.last?[.operation]?.integer("notify-subscription-id") == 5)
        #expect(beginnings(daemon) == [nil])
        #expect(daemon.requests[1][.operation]?.boolean("notify-wait") == true)
    }

    @Test func `after a restart of printd, 'printq watch' continues after the last event and reports the reconnection`()
        async throws
    {
        let daemon = ScriptedDaemon([
            ScriptedDaemon.subscribed(5, after: 10), ScriptedDaemon.events(11, 12), ScriptedDaemon.gone,
            ScriptedDaemon.unreachable, ScriptedDaemon.unreachable, ScriptedDaemon.subscribed(9, after: 12),
            ScriptedDaemon.events(13),
        ])
        let seen = try await watch(daemon, until: 3)
        #expect(seen.events == [11, 12, 13])
        #expect(
            seen.notices == [
                "lost the connection to printd; waiting until printd is running again",
                "reconnected to printd; continuing after event 12",
            ])
        #expect(seen.pauses == [.milliseconds(100), .milliseconds(200)], "each pause is longer than the pause before")
        #expect(seen.starts == 0, "the user may have stopped printd on purpose")
        #expect(beginnings(daemon) == [nil, 12, 12, 12])
        #expect(sequenceNumbers(daemon) == [1, 3, 1])
    }

    @Test
    func `if printd restarts before the first event, the new subscription starts where the old subscription started`()
        async throws
    {
        let daemon = ScriptedDaemon([
            ScriptedDaemon.subscribed(5, after: 10), ScriptedDaemon.gone, ScriptedDaemon.subscribed(9, after: 10),
            ScriptedDaemon.events(11),
        ])
        #expect(try await watch(daemon, until: 1).events == [11])
        #expect(beginnings(daemon) == [nil, 10])
    }

    @Test func `'printq watch' replaces an expired subscription without an error message`() async throws {
        let daemon = ScriptedDaemon([
            ScriptedDaemon.subscribed(5, after: 10), ScriptedDaemon.events(11),
            { _ in ScriptedDaemon.answer(.clientErrorNotFound) }, ScriptedDaemon.subscribed(6, after: 11),
            { _ in ScriptedDaemon.answer(.successfulOkEventsComplete) }, ScriptedDaemon.subscribed(7, after: 11),
            ScriptedDaemon.events(12),
        ])
        let seen = try await watch(daemon, until: 2)
        #expect(seen.events == [11, 12])
        #expect(seen.notices.isEmpty)
        #expect(beginnings(daemon) == [nil, 11, 11])
    }

    @Test func `the first request of 'printq watch' starts printd if printd is not running`() async throws {
        let daemon = ScriptedDaemon([
            ScriptedDaemon.unreachable, ScriptedDaemon.subscribed(5, after: 10), ScriptedDaemon.events(11),
        ])
        let seen = try await watch(daemon, until: 1)
        #expect(seen.starts == 1)
        #expect(seen.notices.isEmpty)
        let nobody = ScriptedDaemon(Array(repeating: ScriptedDaemon.unreachable, count: 9))
        let error = await #expect(throws: SpoolerClientError.self) { try await watch(nobody, until: 1) }
        #expect(error?.code == .unavailable)
    }

    @Test func `'printq watch' shows past events and reports missing events`() async throws {
        let daemon = ScriptedDaemon([
            ScriptedDaemon.subscribed(5, after: 0, missing: 6), ScriptedDaemon.events(2, 7), ScriptedDaemon.events(),
        ])
        let seen = try await watch(daemon, WatchRequest(after: 0), until: 99, waits: false)
        #expect(seen.events == [2, 7])
        #expect(seen.notices == ["some events up to event 6 are missing because their jobs were deleted"])
        #expect(beginnings(daemon) == [0])
        #expect(daemon.requests[1][.operation]?.boolean("notify-wait") == false)
    }

    @Test func `the number of a future event in 'printq watch --after' causes a usage error`() async throws {
        let daemon = ScriptedDaemon([
            { request in
                var group = AttributeGroup(.subscription, [Attribute("notify-status-code", .enumeration(0x040B))])
                group.append("printq-events-after", .integer(500))
                return ScriptedDaemon.answer(.clientErrorIgnoredAllSubscriptions, [group])
            }
        ])
        let error = await #expect(throws: SpoolerClientError.self) {
            try await watch(daemon, WatchRequest(after: 500), until: 1)
        }
        #expect(error?.code == .usage)
        #expect(error?.message == "event 500 does not exist yet; omit --after to see new events")
    }

    @Test func `'printq watch' with job numbers subscribes only to job events`() async throws {
        let daemon = ScriptedDaemon([ScriptedDaemon.subscribed(5, after: 10), ScriptedDaemon.events(11)])
        _ = try await watch(daemon, WatchRequest(printer: "laser", jobs: [7, 9]), until: 1)
        let creation = daemon.requests[0]
        #expect(creation[.operation]?.string("printer-uri") == "ipp://localhost/printers/laser")
        #expect(creation[.subscription]?["printq-job-ids"]?.values == [.integer(7), .integer(9)])
        #expect(creation[.subscription]?.keywords("notify-events").allSatisfy { $0.hasPrefix("job-") } == true)
    }

    /// A watch that a response of printd can cancel.
    private final class CancelableWatch: Sendable {
        private let task = Mutex<Task<Void, any Error>?>(nil)

        func start(_ body: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error> {
            task.withLock { task in
                let started = Task { try await body() }
                task = started
                return started
            }
        }

        func cancel() { task.withLock { $0?.cancel() } }
    }

    @Test func `if a watch is canceled while printd creates its subscription, the subscription is canceled`() async {
        let running = CancelableWatch()
        let creation: ScriptedDaemon.Step = { request throws(IPPClientError) in
            running.cancel()
            if Task.isCancelled { throw IPPClientError(.canceled, "canceled", mayHaveBeenReceived: true) }
            return try ScriptedDaemon.subscribed(5, after: 10)(request)
        }
        let daemon = ScriptedDaemon([creation])
        _ = await running.start { _ = try await watch(daemon, until: 1) }.result
        #expect(daemon.requests.map(\.operation) == [.createPrinterSubscriptions, .cancelSubscription])
    }

    // MARK: - Output

    @Test func `an event with control characters is written as one line of text or one line of JSON`() throws {
        let answer = try ScriptedDaemon.events(11)(ScriptedDaemon.answer())
        let event = EventView(try #require(answer[.eventNotification]))
        #expect(event.line(now: 3600).hasSuffix(":00:00 event 11·[2J"))
        #expect(event.line(now: 90_000_000).hasPrefix("1970-01-01 "))
        #expect(
            event.json.compactText
                == #"{"printq-event-number":11,"notify-subscribed-event":"job-state-changed","notify-job-id":7,"#
                + #""job-state":"processing","notify-text":"event 11\u001b[2J"}"#)
    }

    @Test func `'printq watch' with job numbers ends after all these jobs have ended`() throws {
        func event(_ number: Int32, ending: Int32? = nil) throws -> EventView {
            EventView(
                try #require(
                    try ScriptedDaemon.events(number, ending: ending)(ScriptedDaemon.answer())[.eventNotification]))
        }
        var all = OpenJobs(named: [])
        #expect(all.isEmpty)
        all.note(try event(1))
        #expect(!all.isEmpty)
        all.note(try event(2, ending: 2))
        #expect(all.isEmpty)
        #expect(all.ended == [7])
        var other = OpenJobs(named: [8])
        other.note(try event(3, ending: 3))
        #expect(other.ended.isEmpty)
    }
}
