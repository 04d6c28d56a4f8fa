import FoundationEssentials
import Glibc
import IPP
import IPPTestSupport
import IPPClient
import IPPNetworkClient
import PrintIPP
import PrintModel
import PrintTestSupport
import PrinterSimulator
import SimulatorServer
import Testing

/// Tests of the effects of faults on a client with a real socket.
@Suite(.timeLimit(.minutes(1))) struct FaultAnswerTests {
    private func control(_ printers: TestPrinters, _ words: String...) async throws -> Message {
        try await printers.ask(.controlPrinter, [Attribute("printq-control", words.map { .text($0) })])
    }

    @Test func `a paper jam stops the job with the standard reasons, and the job continues when the jam is cleared`()
        async throws
    {
        try await TestPrinters.serving { printers in
            #expect(try await control(printers, "fault", "media-jam", "at", "page", "2").status == .successfulOk)
            let id = try await printers.print()
            _ = try await printers.job(id) { $0.state == .processingStopped }
            let job = try await printers.attributes(of: id)
            #expect(job.integer("job-state") == 6)
            #expect(job.keywords("job-state-reasons") == ["printer-stopped"])
            #expect(job.integer("job-impressions-completed") == 1)
            let printer = try await printers.ask(.getPrinterAttributes)[.printer]
            #expect(printer?.integer("printer-state") == 5)
            #expect(printer?.keywords("printer-state-reasons") == ["media-jam-error"])
            #expect(printer?.string("printer-state-message") == "Paper jam; clear the jam")
            let cleared = try await control(printers, "clear", "media-jam")
            #expect(cleared[.printer]?["printq-faults"] == nil)
            #expect(try await printers.job(id).state == .completed)
        }
    }

    @Test func `the response to a control command contains the printer's state and the active and pending faults`()
        async throws
    {
        try await TestPrinters.serving { printers in
            _ = try await control(printers, "fault", "media-low")
            let answer = try await control(printers, "fault", "crash at job 9")
            #expect(answer[.printer]?.keywords("printer-state-reasons") == ["media-low-warning"])
            #expect(
                answer[.printer]?.strings("printq-faults")
                    == ["media-low until cleared (now)", "crash at job 9 for 0 seconds"])
            let wrong = try await control(printers, "fault", "fire")
            #expect(wrong.status == .clientErrorBadRequest)
            #expect(wrong[.operation]?.string("status-message")?.contains("unknown fault 'fire'") == true)
            #expect(try await control(printers, "load", "tray-9").status == .clientErrorNotFound)
            #expect(try await control(printers, "dance").status == .clientErrorBadRequest)
        }
    }

    @Test func `control commands load paper and replace supplies`() async throws {
        try await TestPrinters.serving { printers in
            _ = try await control(printers, "load", "tray-2", "3")
            _ = try await control(printers, "level", "Black toner", "7")
            let status = await printers.service.devices[0].status
            #expect(status.trays.map(\.loaded) == [nil, 3])
            #expect(try await printers.ask(.getPrinterAttributes)[.printer]?.integer("marker-levels") == 7)
            _ = try await control(printers, "replace", "Black toner")
            #expect(try await printers.ask(.getPrinterAttributes)[.printer]?.integer("marker-levels") == 100)
        }
    }

    @Test func `'busy at Create-Job 2 times' refuses two Create-Job requests and accepts the third`() async throws {
        try await TestPrinters.serving { printers in
            _ = try await control(printers, "fault", "busy at Create-Job 2 times")
            #expect(try await printers.ask(.createJob).status == .serverErrorBusy)
            #expect(try await printers.ask(.getPrinterAttributes).status == .successfulOk)
            #expect(try await printers.ask(.createJob).status == .serverErrorBusy)
            #expect(try await printers.ask(.createJob).status == .successfulOk)
        }
    }

    @Test func `a switched-off simulated printer breaks every connection until the printer is switched on`()
        async throws
    {
        try await TestPrinters.serving { printers in
            _ = try await printers.ask(.pausePrinter)
            let id = try await printers.print()
            #expect(
                try await control(printers, "power", "off")[.printer]?.keywords("printer-state-reasons") == ["shutdown"]
            )
            await #expect(throws: IPPClientError.self) { try await printers.ask(.getPrinterAttributes) }
            #expect(try await control(printers, "power", "on").status == .successfulOk)
            #expect(try await printers.ask(.getPrinterAttributes).status == .successfulOk)
            _ = try await printers.ask(.resumePrinter)
            #expect(try await printers.job(id).state == .completed)
        }
    }

    @Test(arguments: ["drop", "malformed", "http 503"])
    func `after a simulated faulty response, the client reports an error, and the next request succeeds`(fault: String)
        async throws
    {
        try await TestPrinters.serving { printers in
            _ = try await control(printers, "fault", "\(fault) at Get-Printer-Attributes once")
            await #expect(throws: IPPClientError.self) { try await printers.ask(.getPrinterAttributes) }
            #expect(try await printers.ask(.getPrinterAttributes).status == .successfulOk)
        }
    }

    @Test func `a job is created even if the response to Print-Job is lost`() async throws {
        try await TestPrinters.serving { printers in
            _ = try await control(printers, "fault", "drop at Print-Job once")
            await #expect(throws: IPPClientError.self) {
                try await printers.ask(.printJob, document: TestPrinters.pdf)
            }
            #expect(try await printers.job(1).state == .completed)
        }
    }

    @Test func `a 'refuse' fault at an operation resets the connection, and the request has no effect`() async throws {
        try await TestPrinters.serving { printers in
            _ = try await control(printers, "fault", "refuse at Create-Job 2 times")
            await #expect(throws: IPPClientError.self) { try await printers.ask(.createJob) }
            // On TCP the connection is reset, and no byte is sent before the reset.
            let end = try RawExchange.post(try TestPrinters.request(.createJob).encoded(), port: printers.port)
            #expect(end.received.isEmpty && end.error == ECONNRESET)
            #expect(await printers.service.devices[0].unfinishedJobs.isEmpty)
            #expect(try await printers.ask(.createJob).status == .successfulOk)
        }
    }

    /// Connects to the printers' port, and returns the error number, or 0 for success.
    private func connectionError(_ printers: TestPrinters) throws -> Int32 {
        do {
            let exchange = try RawExchange.post(
                try TestPrinters.request(.getPrinterAttributes).encoded(), port: printers.port, isLast: true)
            return exchange.error
        } catch let error as RawExchange.Failure {
            return error.number
        }
    }

    @Test func `a 'refuse' fault closes the port until the fault is cleared`() async throws {
        try await TestPrinters.serving { (printers: TestPrinters) async throws -> Void in
            #expect(try connectionError(printers) == 0)
            // The port number stays the same each time the port is closed and opened.
            for _ in 1...3 {
                #expect(try await control(printers, "fault", "refuse").status == .successfulOk)
                #expect(try connectionError(printers) == ECONNREFUSED)
                #expect(try connectionError(printers) == ECONNREFUSED)
                // Control operations work on the Unix socket. Connections of other requests to the socket are reset.
                #expect(try await control(printers, "status")[.printer]?.strings("printq-faults").count == 1)
                await #expect(throws: IPPClientError.self) { try await printers.ask(.createJob) }
                #expect(try await control(printers, "clear", "refuse").status == .successfulOk)
                #expect(try connectionError(printers) == 0)
            }
            #expect(try await printers.job(try await printers.print()).state == .completed)
        }
    }

    @Test func `a 'refuse' fault with a duration reopens the port after the duration`() async throws {
        let clock = TestClock()
        try await TestPrinters.serving(clock: clock) { (printers: TestPrinters) async throws -> Void in
            _ = try await control(printers, "fault", "refuse for 5 seconds")
            #expect(try connectionError(printers) == ECONNREFUSED)
            let laser = printers.service.devices[0]
            let events = await laser.events()
            while clock.now.offset < .seconds(5) {
                await clock.sleepers(1)
                clock.advance(by: .seconds(5))
            }
            for await _ in events where await !laser.refusal().isRefusing { break }
            _ = try await control(printers, "status")
            #expect(try connectionError(printers) == 0)
        }
    }

    @Test func `a 'refuse' fault without an end is rejected if TCP is the only connection to the printer`() async throws
    {
        try await TestPrinters.serving { (printers: TestPrinters) async throws -> Void in
            let control = SimulatorControl(Silent(), service: printers.service, isReachedOtherwise: false)
            for (words, status) in [
                ("refuse", Status.clientErrorBadRequest), ("refuse for 1 second", .successfulOk),
                ("refuse at Get-Jobs", .successfulOk), ("refuse once", .successfulOk),
            ] {
                let request = TestPrinters.request(
                    .controlPrinter, [Attribute("printq-control", .text("fault"), .text(words))])
                #expect(
                    await control.respond(to: IPPRequest(message: request, peer: .tcp(address: "127.0.0.1", port: 1)))
                        .status == status, "\(words)")
            }
        }
    }

    @Test
    func `a 'reset' fault at byte 100,000 breaks the transfer of a longer document, and a shorter document is printed`()
        async throws
    {
        try await TestPrinters.serving { printers in
            _ = try await control(printers, "fault", "reset at Print-Job byte 100000")
            let long = TestPrinters.pdf + String(repeating: "x", count: 300_000)
            await #expect(throws: IPPClientError.self) { try await printers.ask(.printJob, document: long) }
            let left = try FileManager.default.contentsOfDirectory(
                atPath: printers.folder.path("output/laser/incoming"))
            #expect(left.isEmpty)
            #expect(await printers.service.devices[0].job(1) == nil)
            #expect(try await printers.job(try await printers.print()).state == .completed)
            _ = try await control(printers, "clear")
            #expect(try await printers.ask(.printJob, document: long).status == .successfulOk)
        }
    }

    @Test(arguments: [0, 8, 30])
    func `a client reports an error if a simulated printer truncates a response`(byte: Int) async throws {
        try await TestPrinters.serving { printers in
            _ = try await control(printers, "fault", "drop at Get-Jobs byte \(byte) once")
            await #expect(throws: IPPClientError.self) { try await printers.ask(.getJobs) }
            #expect(try await printers.ask(.getJobs).status == .successfulOk)
        }
    }

    @Test
    func `a client receives a slow response completely, and reports an error if the response exceeds the timeout`()
        async throws
    {
        try await TestPrinters.serving { printers in
            _ = try await control(printers, "fault", "trickle 2000 at Get-Jobs once")
            #expect(try await printers.ask(.getJobs).status == .successfulOk)
            _ = try await control(printers, "fault", "trickle 1 at Get-Jobs once")
            var bounds = IPPClient.Bounds()
            bounds.answer = .milliseconds(500)
            let client = IPPClient(address: .tcp(host: "127.0.0.1", port: printers.port), bounds: bounds)
            let error = await #expect(throws: IPPClientError.self) {
                try await client.send(TestPrinters.request(.getJobs))
            }
            #expect(error?.code == .timedOut)
            await client.close()
        }
    }

    @Test func `with a 'duplicate' fault, the response has the previous request ID, and the request takes effect`()
        async throws
    {
        try await TestPrinters.serving { printers in
            _ = try await control(printers, "fault", "duplicate at Create-Job once")
            #expect(try await printers.ask(.getJobs).status == .successfulOk)
            let error = await #expect(throws: IPPClientError.self) { try await printers.ask(.createJob) }
            #expect(error?.message.contains("the response has the request-id") == true, "\(error?.message ?? "")")
            #expect(await printers.service.devices[0].unfinishedJobs.map(\.id) == [1])
        }
    }

    @Test func `a stalled request receives its response when the 'stall' fault is cleared`() async throws {
        try await TestPrinters.serving { printers in
            _ = try await control(printers, "fault", "stall at Get-Jobs")
            async let answer = printers.ask(.getJobs)
            // Control operations are answered while the other request waits.
            #expect(try await control(printers, "status")[.printer]?.strings("printq-faults").count == 1)
            _ = try await control(printers, "clear", "stall")
            #expect(try await answer.status == .successfulOk)
        }
    }

    @Test func `the fault 'stall at Get-Jobs once' stalls only one request, until the fault is cleared`()
        async throws
    {
        try await TestPrinters.serving { printers in
            _ = try await control(printers, "fault", "stall at Get-Jobs once")
            let answered = Answered()
            let client = IPPClient(address: .tcp(host: "127.0.0.1", port: printers.port))
            async let answer = {
                let message = try await client.send(TestPrinters.request(.getJobs))
                await answered.note()
                return message
            }()
            while try await control(printers, "status")[.printer]?.strings("printq-faults")
                != ["stall at Get-Jobs once (now)"]
            { await Task.yield() }
            // Another request is answered, and other events do not end the fault.
            #expect(try await printers.ask(.getJobs).status == .successfulOk)
            _ = try await printers.job(try await printers.print())
            #expect(try await control(printers, "status")[.printer]?.strings("printq-faults").count == 1)
            #expect(await !answered.isIt)
            #expect(try await control(printers, "clear", "stall").status == .successfulOk)
            #expect(try await answer.status == .successfulOk)
            #expect(try await control(printers, "clear", "stall").status == .clientErrorNotFound)
            await client.close()
        }
    }

    @Test func `a simulated printer with a full spool area refuses new jobs with server-error-temporary-error`()
        async throws
    {
        try await TestPrinters.serving { printers in
            _ = try await printers.ask(.pausePrinter)
            let id = try await printers.print()
            _ = try await control(printers, "fault", "spool-area-full")
            let full = try await printers.ask(.printJob, document: TestPrinters.pdf)
            #expect(full.status == .serverErrorTemporaryError)
            #expect(full[.operation]?.string("status-message")?.contains("spool-area-full") == true)
            #expect(try await printers.ask(.createJob).status == .serverErrorTemporaryError)
            _ = try await printers.ask(.resumePrinter)
            #expect(try await printers.job(id).state == .completed)
            _ = try await control(printers, "clear", "spool-area-full")
            #expect(try await printers.job(try await printers.print()).state == .completed)
        }
    }

    @Test
    func `a fault can name each operation that a simulated printer supports, but cannot name any other operation`()
        async throws
    {
        try await TestPrinters.serving { printers in
            let printer = try await printers.ask(.getPrinterAttributes)[.printer]
            let known = printer?["operations-supported"]?.values.compactMap(\.intValue).map {
                IPP.Operation(rawValue: UInt16(clamping: $0))
            }
            let named = Set((known ?? []).filter { $0 != .controlPrinter }.map(\.description))
            #expect(named.union(["Print-URI", "Send-URI"]) == Set(Fault.operations))
        }
    }

    @Test func `if an unknown fault is cleared, the error lists the current faults`() async throws {
        try await TestPrinters.serving { printers in
            #expect(try await control(printers, "clear").status == .successfulOk)
            _ = try await control(printers, "fault", "media-jam at page 3")
            let typo = try await control(printers, "clear", "media-jamm")
            #expect(typo.status == .clientErrorNotFound)
            #expect(
                typo[.operation]?.string("status-message")
                    == "printer 'laser' has no fault 'media-jamm'; current faults: media-jam")
        }
    }

    @Test(arguments: [["A4", "A5"], ["5", "5"], ["stationery", "labels"]])
    func `a load command for a tray is refused if it has two sizes, two sheet counts or two paper types`(
        words: [String]
    )
        async throws
    {
        #expect(throws: SimulatorError.self) { try SimulatorControlCommand(["load", "tray-1"] + words) }
    }

    @Test func `the state of a simulated printer lists the contents of the trays and the low supplies`() async throws {
        try await TestPrinters.serving { printers in
            let full = try await control(printers, "load", "tray-1", "50", "A4")[.printer]
            #expect(full?.strings("printq-trays") == ["tray-1: A4, 50 of 250", "tray-2: any, 10 of 10"])
            #expect(full?["printq-supplies"] == nil)
            let low = try await control(printers, "level", "Black toner", "3")[.printer]
            #expect(low?.strings("printq-supplies") == ["Black toner: 3 %"])
        }
    }

    @Test func `with the fault 'wrong-state', a simulated printer reports ended jobs as pending`() async throws {
        try await TestPrinters.serving { printers in
            let id = try await printers.print()
            _ = try await printers.job(id)
            _ = try await control(printers, "fault", "wrong-state")
            #expect(try await printers.attributes(of: id).integer("job-state") == 3)
            _ = try await control(printers, "clear")
            #expect(try await printers.attributes(of: id).integer("job-state") == 9)
        }
    }
}

/// A responder that fails every request.
private struct Silent: IPPResponder {
    func answer(to request: IPPRequest) async -> IPPAnswer {
        IPPAnswer(request.message.reply(.serverErrorInternalError))
    }
}

/// A flag that is set when a response has arrived.
private actor Answered {
    private(set) var isIt = false

    func note() { isIt = true }
}
