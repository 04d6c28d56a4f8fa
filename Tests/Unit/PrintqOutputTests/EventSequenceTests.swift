import IPP
import IPPClient
import PrintModel
import SpoolerClient
import Testing

/// Tests of events and jobs as asynchronous sequences.
@Suite(.timeLimit(.minutes(1)))
struct EventSequenceTests {
    private func spooler(_ daemon: any IPPTransport) -> Spooler { Spooler(client: daemon, user: "ada", start: nil) }

    @Test func `the sequence has the events after the subscription, and its release cancels the subscription`()
        async throws
    {
        let daemon = EndlessDaemon()
        do {
            var numbers: [Int] = []
            for try await event in try await spooler(daemon).events(ofJobs: [7], at: "office", after: 10) {
                numbers.append(event.number)
                if numbers.count == 3 { break }
            }
            #expect(numbers == [11, 12, 13])
        }
        await daemon.waitUntilCanceled()
        let creation = try #require(await daemon.requests.first)
        #expect(creation[.subscription]?.integer("printq-events-after") == 10)
        #expect(creation[.subscription]?["printq-job-ids"]?.values == [.integer(7)])
        #expect(creation[.operation]?.string("printer-uri")?.hasSuffix("/printers/office") == true)
    }

    @Test func `if the reading task is canceled, the subscription is canceled`() async throws {
        let daemon = EndlessDaemon()
        let events = try await spooler(daemon).events()
        let reading = Task { for try await _ in events {} }
        reading.cancel()
        try await reading.value
        await daemon.waitUntilCanceled()
    }

    @Test func `a refused subscription is an error before the sequence begins`() async throws {
        let daemon = ScriptedDaemon([{ _ in ScriptedDaemon.answer(.clientErrorNotAuthorized) }])
        let error = await #expect(throws: SpoolerClientError.self) { try await spooler(daemon).events() }
        #expect(error?.code == .noPermission && error?.status == "client-error-not-authorized")
    }

    @Test func `a refusal while events are awaited ends the sequence with the error`() async throws {
        let daemon = ScriptedDaemon([
            ScriptedDaemon.subscribed(5, after: 10), ScriptedDaemon.events(11),
            { _ in ScriptedDaemon.answer(.clientErrorForbidden) },
        ])
        var numbers: [Int] = []
        let error = await #expect(throws: SpoolerClientError.self) {
            for try await event in try await spooler(daemon).events() { numbers.append(event.number) }
        }
        #expect(numbers == [11] && error?.code == .noPermission)
    }

    @Test func `a watch of a missing job throws the refusal`() async throws {
        let daemon = ScriptedDaemon([
            ScriptedDaemon.subscribed(5, after: 10), { _ in ScriptedDaemon.answer(.clientErrorNotFound) },
        ])
        let error = await #expect(throws: SpoolerClientError.self) {
            for try await _ in spooler(daemon).watch(99) {}
        }
        #expect(error?.code == .usage && error?.status == "client-error-not-found")
    }
}

/// A printd that delivers one event in each response, until the subscription is canceled.
private actor EndlessDaemon: IPPTransport {
    private(set) var requests: [Message] = []
    private var last: Int32 = 10
    private let (canceled, cancellation) = AsyncStream.makeStream(of: Void.self)

    func waitUntilCanceled() async { for await _ in canceled { return } }

    func send(_ request: Message, document: DocumentSource?, path: String) async throws(IPPClientError) -> Message {
        requests.append(request)
        switch request.operation {
        case .createPrinterSubscriptions: return try ScriptedDaemon.subscribed(5, after: last)(request)
        case .getNotifications:
            await Task.yield()
            last += 1
            return try ScriptedDaemon.events(last, first: last - 10)(request)
        case .cancelSubscription: cancellation.yield()
        default: break
        }
        return ScriptedDaemon.answer()
    }
}
