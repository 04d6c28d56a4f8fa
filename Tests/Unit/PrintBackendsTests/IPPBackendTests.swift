import IPP
import IPPClient
import PrintBackends
import PrintIPP
import PrintModel
import Testing

/// A transport that returns prepared responses and records all requests.
private actor ScriptedPrinter: IPPTransport {
    private var answers: [Message]
    private(set) var requests: [Message] = []
    private(set) var paths: [String] = []

    init(_ answers: [Message]) { self.answers = answers }

    func send(_ request: Message, document: DocumentSource?, path: String) async throws(IPPClientError) -> Message {
        requests.append(request)
        paths.append(path)
        guard !answers.isEmpty else {
            throw IPPClientError(.unreachable, "connection refused", mayHaveBeenReceived: false)
        }
        return answers.removeFirst()
    }
}

private func answer(_ status: Status = .successfulOk, job attributes: [Attribute] = []) -> Message {
    Message(
        version: .v1_1, status: status, requestID: 1,
        groups: [AttributeGroup(.operation)] + (attributes.isEmpty ? [] : [AttributeGroup(.job, attributes)]))
}

struct IPPBackendTests {
    private let uri = "ipp://localhost/ipp/print/laser"

    @Test func `'createJob' sends the device options and returns the printer's job ID and UUID`() async throws {
        let printer = ScriptedPrinter([
            answer(job: [Attribute("job-id", .integer(7)), Attribute("job-uuid", .uri("urn:uuid:1"))])
        ])
        let backend = IPPBackend(transport: printer, printerURI: uri)
        let paper = PrintPaper(media: .a4, margins: .all(.millimeters(4.23)))
        let remote = try await backend.createJob(
            DeliveryRequest(
                jobID: 1, name: "letter.pdf", owner: "ann",
                options: DeviceOptions(paper: paper, copies: 3, duplex: .longEdge)))
        #expect(remote == RemoteJob(id: 7, uuid: "urn:uuid:1"))
        let request = try #require(await printer.requests.first)
        #expect(request.operation == .createJob)
        #expect(request[.job]?.integer("copies") == 3)
        #expect(request[.job]?.string("sides") == "two-sided-long-edge")
        #expect(await printer.paths == ["/ipp/print/laser"])
    }

    @Test func `Create-Job contains the list of the spools that forwarded the job`() async throws {
        let made = answer(job: [Attribute("job-id", .integer(7)), Attribute("job-uuid", .uri("urn:uuid:1"))])
        let printer = ScriptedPrinter([made, made])
        let backend = IPPBackend(transport: printer, printerURI: uri)
        let options = DeviceOptions(paper: PrintPaper(media: .a4, margins: .all(.millimeters(4.23))))
        for spools in [["one", "two"], []] {
            _ = try await backend.createJob(
                DeliveryRequest(jobID: 1, name: "a", owner: "ann", options: options, forwardedBy: spools))
        }
        let requests = await printer.requests
        #expect(requests.first?[.operation]?.strings("printq-forwarded-by") == ["one", "two"])
        #expect(requests.last?[.operation]?["printq-forwarded-by"] == nil)
    }

    @Test func `all requests for a job contain the job owner's name as 'requesting-user-name'`() async throws {
        let printer = ScriptedPrinter([
            answer(job: [Attribute("job-id", .integer(7))]), answer(job: [Attribute("job-uuid", .uri("urn:uuid:1"))]),
            answer(job: [Attribute("job-uuid", .uri("urn:uuid:1")), Attribute("job-state", .enumeration(5))]), answer(),
            answer(),
        ])
        let backend = IPPBackend(transport: printer, printerURI: uri)
        let options = DeviceOptions(paper: PrintPaper(media: .a4, margins: .all(.millimeters(4.23))))
        let remote = try await backend.createJob(
            DeliveryRequest(jobID: 1, name: "letter.pdf", owner: "ann", options: options))
        _ = try await backend.jobStatus(remote)
        try await backend.sendDocument("/dev/null", format: .pdf, to: remote)
        try await backend.cancelJob(remote)
        let names = await printer.requests.map { $0[.operation]?.string("requesting-user-name") }
        #expect(names == Array(repeating: "ann", count: 5))
    }

    @Test func `'jobStatus' returns nil if the UUID in the printer's response differs from the stored UUID`()
        async throws
    {
        let printer = ScriptedPrinter([
            answer(job: [Attribute("job-uuid", .uri("urn:uuid:2")), Attribute("job-state", .enumeration(9))])
        ])
        let backend = IPPBackend(transport: printer, printerURI: uri)
        #expect(try await backend.jobStatus(RemoteJob(id: 7, uuid: "urn:uuid:1")) == nil)
    }

    @Test func `'jobStatus' returns nil if the job has a stored UUID but the printer's response has no UUID`()
        async throws
    {
        let printer = ScriptedPrinter([answer(job: [Attribute("job-state", .enumeration(9))])])
        let backend = IPPBackend(transport: printer, printerURI: uri)
        #expect(try await backend.jobStatus(RemoteJob(id: 7, uuid: "urn:uuid:1")) == nil)
    }

