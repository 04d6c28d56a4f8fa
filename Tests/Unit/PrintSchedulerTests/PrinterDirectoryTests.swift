import PrintModel
import PrintScheduler
import PrintTestSupport
import Synchronization
import Testing

struct PrinterDirectoryTests {
    /// A printer that responds only to the first request.
    private actor FadingPrinter: PrinterBackend {
        private var answers = 1
        private(set) var questions = 0

        func capabilities() async throws(BackendError) -> PrinterCapabilities {
            questions += 1
            guard answers > 0 else { throw BackendError(.unreachable, "silent") }
            answers -= 1
            return PrinterCapabilities(
                makeAndModel: "Fading", papers: [PrintPaper(media: .a4)], defaultMedia: .a4, formats: [.pdf])
        }
        func status() async throws(BackendError) -> PrinterStatus { throw BackendError(.unreachable, "silent") }
        func createJob(_ request: DeliveryRequest) async throws(BackendError) -> RemoteJob {
            throw BackendError(.unreachable, "silent")
        }
        func sendDocument(_ path: String, format: DocumentFormat, to job: RemoteJob) async throws(BackendError) {
            throw BackendError(.unreachable, "silent")
        }
        func jobStatus(_ job: RemoteJob) async throws(BackendError) -> RemoteJobStatus? { nil }
        func cancelJob(_ job: RemoteJob) async throws(BackendError) {}
    }

    @Test func `the printer directory returns the last known capabilities of a printer that does not respond`()
        async throws
    {
        let time = TestTime()
        let directory = PrinterDirectory(clock: { time.now }) { _ in FadingPrinter() }
        let printer = ConfiguredPrinter(name: "fading", deviceURI: "test:fading")
        #expect(try await directory.capabilities(of: printer).makeAndModel == "Fading")
        time.now += 3600
        #expect(try await directory.capabilities(of: printer).makeAndModel == "Fading")
        #expect(await directory.status(of: printer) == nil)
    }

    @Test func `the backend and the responses of a removed printer are forgotten`() async throws {
        let directory = PrinterDirectory(clock: { 0 }) { _ in FadingPrinter() }
        let printer = ConfiguredPrinter(name: "fading", deviceURI: "test:fading")
        weak let backend = try await directory.backend(for: printer) as? FadingPrinter
        _ = await directory.status(of: printer)
        await directory.keepOnly(["fading", "other"])
        #expect(await directory.lastStatus(of: printer) != nil && backend != nil)
        await directory.keepOnly(["other"])
        #expect(await directory.lastStatus(of: printer) == nil && backend == nil)
    }

    @Test
    func `'knownCapabilities' requests a printer's capabilities once, and repeated calls return the stored result`()
        async throws
    {
        let time = TestTime()
        let fading = FadingPrinter()
        let directory = PrinterDirectory(clock: { time.now }) { _ in fading }
        let printer = ConfiguredPrinter(name: "fading", deviceURI: "test:fading")
        #expect(await directory.knownCapabilities(of: printer)?.makeAndModel == "Fading")
        #expect(await fading.questions == 1)
        time.now += 3600
        #expect(await directory.knownCapabilities(of: printer)?.makeAndModel == "Fading")
        #expect(await fading.questions == 1)

        // Another printer with the same backend, which no longer responds.
        let silent = ConfiguredPrinter(name: "silent", deviceURI: "test:silent")
        #expect(await directory.knownCapabilities(of: silent) == nil)
        #expect(await directory.knownCapabilities(of: silent) == nil)
        #expect(await fading.questions == 2)
    }

    @Test func `cached responses of a printer are stale if the clock was set back after the responses arrived`()
        async throws
    {
        let time = TestTime()
        let laser = ScriptedPrinter()
        let directory = PrinterDirectory(clock: { time.now }) { _ in laser }
        let printer = ConfiguredPrinter(name: "laser", deviceURI: "test:laser")
        _ = try await directory.capabilities(of: printer)
        _ = await directory.status(of: printer)
        time.now -= 86_400
        await laser.set(defaultDuplex: .longEdge)
        await laser.show(PrinterStatus(state: .stopped))
        #expect(try await directory.capabilities(of: printer).defaultDuplex == .longEdge)
        #expect(await directory.status(of: printer)?.state == .stopped)
    }

