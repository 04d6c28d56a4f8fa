import IPP
import IPPClient
import IPPNetworkClient
import PrintIPP
import PrintModel
import PrintTestSupport
import Testing

@testable import PrintBackends

struct CUPSServerTests {
    @Test(arguments: [
        ("localhost", IPPAddress.tcp(host: "localhost", port: 631)),
        ("print.example.com:8632", .tcp(host: "print.example.com", port: 8632)),
        ("[::1]:632", .tcp(host: "::1", port: 632)), ("::1", .tcp(host: "::1", port: 631)),
        ("[fe80::1]", .tcp(host: "fe80::1", port: 631)),
        ("/run/cups/cups.sock", .unix(path: "/run/cups/cups.sock")),
        ("host/version=1.1", .tcp(host: "host", port: 631)),
    ])
    func `each format of the CUPS_SERVER value is parsed`(text: String, address: IPPAddress) {
        #expect(CUPSServer(text)?.address == address)
    }

    @Test(arguments: ["", "host:", "host:0", "host:99999", "two words", "a/b"])
    func `an invalid value of CUPS_SERVER is rejected`(text: String) { #expect(CUPSServer(text) == nil) }

    @Test func `a non-ASCII queue name is percent-encoded in the URI`() {
        let server = CUPSServer(address: .tcp(host: "::1", port: 632))
        #expect(server.uri(ofQueue: "büro") == "ipp://[::1]:632/printers/b%C3%BCro")
    }
}

struct SavedOptionsTests {
    private let system = "Dest office sides=two-sided-long-edge media=A5\nDest office/draft print-quality=3\n"
    private let user =
        "Default Office media=A4 InputSlot=Tray2\nDest office/draft StapleLocation=UpperLeft collate=true 'x'\nrubbish\n"

    @Test
    func `a CUPS instance inherits its queue's options, and a user's lpoptions override the system's lpoptions`() {
        let saved = SavedOptions(of: "office", instance: "draft", in: [system, user])
        #expect(saved.ticket.media == .a4)
        #expect(saved.ticket.duplex == .longEdge)
        #expect(saved.ticket.quality == .draft)
        #expect(saved.attributes.contains { $0.name == "InputSlot" && $0.first?.stringValue == "Tray2" })
        #expect(saved.attributes.contains { $0.name == "StapleLocation" })
        #expect(SavedOptions(of: "office", instance: nil, in: [system, user]).ticket.quality == nil)
        #expect(SavedOptions(of: "attic", instance: nil, in: [system, user]).values.isEmpty)
    }

    @Test func `PPD options are converted to IPP options, and quoted values are parsed`() {
        let saved = SavedOptions(
            of: "q", instance: nil,
            in: [
                #"Dest q Duplex=DuplexTumble PageSize=A3 ColorModel=Gray Note="two words" Flag=true job-sheets=standard,none"#
            ])
        #expect(saved.ticket.duplex == .shortEdge)
        #expect(saved.ticket.media == .a3)
        #expect(saved.ticket.colorMode == .monochrome)
        #expect(saved.values["Note"] == "two words")
        #expect(saved.attributes.map(\.name) == ["Flag", "Note", "job-sheets"])
        #expect(saved.attributes.last?.values == [.name("standard"), .name("none")])
    }

    @Test func `a line of an lpoptions file without a queue name is ignored`() {
        let saved = SavedOptions(of: "office", instance: nil, in: ["Dest / a=b\nDest //\nDest office print-quality=3"])
        #expect(saved.ticket.quality == .draft)
    }

    @Test func `a saved CUPS option is used only if the job ticket does not set the option`() {
        var presets = JobTicket()
        (presets.duplex, presets.copies, presets.numberUp) = (.longEdge, 2, NumberUp(count: 2))
        let printer = PrinterCapabilities(
            makeAndModel: "P", papers: [PrintPaper(media: .a4)], defaultMedia: .a4, duplexModes: Duplex.allCases,
            formats: [.pdf], maxCopies: 9, collates: true, presets: presets)
        var ticket = JobTicket()
        ticket.duplex = Duplex.none
        let plan = ticket.plan(for: printer)
        #expect(plan.device.duplex == .none && plan.device.copies == 2 && plan.imposition.numberUp.count == 2)
    }
}

struct CUPSJobStatusTests {
    private func status(_ state: Int32, _ reasons: [String], message: String = "", job: [String] = [])
        -> RemoteJobStatus?
    {
        RemoteJobStatus(
            cups: AttributeGroup(
                .job,
                [
                    Attribute("job-id", .integer(7)), Attribute("job-state", .enumeration(state)),
                    Attribute("job-state-reasons", (job.isEmpty ? ["none"] : job).map { .keyword($0) }),
                    Attribute("job-printer-state-message", .text(message)),
                    Attribute("job-printer-state-reasons", reasons.map { .keyword($0) }),
                    Attribute("job-impressions-completed", .integer(4)),
                ]), queue: "office")
    }

