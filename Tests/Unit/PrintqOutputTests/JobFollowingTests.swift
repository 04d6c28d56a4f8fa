// Tests how a client follows a job until it ends.

import IPP
import IPPClient
import PrintModel
import SpoolerClient
import Synchronization
import Testing

struct JobFollowingTests {
    private struct Seen: Sendable {
        var states: [JobState?] = []
        var pages: [Int] = []
        var pauses: [Duration] = []
        var starts = 0
    }

    /// Follows job 7 until it ends.
    private func follow(_ daemon: ScriptedDaemon) async throws(SpoolerClientError) -> Seen {
        let seen = Mutex(Seen())
        let queue = Spooler(client: daemon, user: "ada") { () throws(SpoolerClientError) in
            seen.withLock { $0.starts += 1 }
        }
        _ = try await queue.follow(7, pause: { pause in seen.withLock { $0.pauses.append(pause) } }) { job in
            seen.withLock {
                $0.states.append(job.state)
                $0.pages.append(job.impressionsCompleted)
            }
        }
        return seen.withLock { $0 }
    }

    /// Returns the response to Get-Job-Attributes for job 7 on the printer 'laser'.
    private func look(_ state: JobState, pages: Int32 = 0, _ more: [Attribute] = []) -> ScriptedDaemon.Step {
        { _ in
            ScriptedDaemon.answer(
                .successfulOk,
                [
                    AttributeGroup(
                        .job,
                        [
                            Attribute("job-id", .integer(7)),
                            Attribute("job-state", .enumeration(Int32(state.rawValue))),
                            Attribute("job-impressions-completed", .integer(pages)),
                            Attribute("job-printer-uri", .uri("ipp://localhost/printers/laser")),
                        ] + more)
                ])
        }
    }

    /// Returns a response with an event of a printer.
    private func news(of printer: String, _ number: Int32) -> ScriptedDaemon.Step {
        { _ in
            ScriptedDaemon.answer(
                .successfulOk,
                [
                    AttributeGroup(
                        .eventNotification,
                        [
                            Attribute("printq-event-number", .integer(number)),
                            Attribute("notify-sequence-number", .integer(number - 10)),
                            Attribute("printer-name", .name(printer)),
                        ])
                ])
        }
    }

    /// The response without events that printd sends after a timeout or if it accepts no waiting requests.
    private let nothing: ScriptedDaemon.Step = { _ in
        var answer = ScriptedDaemon.answer()
        answer[.operation]?.append("notify-get-interval", .integer(1))
        return answer
    }

    /// Returns the operations of the requests, without the Cancel-Subscription at the end.
    private func questions(_ daemon: ScriptedDaemon) -> [Operation?] {
        #expect(daemon.requests.last?.operation == .cancelSubscription)
        return daemon.requests.dropLast().map(\.operation)
    }

