import IPP
import IPPClient
import PrintBackends
import PrintModel
import PrintTestSupport
import Synchronization
import Testing

/// A printer with one job whose responses come from the handlers of a test.
private final class TellingPrinter: IPPTransport {
    typealias Answer = @Sendable (Message) async throws -> Message

    private let answers: Mutex<[IPP.Operation: Answer]>
    private let asked = Mutex<[IPP.Operation]>([])

    init(_ answers: [IPP.Operation: Answer]) { self.answers = Mutex(answers) }

    var operations: [IPP.Operation] { asked.withLock { $0 } }

    func send(_ request: Message, document: DocumentSource?, path: String) async throws(IPPClientError) -> Message {
        asked.withLock { $0.append(request.operation) }
        guard let answer = answers.withLock({ $0[request.operation] }) else {
            return Message(version: .v1_1, status: .serverErrorOperationNotSupported, requestID: 1, groups: [])
        }
        do { return try await answer(request) } catch {
            throw IPPClientError(.canceled, "canceled", mayHaveBeenReceived: true)
        }
    }

    static func reply(_ status: Status = .successfulOk, _ groups: [AttributeGroup] = []) -> Message {
        Message(version: .v1_1, status: status, requestID: 1, groups: [AttributeGroup(.operation)] + groups)
    }

    static let subscribed: Answer = { _ in
        reply(.successfulOk, [AttributeGroup(.subscription, [Attribute("notify-subscription-id", .integer(3))])])
    }

    static func notification(_ number: Int32) -> AttributeGroup {
        AttributeGroup(
            .eventNotification,
            [
                Attribute("notify-subscription-id", .integer(3)), Attribute("notify-sequence-number", .integer(number)),
                Attribute("notify-subscribed-event", .keyword("job-progress")),
            ])
    }
}

@Suite(.timeLimit(.minutes(1)))
struct WaitForNewsTests {
    private let job = RemoteJob(id: 7, uuid: nil)
    private let pause = Duration.milliseconds(500)

    private func backend(_ printer: TellingPrinter) -> IPPBackend {
        IPPBackend(transport: printer, printerURI: "ipp://localhost/ipp/print/laser")
    }

    @Test func `a notification ends 'waitForNews' before the pause ends`() async throws {
        let printer = TellingPrinter([
            .createJobSubscriptions: TellingPrinter.subscribed,
            .getNotifications: { request in
                #expect(request[.operation]?.boolean("notify-wait") == true)
                return TellingPrinter.reply(.successfulOk, [TellingPrinter.notification(1)])
            },
        ])
        // The clock never advances: only the notification can end the wait.
        #expect(try await backend(printer).waitForNews(of: job, orAfter: pause, by: TestClock()))
        #expect(printer.operations == [.createJobSubscriptions, .getNotifications])
    }

    @Test func `if the printer does not support subscriptions, 'waitForNews' waits for the whole pause`() async throws {
        let printer = TellingPrinter([:])
        let clock = TestClock()
        let backend = backend(printer)
        for _ in 0..<3 {
            async let told = backend.waitForNews(of: job, orAfter: pause, by: clock)
            await clock.sleepers(1)
            clock.advance(by: pause)
            #expect(try await !told)
        }
        #expect(printer.operations == [.createJobSubscriptions])
    }

    @Test func `if the printer does not respond to Get-Notifications, 'waitForNews' ends after 2 seconds`() async throws
    {
        let printer = TellingPrinter([
            .createJobSubscriptions: TellingPrinter.subscribed,
            .getNotifications: { _ in
                try await TestClock().sleep(for: .seconds(1))
                return TellingPrinter.reply()
            },
        ])
        let clock = TestClock()
        async let told = backend(printer).waitForNews(of: job, orAfter: pause, by: clock)
        await clock.sleepers(1)
        clock.advance(by: .seconds(2))
        #expect(try await !told)
    }

    @Test(arguments: [[], [TellingPrinter.notification(0)], [AttributeGroup(.eventNotification)]])
    func `after a response without new notifications, 'waitForNews' waits for the whole pause`(groups: [AttributeGroup])
        async throws
    {
        let printer = TellingPrinter([
            .createJobSubscriptions: TellingPrinter.subscribed,
            .getNotifications: { _ in TellingPrinter.reply(.successfulOk, groups) },
        ])
        let told = try await backend(printer).waitForNews(of: job, orAfter: pause, by: ContinuousClock())
        #expect(!told)
        #expect(printer.operations == [.createJobSubscriptions, .getNotifications])
    }

    @Test func `'waitForNews' ends if its task is canceled`() async throws {
        let listening = AsyncStream.makeStream(of: Void.self)
        let printer = TellingPrinter([
            .createJobSubscriptions: TellingPrinter.subscribed,
            .getNotifications: { _ in
                listening.continuation.yield()
                try await TestClock().sleep(for: .seconds(1))
                return TellingPrinter.reply()
            },
        ])
        let backend = backend(printer)
        let waiting = Task { [job, pause] in try await backend.waitForNews(of: job, orAfter: pause, by: TestClock()) }
        for await _ in listening.stream { break }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }

    @Test func `the printer status contains the printer's alerts`() async throws {
        let printer = TellingPrinter([
            .getPrinterAttributes: { _ in
                TellingPrinter.reply(
                    .successfulOk,
                    [
                        AttributeGroup(
                            .printer,
                            [
                                Attribute("printer-state", .enumeration(5)),
                                Attribute(
                                    "printer-state-reasons",
                                    [.keyword("cover-open-error"), .keyword("toner-low-report")]),
                                Attribute(
                                    "printer-alert", .octetString(Array("code=coverOpen;severity=critical".utf8))),
                                Attribute("printer-alert-description", .text("The front cover is open")),
                            ])
                    ])
            }
        ])
        let status = try await backend(printer).status()
        #expect(status.reasons == ["cover-open-error", "toner-low-report"])
        #expect(
            status.alerts == [.init(value: "code=coverOpen;severity=critical", description: "The front cover is open")])
        #expect(status.text == "The front cover is open")
    }
}