    @Test func `if CUPS reports a printer error, the job state is processing-stopped, and the page count is unknown`() {
        let empty = status(5, ["media-empty-error", "cups-waiting-for-job-completed"], message: "Out of paper")
        #expect(empty?.state == .processingStopped && empty?.message == "Out of paper")
        #expect(empty?.impressionsCompleted == nil)
        let dead = status(5, ["none"], message: "The printer is not responding.")
        #expect(dead?.state == .processingStopped)
        #expect(status(5, ["media-low-warning"], message: "Sending data to printer.")?.state == .processing)
    }

    @Test(arguments: [["job-canceled-at-device"], ["canceled-at-device"], []])
    func `a job is aborted if CUPS reports a cancellation at the printer, and canceled if a user canceled the job`(
        reasons: [String]
    ) {
        let lost = status(7, ["none"], message: "Print job canceled at printer.", job: reasons)
        #expect(lost?.state == .aborted && lost?.reasons == [.abortedBySystem])
        #expect(
            lost?.message
                == "CUPS reports 'Print job canceled at printer.'; the cause may also be a power loss or a "
                + "reset of the printer"
        )
        let canceled = status(7, ["none"], message: "Job canceled by ann.", job: ["job-canceled-by-user"])
        #expect(canceled?.state == .canceled)
    }

    @Test
    func `the message of a held CUPS job contains the release command, and an arriving job is 'pending-held'`() {
        let held = status(4, ["none"], job: ["job-hold-until-specified"])
        #expect(held?.state == .processingStopped)
        #expect(held?.message == "The job is held at CUPS; release the job with 'lp -i office-7 -H resume'")
        #expect(status(4, ["none"], job: ["job-incoming"])?.state == .pendingHeld)
    }

    @Test func `if cupsd holds a job without a request from a user, the job is reported as waiting for the document`() {
        func held(_ until: String, begun: Bool, reason: String = "none") -> RemoteJobStatus? {
            RemoteJobStatus(
                cups: AttributeGroup(
                    .job,
                    [
                        Attribute("job-id", .integer(7)), Attribute("job-state", .enumeration(4)),
                        Attribute("job-state-reasons", .keyword(reason)), Attribute("job-hold-until", .keyword(until)),
                        Attribute("time-at-processing", begun ? .integer(9) : .outOfBand(.noValue)),
                    ]), queue: "office")
        }
        #expect(held("no-hold", begun: false)?.state == .pendingHeld)
        #expect(held("no-hold", begun: false)?.reasons == [.jobIncoming])
        #expect(held("indefinite", begun: false)?.state == .processingStopped)
        #expect(held("no-hold", begun: true)?.state == .processingStopped)
        #expect(held("no-hold", begun: true)?.begunAt == 9 && held("no-hold", begun: false)?.begunAt == nil)
        // The job was held with 'lp -H hold' while the queue was stopped.
        #expect(held("no-hold", begun: false, reason: "job-hold-until-specified")?.state == .processingStopped)
    }

    @Test func `a completed job has a page count and no stale state reasons`() {
        let done = status(9, ["none"], job: ["processing-to-stop-point"])
        #expect(done?.state == .completed && done?.impressionsCompleted == 4 && done?.reasons == [])
    }
}

/// Tests of the order of queues.
struct CUPSQueueOrderTests {
    @Test func `the instances of the default queue follow the default queue`() {
        let queues = [("attic", nil), ("zoo", nil), ("zoo", "draft"), ("floor", nil)].map { name, instance in
            CUPSQueues.Queue(
                device: DeviceURI.CUPSQueue(name: name, instance: instance), info: name, location: "", makeAndModel: "",
                isClass: false, isDefault: name == "zoo" && instance == nil)
        }
        let ordered = CUPSQueues.ordered(queues, defaultName: "zoo")
        #expect(ordered.map(\.device.name) == ["zoo", "zoo", "attic", "floor"])
        #expect(ordered.map(\.device.instance) == [nil, "draft", nil, nil])
        #expect(CUPSQueues.ordered(queues, defaultName: nil) == queues)
    }
}

