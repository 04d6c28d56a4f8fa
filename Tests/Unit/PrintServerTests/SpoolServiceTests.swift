import IPP
import IPPTestSupport
import Logging
import PrintIPP
import PrintModel
import PrintScheduler
import PrintServer
import PrintSpool
import PrintTestSupport
import Synchronization
import Testing

/// A spool with one quiet printer, and its service.
struct QuietSpool {
    private let folder: TemporaryFolder
    let spool: Spool
    let directory: PrinterDirectory
    let service: SpoolService

    init(
        printer: any PrinterBackend = QuietPrinter(), medium: SpoolMedium = .disk, admitsGuests: Bool = false,
        types: @escaping @Sendable () async -> PrintableTypes = { .pages }, sharing: SharingState? = nil,
        logins: PasswordLogins = PasswordLogins()
    ) async throws {
        folder = try TemporaryFolder()
        spool = try Spool(folder: folder.path, clock: Spool.systemTime, medium: medium)
        var quiet = ConfiguredPrinter(name: "quiet", deviceURI: "test:quiet", isDefault: true)
        quiet.admitsAnonymous = admitsGuests
        try await spool.addPrinter(quiet)
        directory = PrinterDirectory(clock: Spool.systemTime) { _ in printer }
        let scheduler = Scheduler(
            spool: spool, directory: directory, worker: RefusingWorker(), logger: Logger(label: "test"))
        service = SpoolService(
            RecentEvents(spool: spool, after: 0), scheduler: scheduler, directory: directory, types: types,
            sharing: sharing ?? SharingState { _ in admitsGuests }, output: { _, _ in nil },
            logins: logins, checkUp: { [HealthFinding(line: "ok: all is well")] })
    }
}

struct SpoolServiceTests {
    private let quiet: QuietSpool
    private let operations: PrinterOperations
    private var spool: Spool { quiet.spool }

    init() async throws {
        quiet = try await QuietSpool()
        operations = PrinterOperations(
            quiet.service, numbersJobsGlobally: true, isOpen: false, accounts: TestAccounts.shared.accounts,
            clock: Spool.systemTime)
    }

    private func ask(
        _ operation: IPP.Operation, _ attributes: [Attribute] = [], job: [Attribute] = [], printer: [Attribute] = [],
        document: String = "", user: String = "ann", peer: Peer? = nil
    ) async -> Message {
        let message = Message(
            version: .v1_1, operation: operation, requestID: 1,
            groups: [
                .operation(
                    [
                        Attribute("printer-uri", .uri("ipp://localhost/printers/quiet")),
                        Attribute("requesting-user-name", .name(user)),
                    ] + attributes)
            ] + (job.isEmpty ? [] : [AttributeGroup(.job, job)])
                + (printer.isEmpty ? [] : [AttributeGroup(.printer, printer)]))
        return await operations.respond(
            to: IPPRequest(
                message: message, document: DocumentStream(bytes: Array(document.utf8)),
                peer: peer ?? TestAccounts.shared.peer(user)))
    }

    @Test func `Print-Job creates a pending job that is stored and listed`() async throws {
        let answer = await ask(
            .printJob, [Attribute("job-name", .name("letter"))], job: [Attribute("copies", .integer(2))],
            document: "%PDF-1.4 …")
        #expect(answer.status == .successfulOk)
        #expect(answer[.job]?.integer("job-id") == 1)
        let listed = await ask(.getJobs, [Attribute("requested-attributes", .keyword("all"))])
        #expect(listed.groups(.job).map { $0.string("job-name") } == ["letter"])
        #expect(listed[.job]?.integer("copies") == 2)
        #expect(listed[.job]?.integer("job-state") == 3)
    }