    @Test func `after 'expireStatus', the status of every printer with the same device URI is requested again`()
        async throws
    {
        let laser = ScriptedPrinter()
        let directory = PrinterDirectory(clock: { 0 }) { _ in laser }
        let printers = ["laser", "copy"].map { ConfiguredPrinter(name: $0, deviceURI: "test:laser") }
        for printer in printers { #expect(await directory.status(of: printer)?.state == .idle) }
        await laser.show(PrinterStatus(state: .stopped))
        #expect(await directory.status(of: printers[0])?.state == .idle, "the cached status")
        await directory.expireStatus(ofPrinterNamed: "laser")
        for printer in printers { #expect(await directory.status(of: printer)?.state == .stopped) }
        #expect(await laser.count(.printerStatus) == 4)
        _ = await directory.status(of: printers[0])
        #expect(await laser.count(.printerStatus) == 4, "the new status is cached")
    }

    @Test func `a printer's status is not cached if 'expireStatus' is called during the status request`() async throws {
        let laser = ScriptedPrinter()
        let directory = PrinterDirectory(clock: { 0 }) { _ in laser }
        let printer = ConfiguredPrinter(name: "laser", deviceURI: "test:laser")
        let gate = Gate()
        await laser.set(gate, at: .printerStatus)
        async let early = directory.status(of: printer)
        await laser.wait(for: .printerStatus, count: 1)
        await directory.expireStatus(ofPrinterNamed: "laser")
        gate.open()
        #expect(await early?.state == .idle)
        await laser.show(PrinterStatus(state: .stopped))
        #expect(await directory.status(of: printer)?.state == .stopped)
    }

    /// A printer that accepts every request and does not respond until the gate opens.
    private struct HungPrinter: PrinterBackend {
        let gate = Gate()

        private func hang() async throws(BackendError) {
            do { try await gate.pass() } catch { throw BackendError(.unreachable, "given up") }
        }
        func capabilities() async throws(BackendError) -> PrinterCapabilities {
            try await hang()
            return PrinterCapabilities(
                makeAndModel: "Hung", papers: [PrintPaper(media: .a4)], defaultMedia: .a4, formats: [.pdf])
        }
        func status() async throws(BackendError) -> PrinterStatus {
            try await hang()
            return PrinterStatus(state: .idle)
        }
        func createJob(_ request: DeliveryRequest) async throws(BackendError) -> RemoteJob {
            throw BackendError(.unreachable, "hung")
        }
        func sendDocument(_ path: String, format: DocumentFormat, to job: RemoteJob) async throws(BackendError) {}
        func jobStatus(_ job: RemoteJob) async throws(BackendError) -> RemoteJobStatus? { nil }
        func cancelJob(_ job: RemoteJob) async throws(BackendError) {}
    }

    @Test func `'quickStatus' of a silent printer returns at the deadline, and a second call returns immediately`()
        async throws
    {
        let time = TestTime()
        let clock = FlyingClock()
        let hung = HungPrinter()
        let directory = PrinterDirectory(clock: { time.now }, sleeper: clock) { _ in hung }
        let printer = ConfiguredPrinter(name: "hung", deviceURI: "test:hung")
        for _ in 0..<2 {
            let seen = await directory.quickStatus(of: printer)
            #expect(seen.status == nil && seen.capabilities == nil)
            #expect(clock.seconds == 2, "only the first call waits")
        }
        #expect(await directory.knownCapabilities(of: printer) == nil)

        // A response after the deadline is stored too.
        hung.gate.open()
        #expect(try await directory.capabilities(of: printer).makeAndModel == "Hung")
        #expect(await directory.quickStatus(of: printer).capabilities?.makeAndModel == "Hung")
    }

    /// A clock that counts its sleeps, which last until they are canceled.
    private final class CountingClock: Clock {
        private let clock = TestClock()
        private let sleeps = Mutex(0)
        var count: Int { sleeps.withLock { $0 } }
        var now: TestClock.Instant { clock.now }
        var minimumResolution: Duration { clock.minimumResolution }

        func sleep(until deadline: TestClock.Instant, tolerance: Duration?) async throws {
            sleeps.withLock { $0 += 1 }
            try await clock.sleep(until: deadline, tolerance: tolerance)
        }
    }

    @Test func `'quickStatuses' starts a timer and a request only for printers whose cached values have expired`()
        async throws
    {
        let time = TestTime()
        let clock = CountingClock()
        let devices = ["a": ScriptedPrinter(), "b": ScriptedPrinter(), "silent": ScriptedPrinter()]
        await devices["silent"]?.fail(.capabilities, with: .silent, stays: true)
        await devices["silent"]?.fail(.printerStatus, with: .silent, stays: true)
        let directory = PrinterDirectory(clock: { time.now }, sleeper: clock) { devices[$0.name]! }
        let printers = ["a", "silent", "b"].map { ConfiguredPrinter(name: $0, deviceURI: "test:\($0)") }
        func expectList(timers: Int, requestsOfB: Int) async {
            let list = await directory.quickStatuses(of: printers)
            #expect(list.map { $0.status?.state } == [.idle, nil, .idle])
            #expect(list.map { $0.capabilities?.makeAndModel } == ["Scripted", nil, "Scripted"])
            #expect(list[1].problem?.code == .unreachable)
            #expect(clock.count == timers)
            #expect(await devices["b"]?.count(.printerStatus) == requestsOfB)
        }
        await expectList(timers: 3, requestsOfB: 1)
        await expectList(timers: 3, requestsOfB: 1)
        await directory.expireStatus(ofPrinterNamed: "b")
        await expectList(timers: 4, requestsOfB: 2)
        time.now += 1
        await expectList(timers: 7, requestsOfB: 3)
        await directory.forgetAnswers(of: printers[2])
        await expectList(timers: 8, requestsOfB: 4)
        #expect(await directory.quickStatuses(of: []).isEmpty)
    }

    @Test func `'quickStatuses' returns the new status of a printer in the order of the printers`() async {
        let (first, second) = (ScriptedPrinter(), ScriptedPrinter())
        let directory = PrinterDirectory(clock: { 0 }) { $0.name == "first" ? first : second }
        let printers = ["second", "first"].map { ConfiguredPrinter(name: $0, deviceURI: "test:\($0)") }
        _ = await directory.quickStatuses(of: printers)
        await first.show(PrinterStatus(state: .stopped, reasons: ["media-empty-error"]))
        await directory.expireStatus(ofPrinterNamed: "first")
        #expect(await directory.quickStatuses(of: printers).map { $0.status?.state } == [.idle, .stopped])
    }

    @Test func `'knownCapabilities' without waiting returns immediately, and requests the capabilities once`()
        async throws
    {
        let hung = HungPrinter()
        // On a clock that does not advance, the deadline is never reached.
        let directory = PrinterDirectory(clock: { 0 }, sleeper: TestClock()) { _ in hung }
        let printer = ConfiguredPrinter(name: "hung", deviceURI: "test:hung")
        for _ in 0..<3 { #expect(await directory.knownCapabilities(of: printer, waits: false) == nil) }
        hung.gate.open()
        #expect(await directory.knownCapabilities(of: printer)?.makeAndModel == "Hung")
        #expect(await directory.knownCapabilities(of: printer, waits: false)?.makeAndModel == "Hung")
    }

    @Test func `concurrent callers share a request, and the request ends when no caller waits any more`() async throws {
        let laser = ScriptedPrinter()
        let gate = Gate()
        await laser.set(gate, at: .printerStatus)
        // Each caller first reads the clock.
        let callers = Mutex(0)
        let directory = PrinterDirectory(
            clock: {
                callers.withLock { $0 += 1 }
                return 0
            }, make: { _ in laser })
        let printer = ConfiguredPrinter(name: "laser", deviceURI: "test:laser")
        func calling(_ count: Int) async throws -> [Task<PrinterStatus?, Never>] {
            let before = callers.withLock { $0 }
            let tasks = (0..<count).map { _ in Task { await directory.status(of: printer) } }
            try await eventually("all callers wait") { callers.withLock { $0 } == before + count }
            _ = await directory.lastStatus(of: printer)
            return tasks
        }
        let tasks = try await calling(10)
        tasks[0].cancel()
        #expect(await tasks[0].value == nil)
        gate.open()
        for task in tasks.dropFirst() { #expect(await task.value?.state == .idle) }
        #expect(await laser.count(.printerStatus) == 1)

        // Without a caller, the request is canceled, and the next caller starts another request.
        await directory.forgetAnswers(of: printer)
        await laser.set(Gate(), at: .printerStatus)
        for task in try await calling(2) {
            task.cancel()
            #expect(await task.value == nil)
        }
        await laser.set(nil, at: .printerStatus)
        #expect(await directory.status(of: printer)?.state == .idle)
        #expect(await laser.count(.printerStatus) == 3)
    }

    @Test func `concurrent requests for the capabilities of a printer share one request`() async throws {
        let laser = ScriptedPrinter()
        let gate = Gate()
        await laser.set(gate, at: .capabilities)
        let directory = PrinterDirectory(clock: { 0 }) { _ in laser }
        let printer = ConfiguredPrinter(name: "laser", deviceURI: "test:laser")
        let tasks = (0..<10).map { _ in Task { try await directory.capabilities(of: printer).makeAndModel } }
        await gate.arrival()
        gate.open()
        for task in tasks { #expect(try await task.value == "Scripted") }
        #expect(await laser.count(.capabilities) == 1)
    }

    @Test func `after 'expireStatus', a caller does not receive the answer to an earlier request`() async throws {
        let laser = ScriptedPrinter()
        let gate = Gate()
        await laser.set(gate, at: .printerStatus)
        let directory = PrinterDirectory(clock: { 0 }) { _ in laser }
        let printer = ConfiguredPrinter(name: "laser", deviceURI: "test:laser")
        async let before = directory.status(of: printer)
        await laser.wait(for: .printerStatus, count: 1)
        await laser.set(nil, at: .printerStatus)
        await directory.expireStatus(ofPrinterNamed: "laser")
        await laser.show(PrinterStatus(state: .stopped))
        #expect(await directory.status(of: printer)?.state == .stopped)
        gate.open()
        _ = await before
        #expect(await laser.count(.printerStatus) == 2)
    }

    @Test func `'quickStatus' returns the status of a printer if the printer responds before the deadline`()
        async throws
    {
        let laser = ScriptedPrinter()
        await laser.show(PrinterStatus(state: .stopped))
        // On a clock that does not advance, the deadline is never reached.
        let directory = PrinterDirectory(clock: { 0 }, sleeper: TestClock()) { _ in laser }
        let seen = await directory.quickStatus(of: ConfiguredPrinter(name: "laser", deviceURI: "test:laser"))
        #expect(seen.status?.state == .stopped && seen.capabilities != nil)
    }

    @Test(arguments: [
        (BackendError.Code.authenticationRequired, "cups-held-for-authentication"),
        (.untrusted, "cups-certificate-error"),
    ])
    func `a printer is reported as stopped while the printer requires credentials or an accepted certificate`(
        code: BackendError.Code, reason: String
    ) async throws {
        let time = TestTime()
        let laser = ScriptedPrinter()
        await laser.fail(.printerStatus, with: BackendError(code, "laser wants this and that"), stays: true)
        let directory = PrinterDirectory(clock: { time.now }) { _ in laser }
        let printer = ConfiguredPrinter(name: "laser", deviceURI: "test:laser")
        let seen = await directory.status(of: printer)
        #expect(seen?.state == .stopped && seen?.reasons == [reason] && seen?.message == "laser wants this and that")
        await laser.mend()
        time.now += 2
        #expect(await directory.status(of: printer)?.state == .idle)
    }
}