    @Test func `'createJob' cancels the new job at the printer if the request for the job's UUID fails`() async throws {
        let printer = ScriptedPrinter([
            answer(job: [Attribute("job-id", .integer(7))]), answer(.serverErrorBusy), answer(),
        ])
        let backend = IPPBackend(transport: printer, printerURI: uri)
        let error = await #expect(throws: BackendError.self) {
            try await backend.createJob(
                DeliveryRequest(
                    jobID: 1, name: "a", owner: "ann", options: DeviceOptions(paper: PrintPaper(media: .a4))))
        }
        #expect(error?.code == .busy)
        #expect(await printer.requests.map(\.operation) == [.createJob, .getJobAttributes, .cancelJob])
    }

    @Test(arguments: [
        (Status.serverErrorDeviceError, true), (.serverErrorInternalError, true), (.serverErrorTemporaryError, true),
        (.serverErrorJobCanceled, true), (.serverErrorBusy, false), (.serverErrorNotAcceptingJobs, false),
        (.clientErrorDocumentFormatNotSupported, false),
    ])
    func `'sendDocument' reports '.mayHaveBeenReceived' after a printer error but not after a refusal`(
        status: Status, mayHaveBeenReceived: Bool
    ) async throws {
        let backend = IPPBackend(transport: ScriptedPrinter([answer(status)]), printerURI: uri)
        let error = await #expect(throws: BackendError.self) {
            try await backend.sendDocument("/dev/null", format: .pdf, to: RemoteJob(id: 7, uuid: nil))
        }
        #expect(error?.mayHaveBeenReceived == mayHaveBeenReceived)
    }

    @Test func `'sendDocuments' reports '.mayHaveBeenReceived' if the printer refuses the second of three documents`()
        async throws
    {
        let printer = ScriptedPrinter([answer(), answer(.serverErrorBusy)])
        let backend = IPPBackend(transport: printer, printerURI: uri)
        let error = await #expect(throws: BackendError.self) {
            try await backend.sendDocuments(
                ["/dev/null", "/dev/null", "/dev/null"], format: .jpeg, to: RemoteJob(id: 7, uuid: nil))
        }
        #expect(error?.mayHaveBeenReceived == true)
        let requests = await printer.requests
        #expect(requests.map { $0[.operation]?.boolean("last-document") } == [false, false])
        #expect(requests.allSatisfy { $0[.operation]?.string("document-format") == "image/jpeg" })
    }

    @Test func `if a printer does not support PDF, 'maxCopies' is the printer's copy limit for the raster format`()
        async throws
    {
        func printer(_ copies: Int32, _ more: [Attribute] = []) -> Message {
            let copies = Attribute("copies-supported", .range(IntegerRange(lower: 1, upper: copies)))
            return Message(
                version: .v1_1, status: .successfulOk, requestID: 1,
                groups: [AttributeGroup(.operation), AttributeGroup(.printer, [copies] + more)])
        }
        let takes = [
            Attribute("document-format-supported", .mimeMediaType("image/pwg-raster")),
            Attribute("printer-get-attributes-supported", .keyword("document-format")),
        ]
        let transport = ScriptedPrinter([printer(99, takes), printer(1)])
        let backend = IPPBackend(transport: transport, printerURI: uri)
        #expect(try await backend.capabilities().maxCopies == 1)
        let requests = await transport.requests
        #expect(requests.map { $0[.operation]?.string("document-format") } == [nil, "image/pwg-raster"])
    }

    @Test func `a busy printer causes the error '.busy', and a refusal causes the error '.refused'`() async throws {
        for (status, code) in [
            (Status.serverErrorBusy, BackendError.Code.busy), (.serverErrorNotAcceptingJobs, .busy),
            (.clientErrorDocumentFormatNotSupported, .refused),
        ] {
            let backend = IPPBackend(transport: ScriptedPrinter([answer(status)]), printerURI: uri)
            let error = await #expect(throws: BackendError.self) { try await backend.status() }
            #expect(error?.code == code)
        }
    }

    @Test func `an unreachable printer causes a transient error`() async throws {
        let backend = IPPBackend(transport: ScriptedPrinter([]), printerURI: uri)
        let error = await #expect(throws: BackendError.self) { try await backend.capabilities() }
        #expect(error?.code == .unreachable)
        #expect(error?.isTransient == true)
    }

    @Test(arguments: [Status.clientErrorNotPossible, .clientErrorNotFound, .clientErrorGone])
    func `a request to cancel an ended or unknown job succeeds`(status: Status) async throws {
        let printer = ScriptedPrinter([answer(status)])
        try await IPPBackend(transport: printer, printerURI: uri).cancelJob(RemoteJob(id: 7, uuid: nil))
        let request = try #require(await printer.requests.first)
        #expect(request.operation == .cancelJob && request[.operation]?.integer("job-id") == 7)
    }

    @Test func `a refused Cancel-Job request causes an error`() async throws {
        let backend = IPPBackend(transport: ScriptedPrinter([answer(.clientErrorNotAuthorized)]), printerURI: uri)
        let error = await #expect(throws: BackendError.self) {
            try await backend.cancelJob(RemoteJob(id: 7, uuid: nil))
        }
        #expect(error?.code == .refused)
    }
}