    @Test func `Get-Jobs returns the same value of an attribute with and without the other attributes`() async throws {
        _ = await ask(
            .printJob, [Attribute("job-name", .name("letter")), Attribute("document-name", .name("letter.pdf"))],
            job: [Attribute("copies", .integer(2)), Attribute("job-priority", .integer(70))], document: "%PDF-1.4 …")
        _ = await ask(.printJob, job: [Attribute("job-hold-until", .keyword("indefinite"))], document: "%PDF-1.4")
        let third = await ask(.printJob, document: "%PDF-1.4")[.job]?.integer("job-id")
        _ = await ask(.cancelJob, [Attribute("job-id", .integer(try #require(third)))])
        func list(_ requested: [String]) async -> [AttributeGroup] {
            await ask(
                .getJobs,
                [
                    Attribute("which-jobs", .keyword("all")),
                    Attribute("requested-attributes", requested.map { .keyword($0) }),
                ]
            ).groups(.job)
        }
        let own = ["printq-place", "printq-jobs-before", "printq-documents", "printq-documents-kept"]
        let whole = await list(["all"] + own)
        #expect(whole.count == 3)
        let names = Set(whole.flatMap { $0.attributes.map(\.name) }).subtracting(["job-printer-up-time"])
        #expect(names.count >= 30)
        for name in names.sorted() {
            #expect(await list([name]).map { $0[name] } == whole.map { $0[name] }, "\(name)")
            #expect(await list([name]).allSatisfy { $0.attributes.count <= 1 }, "\(name)")
        }
    }

    @Test func `100 submissions of a user look the account and its group up once`() async throws {
        let lookUps = Mutex<[String]>([])
        let accounts = UserAccounts(
            lookUp: .init(
                name: { uid in
                    lookUps.withLock { $0.append("uid \(uid)") }
                    return "ann"
                },
                isMember: { user, group in
                    lookUps.withLock { $0.append("\(user) in \(group)") }
                    return false
                }))
        let operations = PrinterOperations(
            quiet.service, numbersJobsGlobally: true, isOpen: false, accounts: accounts, clock: Spool.systemTime)
        let message = Message(
            version: .v1_1, operation: .printJob, requestID: 1,
            groups: [.operation([Attribute("printer-uri", .uri("ipp://localhost/printers/quiet"))])])
        for _ in 0..<100 {
            let answer = await operations.respond(
                to: IPPRequest(
                    message: message, document: DocumentStream(bytes: Array("%PDF-1.4".utf8)),
                    peer: .tcp(address: "127.0.0.1", port: 1, uid: 70_007)))
            #expect(answer.status == .successfulOk)
        }
        #expect(lookUps.withLock { $0 } == ["uid 70007", "ann in lpadmin"])
    }

    @Test func `unsupported options are refused if ipp-attribute-fidelity is true, and are replaced otherwise`()
        async throws
    {
        let sides = [Attribute("sides", .keyword("two-sided-long-edge"))]
        let strict = await ask(
            .printJob, [Attribute("ipp-attribute-fidelity", .boolean(true))], job: sides, document: "%PDF-1.4")
        #expect(strict.status == .clientErrorAttributesOrValuesNotSupported)
        #expect(strict[.unsupported]?.string("sides") == "two-sided-long-edge")
        // The message contains the name of the queue, not the model.
        let words = strict[.operation]?.string("status-message") ?? ""
        #expect(words.hasPrefix("quiet cannot print two-sided-long-edge"), "\(words)")
        #expect(try await spool.jobs(JobFilter(.all)).isEmpty)
        let lenient = await ask(.printJob, job: sides, document: "%PDF-1.4")
        #expect(lenient.status == .successfulOkIgnoredOrSubstitutedAttributes)
    }

    @Test func `empty documents and unsupported file types are refused, and nothing is stored`() async throws {
        #expect(await ask(.printJob).status == .clientErrorBadRequest)
        let unknown = await ask(.printJob, [Attribute("document-name", .name("a.xyz"))], document: "hello")
        #expect(unknown.status == .clientErrorDocumentFormatNotSupported)
        #expect(unknown[.operation]?.string("status-message")?.hasPrefix("'a.xyz': unsupported file type") == true)
        #expect(try await spool.jobs(JobFilter(.all)).isEmpty)
    }

    @Test(arguments: [nil, "text/x-unknown"])
    func `if the format of a job's only document was refused, canceling the job removes the job`(
        format: String?
    ) async throws {
        let said = format.map { [Attribute("document-format", .mimeMediaType($0))] } ?? []
        for id in 1...2 {
            #expect(await ask(.createJob).status == .successfulOk)
            let number = Attribute("job-id", .integer(Int32(id)))
            if id == 1 {
                let refused = await ask(
                    .sendDocument, [number, Attribute("last-document", .boolean(true))] + said, document: "hello")
                #expect(refused.status == .clientErrorDocumentFormatNotSupported)
            }
            #expect(await ask(.cancelJob, [number]).status == .successfulOk)
        }
        #expect(
            try await spool.jobs(JobFilter(.all)).map(\.id) == [2],
            "a job that received no document is canceled and not removed")
    }

    @Test func `a job accepts a new document after a refused document, and remains listed after its cancellation`()
        async throws
    {
        #expect(await ask(.createJob).status == .successfulOk)
        let to = [Attribute("job-id", .integer(1)), Attribute("last-document", .boolean(true))]
        #expect(await ask(.sendDocument, to, document: "hello").status == .clientErrorDocumentFormatNotSupported)
        #expect(await ask(.sendDocument, to, document: "%PDF-1.4").status == .successfulOk)
        #expect(await ask(.cancelJob, [to[0]]).status == .successfulOk)
        #expect(try await spool.jobs(JobFilter(.all)).map(\.state) == [.canceled])
    }

    @Test func `over TCP, a user can cancel only jobs with the same user name`() async throws {
        _ = await ask(.printJob, document: "%PDF-1.4", user: "ann")
        let id = [Attribute("job-id", .integer(1))]
        #expect(await ask(.cancelJob, id, user: "bob").status == .clientErrorNotAuthorized)
        #expect(await ask(.cancelJob, id, user: "ann").status == .successfulOk)
        #expect(try await spool.job(1)?.state == .canceled)
        #expect(await ask(.cancelJob, id, user: "ann").status == .clientErrorNotPossible)
    }

    @Test func `only an administrator can pause a printer`() async throws {
        #expect(await ask(.pausePrinter).status == .clientErrorNotAuthorized)
        let root = Peer.unix(uid: 0, gid: 0, pid: 1)
        #expect(await ask(.pausePrinter, peer: root).status == .successfulOk)
        #expect(try await spool.printer(named: "quiet")?.isPaused == true)
        _ = await ask(.printJob, document: "%PDF-1.4")
        let why = await ask(
            .getJobAttributes,
            [Attribute("job-id", .integer(1)), Attribute("requested-attributes", .keyword("printq-why"))])
        #expect(why[.job]?.string("printq-why")?.hasPrefix("Job 1 is waiting because quiet is paused") == true)
    }

    @Test func `an administrator can set the error policy with the attribute that lpadmin sends`() async throws {
        let root = Peer.unix(uid: 0, gid: 0, pid: 1)
        func modify(_ attributes: [Attribute], peer: Peer) async -> Message {
            await ask(.cupsAddModifyPrinter, printer: attributes, peer: peer)
        }
        let abort = Attribute("printer-error-policy", .name("abort-job"))
        #expect(await modify([abort], peer: .tcp(address: "127.0.0.1", port: 1)).status == .clientErrorNotAuthorized)
        #expect(await modify([abort], peer: root).status == .successfulOk)
        #expect(try await spool.printer(named: "quiet")?.errorPolicy == .abortJob)
        let shown = await ask(
            .getPrinterAttributes, [Attribute("requested-attributes", .keyword("printer-error-policy"))])
        #expect(shown[.printer]?.attributes == [abort])
        #expect(
            await modify([Attribute("printer-error-policy", .name("retry-current-job"))], peer: root).status
                == .successfulOk)
        #expect(try await spool.printer(named: "quiet")?.errorPolicy == .retryJob)
        for wrong in [Attribute("printer-error-policy", .name("pray")), Attribute("device-uri", .uri("lpd://x/"))] {
            let answer = await modify([wrong], peer: root)
            #expect(answer.status == .clientErrorAttributesOrValuesNotSupported)
            #expect(answer[.unsupported]?.attributes == [wrong])
        }
    }

    @Test func `if a printer is resumed, the retry delay of its waiting job is removed`() async throws {
        let root = Peer.unix(uid: 0, gid: 0, pid: 1)
        _ = await ask(.printJob, document: "%PDF-1.4")
        try await spool.change(1, .claimed)
        try await spool.change(1, .postponed(until: Spool.systemTime() + 60, message: "off"))
        #expect(await ask(.pausePrinter, peer: root).status == .successfulOk)
        #expect(try await spool.job(1)?.retryAt != nil)
        #expect(await ask(.resumePrinter, peer: root).status == .successfulOk)
        #expect(try await spool.job(1)?.retryAt == nil)
    }

    @Test func `in strict order, the attribute printq-why of a waiting job contains the blocking job and the reason`()
        async throws
    {
        try await spool.addPrinter(ConfiguredPrinter(name: "loud", deviceURI: "test:loud"))
        try await spool.pausePrinter(named: "quiet", message: "toner")
        _ = await ask(.printJob, document: "%PDF-1.4")
        let second = try await spool.submit(
            Submission(printer: "loud", owner: "ann", name: "second"), documents: [])
        let directory = PrinterDirectory(clock: Spool.systemTime) { _ in QuietPrinter() }
        let scheduler = Scheduler(
            spool: spool, directory: directory, worker: RefusingWorker(), order: .strict, logger: Logger(label: "test"))
        let service = SpoolService(
            RecentEvents(spool: spool, after: 0), scheduler: scheduler, directory: directory,
            output: { _, _ in nil }, checkUp: { [] })
        let attributes = await service.extraAttributes(
            of: [second], requested: RequestedAttributes(["printq-why"]))
        #expect(
            attributes.first?.first?.stringValue
                == "Job 2 is waiting for job 1 on quiet because the queue prints in strict order. Job 1 is waiting "
                + "because quiet is paused (toner); 'printq printers resume quiet' resumes the printer.")
    }

    @Test func `a second submission with the same submission ID creates no second job`() async throws {
        let id = [Attribute("printq-submission-id", .name("abc"))]
        let first = await ask(.printJob, id, document: "%PDF-1.4")
        let second = await ask(.printJob, id, document: "%PDF-1.4")
        #expect(first[.job]?.integer("job-id") == second[.job]?.integer("job-id"))
        #expect(try await spool.jobs(JobFilter(.all)).count == 1)
    }

    @Test func `the response to an invalid request has the status code that RFC 8011 specifies`() async throws {
        func respond(_ message: Message) async -> Status {
            await operations.respond(to: IPPRequest(message: message, peer: .tcp(address: "127.0.0.1", port: 1))).status
        }
        let charset = Attribute("attributes-charset", .charset("utf-8"))
        let language = Attribute("attributes-natural-language", .naturalLanguage("en"))
        let uri = Attribute("printer-uri", .uri("ipp://localhost/printers/quiet"))
        func message(_ attributes: [Attribute], version: Version = .v1_1, id: Int32 = 1) -> Message {
            Message(
                version: version, operation: .getPrinterAttributes, requestID: id,
                groups: [AttributeGroup(.operation, attributes)])
        }
        #expect(await respond(message([charset, language, uri])) == .successfulOk)
        #expect(await respond(message([language, charset, uri])) == .clientErrorBadRequest)
        #expect(await respond(message([charset, language])) == .clientErrorBadRequest)
        #expect(await respond(message([charset, language, uri], id: 0)) == .clientErrorBadRequest)
        #expect(
            await respond(message([charset, language, uri], version: Version(major: 9, minor: 0)))
                == .serverErrorVersionNotSupported)
        let latin = Attribute("attributes-charset", .charset("iso-8859-1"))
        #expect(await respond(message([latin, language, uri])) == .clientErrorCharsetNotSupported)
        let nowhere = Attribute("printer-uri", .uri("ipp://localhost/printers/none"))
        #expect(await respond(message([charset, language, nowhere])) == .clientErrorNotFound)
    }
}