    @Test func `the client requests a followed job once at the start, and then only after events of the job`()
        async throws
    {
        let daemon = ScriptedDaemon([
            ScriptedDaemon.subscribed(5, after: 10), look(.pending), ScriptedDaemon.events(11, 12),
            look(.processing, pages: 1), ScriptedDaemon.events(13, first: 3), look(.completed, pages: 2),
        ])
        let seen = try await follow(daemon)
        #expect(seen.states == [.pending, .processing, .completed])
        #expect(seen.pages == [0, 1, 2])
        #expect(seen.pauses.isEmpty && seen.starts == 0)
        #expect(
            questions(daemon) == [
                .createPrinterSubscriptions, .getJobAttributes, .getNotifications, .getJobAttributes,
                .getNotifications, .getJobAttributes,
            ])
        #expect(daemon.requests[0][.subscription]?["printq-job-ids"]?.values == [.integer(7)])
        #expect(
            daemon.requests.filter { $0.operation == .getNotifications }
                .allSatisfy { $0[.operation]?.boolean("notify-wait") == true }, "the request waits at printd")
    }

    /// Returns the attributes of an event of job 7, which is printing.
    private func page(_ number: Int32, printed: Int32, _ message: String, _ messageName: String) -> [Attribute] {
        [
            Attribute("printq-event-number", .integer(number)), Attribute("notify-sequence-number", .integer(number)),
            Attribute("notify-subscribed-event", .keyword("job-progress")), Attribute("notify-job-id", .integer(7)),
            Attribute("job-state", .enumeration(5)), Attribute("job-state-reasons", .keyword("job-printing")),
            Attribute("job-impressions-completed", .integer(printed)), Attribute(messageName, .text(message)),
        ]
    }

    /// Follows job 7 until it ends, and returns the messages of the pages between two reads.
    private func messages(_ daemon: ScriptedDaemon) async throws(SpoolerClientError) -> [String] {
        let messages = Mutex<[String]>([])
        let queue = Spooler(client: daemon, user: "ada") { () throws(SpoolerClientError) in }
        _ = try await queue.follow(
            7, onPast: { job in messages.withLock { $0.append(job.message) } }, onLook: { _ in })
        return messages.withLock { $0 }
    }

    @Test
    func `if pages are printed between two requests for a job, the pages are reported before the final job state`()
        async throws
    {
        let events: ScriptedDaemon.Step = { [self] _ in
            ScriptedDaemon.answer(
                .successfulOk,
                [
                    page(11, printed: 0, "Printing page 1 of 2", "job-state-message"),
                    page(12, printed: 1, "Printing page 2 of 2", "job-state-message"),
                    page(13, printed: 2, "All pages printed", "job-state-message"),
                ].map { AttributeGroup(.eventNotification, $0) })
        }
        let daemon = ScriptedDaemon([
            ScriptedDaemon.subscribed(5, after: 10), look(.pending), events, look(.completed, pages: 2),
        ])
        #expect(
            try await messages(daemon) == ["Printing page 1 of 2", "Printing page 2 of 2", "All pages printed"])
        // The first read includes the events before the subscription.
        #expect(
            daemon.requests.filter { $0.operation == .getJobAttributes }
                .map { $0[.operation]?.keywords("requested-attributes").contains("printq-timeline") } == [true, false])
    }

    @Test
    func `if pages were printed before the subscription, they are reported, except for pages of an earlier delivery`()
        async throws
    {
        let waiting = [
            Attribute("printq-event-number", .integer(5)), Attribute("job-state", .enumeration(3)),
            Attribute("notify-text", .text("Continues with page 2")),
        ]
        let events = [
            page(4, printed: 0, "Printing page 1 of 2", "notify-text"), waiting,
            page(6, printed: 1, "Printing page 2 of 2", "notify-text"),
            page(7, printed: 2, "All pages printed", "notify-text"),
        ]
        let daemon = ScriptedDaemon([
            ScriptedDaemon.subscribed(5, after: 10),
            look(
                .completed, pages: 2,
                [Attribute("printq-timeline", events.map { .collection(IPP.Collection($0)) })]),
        ])
        #expect(try await messages(daemon) == ["Printing page 2 of 2", "All pages printed"])
    }

    @Test func `a late event reports no pages if the response to Get-Job-Attributes already contained the pages`()
        async throws
    {
        let printing = look(.processing, pages: 2, [Attribute("job-state-reasons", .keyword("job-printing"))])
        let late: ScriptedDaemon.Step = { [self] _ in
            let event = page(11, printed: 1, "Printing page 2 of 2", "job-state-message")
            return ScriptedDaemon.answer(.successfulOk, [AttributeGroup(.eventNotification, event)])
        }
        let daemon = ScriptedDaemon([
            ScriptedDaemon.subscribed(5, after: 10), printing, late, look(.completed, pages: 2),
        ])
        #expect(try await messages(daemon).isEmpty)
    }

    @Test func `if a job ended before the subscription, the job is reported immediately`() async throws {
        let daemon = ScriptedDaemon([ScriptedDaemon.subscribed(5, after: 10), look(.completed, pages: 2)])
        #expect(try await follow(daemon).states == [.completed])
        #expect(questions(daemon) == [.createPrinterSubscriptions, .getJobAttributes])
    }

    @Test func `an event of the job's printer causes a new job request, and an event of a different printer does not`()
        async throws
    {
        let daemon = ScriptedDaemon([
            ScriptedDaemon.subscribed(5, after: 10), look(.pending), news(of: "office", 11), news(of: "laser", 12),
            look(.completed),
        ])
        #expect(try await follow(daemon).states == [.pending, .completed])
        #expect(
            questions(daemon) == [
                .createPrinterSubscriptions, .getJobAttributes, .getNotifications, .getNotifications,
                .getJobAttributes,
            ])
    }

    @Test
    func `if no event arrives, the client waits for the interval in printd's response, and requests the job again`()
        async throws
    {
        let daemon = ScriptedDaemon([
            ScriptedDaemon.subscribed(5, after: 10), look(.pending), nothing, look(.pending), nothing, look(.completed),
        ])
        let seen = try await follow(daemon)
        #expect(seen.states == [.pending, .pending, .completed])
        #expect(seen.pauses == [.seconds(1), .seconds(1)])
    }

    @Test func `when printd exits, the client restarts printd and requests the missed events`() async throws {
        let daemon = ScriptedDaemon([
            ScriptedDaemon.subscribed(5, after: 10), look(.pending), ScriptedDaemon.events(11), look(.processing),
            ScriptedDaemon.gone, ScriptedDaemon.unreachable, look(.processing, pages: 1),
            ScriptedDaemon.subscribed(9, after: 11), ScriptedDaemon.events(12), look(.completed, pages: 2),
        ])
        let seen = try await follow(daemon)
        #expect(seen.states == [.pending, .processing, .processing, .completed])
        #expect(seen.starts == 1)
        #expect(
            daemon.requests.filter { $0.operation == .createPrinterSubscriptions }.map {
                $0[.subscription]?.integer("printq-events-after")
            } == [nil, 11])
    }

    @Test func `if printd cannot be restarted, the client stops following the job and reports an error`() async throws {
        let daemon = ScriptedDaemon(
            [ScriptedDaemon.subscribed(5, after: 10), look(.pending)]
                + Array(repeating: ScriptedDaemon.unreachable, count: 9))
        let error = await #expect(throws: SpoolerClientError.self) { try await follow(daemon) }
        #expect(error?.code == .unavailable)
    }

    @Test(arguments: [Status.clientErrorIgnoredAllSubscriptions, .serverErrorOperationNotSupported])
    func `if printd refuses a subscription, the client polls the state of the followed job once per second`(
        _ refusal: Status
    )
        async throws
    {
        let refused: ScriptedDaemon.Step = { _ in
            let code = Int32(Status.clientErrorTooManySubscriptions.rawValue)
            return ScriptedDaemon.answer(
                refusal, [AttributeGroup(.subscription, [Attribute("notify-status-code", .enumeration(code))])])
        }
        let daemon = ScriptedDaemon([
            refused, look(.pending), refused, look(.processing, pages: 1), refused, look(.completed, pages: 2),
        ])
        let seen = try await follow(daemon)
        #expect(seen.states == [.pending, .processing, .completed])
        #expect(seen.pauses == [.seconds(1), .seconds(1)])
    }

    @Test func `a client receives a usage error if it follows an unknown job`() async throws {
        let daemon = ScriptedDaemon([
            { _ in ScriptedDaemon.answer(.clientErrorNotFound) }, { _ in ScriptedDaemon.answer(.clientErrorNotFound) },
        ])
        let error = await #expect(throws: SpoolerClientError.self) { try await follow(daemon) }
        #expect(error?.code == .usage)
    }

    @Test func `if the wait for a job is canceled, the error reports that the job stays in the queue`() async throws {
        let task = Task {
            let daemon = ScriptedDaemon([ScriptedDaemon.subscribed(5, after: 10), look(.pending)])
            let queue = Spooler(client: daemon, user: "ada") { () throws(SpoolerClientError) in }
            return try await queue.follow(7) { _ in withUnsafeCurrentTask { $0?.cancel() } }
        }
        let error = await #expect(throws: SpoolerClientError.self) { try await task.value }
        #expect(error?.code == .temporary)
        #expect(error?.message == "stopped waiting for job 7; the job stays in the queue")
    }
}