/// Tests with the queues of a real cupsd.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct CUPSQueuesTests {
    @Test func `CUPS queues and classes are listed with their descriptions, and the default queue is listed first`()
        async throws
    {
        let cups = try PrivateCupsd()
        try await cups.addQueue("attic", to: "ipp://127.0.0.1:9/ipp/print", "-D", "Old one", "-L", "Attic")
        try await cups.addQueue("zoo", to: "file:///dev/null")
        try await cups.addClass("floor", of: "attic")
        _ = try await cups.run("lpadmin", "-d", "zoo")
        let server = try #require(CUPSServer(cups.socket))
        let client = IPPClient(address: server.address)
        let queues = try await CUPSQueues(server: server, transport: client).queues()
        #expect(queues.map(\.device.name) == ["zoo", "attic", "floor"])
        #expect(queues.map(\.isDefault) == [true, false, false])
        #expect(queues.map(\.isClass) == [false, false, true])
        let devices = try await CUPSQueues(
            server: server, transport: client, isOurs: { $0.hasPrefix("file:///dev/null") }
        )
        .devices(within: .seconds(5))
        #expect(devices.first { $0.uri == "cups:attic" }?.info == "Old one")
        #expect(devices.first { $0.uri == "cups:attic" }?.location == "Attic")
        #expect(!devices.contains { $0.uri == "cups:zoo" })
        let remote = try await CUPSQueues(
            server: CUPSServer(address: .tcp(host: "localhost", port: cups.port)), transport: client, isLocal: false
        ).devices(within: .seconds(5))
        #expect(remote.map(\.uri).contains("cups://localhost:\(cups.port)/attic"))
        await client.close()
    }

    /// A transport to a server that accepts requests and never responds.
    private struct Silence: IPPTransport {
        func send(_ request: Message, document: DocumentSource?, path: String) async throws(IPPClientError) -> Message {
            while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
            throw .canceled(sent: true)
        }
    }

    @Test func `a request for the list of CUPS queues times out if cupsd accepts the request but does not answer`()
        async throws
    {
        let server = CUPSServer(address: .unix(path: "/nowhere/cups.sock"))
        let source = CUPSQueues(server: server, transport: Silence())
        let error = await #expect(throws: BackendError.self) { try await source.devices(within: .milliseconds(10)) }
        #expect(error?.code == .unreachable && error?.message.contains("did not respond within") == true)
    }

    @Test func `the list of queues is empty if cupsd has no queues, and a stopped cupsd causes an error`() async throws
    {
        let cups = try PrivateCupsd()
        let server = try #require(CUPSServer(cups.socket))
        let client = IPPClient(address: server.address)
        let source = CUPSQueues(server: server, transport: client)
        #expect(try await source.devices(within: .seconds(5)).isEmpty)
        cups.stop()
        let error = await #expect(throws: BackendError.self) { try await source.devices(within: .seconds(5)) }
        #expect(error?.code == .unreachable)
        #expect(error?.message.contains(cups.socket) == true)
        await client.close()
    }

    @Test
    func `the owner of a job at printd is also the owner of the job at cupsd, and no other user can cancel the job`()
        async throws
    {
        let cups = try PrivateCupsd(
            settings: """
                <Policy strict>
                  <Limit Send-Document Cancel-Job>
                    Require user @OWNER
                  </Limit>
                  <Limit All>
                    Allow from all
                  </Limit>
                </Policy>
                """)
        try await cups.addQueue("q", to: "ipp://127.0.0.1:9/ipp/print", "-o", "printer-op-policy=strict")
        let server = try #require(CUPSServer("localhost:\(cups.port)"))
        let client = IPPClient(address: server.address)
        let backend = CUPSBackend(server: server, transport: client, queue: DeviceURI.CUPSQueue(name: "q"))
        let job = try await backend.createJob(
            DeliveryRequest(
                jobID: 1, name: "a", owner: "ann", options: DeviceOptions(paper: PrintPaper(media: .a4))))
        #expect(job.owner == "ann")
        var stranger = job
        stranger.owner = nil
        let error = await #expect(throws: BackendError.self) { try await backend.cancelJob(stranger) }
        #expect(error != nil)
        try await backend.cancelJob(job)
        #expect(try await backend.jobStatus(job)?.state == .canceled)
        await client.close()
    }
}
