import PrintModel
import PrintScheduler
import Testing

struct PrinterDirectoryTests {
    /// A printer that answers once, then falls silent.
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

    @Test func `a silent printer can still do what it said it can`() async throws {
        let time = TestTime()
        let directory = PrinterDirectory(clock: { time.now }) { _ in FadingPrinter() }
        let printer = Printer(name: "fading", deviceURI: "test:fading")
        #expect(try await directory.capabilities(of: printer).makeAndModel == "Fading")
        time.now += 3600
        #expect(try await directory.capabilities(of: printer).makeAndModel == "Fading")
        #expect(await directory.status(of: printer) == nil)
    }

    @Test func `what is known of a printer is known at once, and only one never asked is asked`() async throws {
        let time = TestTime()
        let fading = FadingPrinter()
        let directory = PrinterDirectory(clock: { time.now }) { _ in fading }
        let printer = Printer(name: "fading", deviceURI: "test:fading")
        #expect(await directory.knownCapabilities(of: printer)?.makeAndModel == "Fading")
        #expect(await fading.questions == 1)
        time.now += 3600
        #expect(await directory.knownCapabilities(of: printer)?.makeAndModel == "Fading")
        #expect(await fading.questions == 1)

        // Another one, behind the same wire, that has never answered.
        let silent = Printer(name: "silent", deviceURI: "test:silent")
        #expect(await directory.knownCapabilities(of: silent) == nil)
        #expect(await directory.knownCapabilities(of: silent) == nil)
        #expect(await fading.questions == 2)
    }

    @Test func `what a printer said in the future, before the clock was set back, does not hold`() async throws {
        let time = TestTime()
        let laser = ScriptedPrinter()
        let directory = PrinterDirectory(clock: { time.now }) { _ in laser }
        let printer = Printer(name: "laser", deviceURI: "test:laser")
        _ = try await directory.capabilities(of: printer)
        _ = await directory.status(of: printer)
        time.now -= 86_400
        await laser.set(defaultDuplex: .longEdge)
        await laser.show(PrinterStatus(state: .stopped))
        #expect(try await directory.capabilities(of: printer).defaultDuplex == .longEdge)
        #expect(await directory.status(of: printer)?.state == .stopped)
    }
}
