// Simulated printers behind a real server, with a real client.

import FoundationEssentials
import IPP
import IPPClient
import IPPNetworkClient
import IPPServer
import IPPServerTLS
import Logging
import PrintIPP
import PrintModel
import PrintTestSupport
import PrinterSimulator
import ServiceLifecycle
import SimulatorServer
import Testing

/// Two printers on a Unix socket and a free port: a laser that prints instantly, and a one-sided inkjet with at most
/// two copies.
struct TestPrinters: Sendable {
    let folder: TemporaryFolder
    let service: SimulatorService
    let client: IPPClient
    let port: Int
    let said: AsyncStream<String>

    static let laser = """
        { name: 'laser', makeAndModel: 'Laser', media: ['A4', 'Letter'], color: true,
          sides: ['one-sided', 'two-sided-long-edge'], location: 'Room 2',
          trays: [{ name: 'tray-1' }, { name: 'tray-2', capacity: 10, loaded: 10 }],
          supplies: [{ name: 'Black toner', color: 'black', yield: 1000, level: 50 }] }
        """
    static let inkjet = """
        { name: 'inkjet', makeAndModel: 'Inkjet', media: ['A4', { size: '4x6', borderless: true }], maxCopies: 2,
          collates: false, outputBins: ['face-up'] }
        """

    /// Runs a test with the printers.
    ///
    /// - Parameter clock: The clock for the timeouts of jobs. The clock is stopped until the test advances it.
    static func serving(
        _ worker: any DocumentWorking = ScriptedWorker(pages: 3), clock: TestClock = TestClock(),
        printers: [String] = [laser, inkjet],
        now: @escaping @Sendable () -> UnixTime = { 1_700_000_000 }, _ test: (TestPrinters) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let log = SimulatorLog(startingAt: 0)
        var environment = SimulatorEnvironment(worker: worker, clock: clock, now: now)
        let printerLog = PrinterLog(now: now)
        environment.note = { event in
            log.append(event)
            printerLog.record(event)
        }
        let descriptions = try printers.map {
            try SimulatedPrinterDescription(json5: Data($0.utf8), file: "test.json5")
        }
        let open = try await OpenPrinters(descriptions, output: folder.path("output"), in: environment)
        let (said, saying) = AsyncStream.makeStream(of: String.self)
        let service = SimulatorService(open.printers, in: environment) { saying.yield($0) }
        let operations = PrinterOperations(
            service, events: log, numbersJobsGlobally: false, isOpen: true, clock: now)
        let answers = AttributeAnswers(operations, service: service)
        let responses = FaultyResponses()
        let control = LoggingResponder(
            SimulatorControl(
                FaultyAnswers(answers, service: service, responses: responses), service: service, log: printerLog),
            service: service, log: printerLog)
        try await serving(control, socket: folder.path("s"), faults: (service, responses)) { port in
            let running = Task { await service.run() }
            let client = IPPClient(address: .unix(path: folder.path("s")))
            let printers = TestPrinters(folder: folder, service: service, client: client, port: port, said: said)
            do {
                try await test(printers)
            } catch {
                Issue.record(error)
            }
            await client.close()
            running.cancel()
            await running.value
        }
    }

    /// Serves a responder on a Unix socket and a free port during a test, also with TLS if there is an identity.
    static func serving(
        _ responder: any IPPResponder, socket: String, tls identity: TLSIdentity? = nil,
        faults: (service: SimulatorService, responses: FaultyResponses)? = nil,
        _ test: (Int) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let (listening, ready) = AsyncStream.makeStream(of: [ListenAddress].self)
        var configuration = IPPServer.Configuration(
            listeners: [.unix(path: socket), .tcp(host: "127.0.0.1", port: 0)])
        configuration.responseHandlers = faults?.responses.handlers
        configuration.channelSetup = identity.map { OptionalTLS($0).stand }
        let makeServer: RefusableServer.MakeServer = { configuration, onListening in
            IPPServer(
                configuration: configuration, responder: responder, logger: logger, onListening: onListening)
        }
        let onListening: @Sendable ([ListenAddress]) async -> Void = { ready.yield($0) }
        let server: any Service =
            if let faults {
                RefusableServer(
                    configuration, service: faults.service, logger: logger, makeServer: makeServer,
                    onListening: onListening)
            } else {
                makeServer(configuration, onListening)
            }
        let group = ServiceGroup(services: [server], logger: logger)
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                defer { ready.finish() }
                try await group.run()
            }
            if let addresses = await listening.first(where: { _ in true }), case .tcp(_, let port)? = addresses.last {
                try await test(port)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    // MARK: - Requests

    /// Sends a request about a printer or a job, and returns the response.
    func ask(
        _ operation: IPP.Operation, at printer: String = laserURI, job id: Int? = nil, _ attributes: [Attribute] = [],
        template: [Attribute] = [], printer settings: [Attribute] = [], subscription: [Attribute] = [],
        document: String? = nil, user: String = "ann"
    ) async throws -> Message {
        let request = Self.request(
            operation, at: printer, job: id, attributes, template: template, printer: settings,
            subscription: subscription, user: user)
        return try await client.send(request, document: document.map { .bytes(Array($0.utf8)) })
    }

    /// Returns the request that `ask` sends.
    static func request(
        _ operation: IPP.Operation, at printer: String = laserURI, job id: Int? = nil, _ attributes: [Attribute] = [],
        template: [Attribute] = [], printer settings: [Attribute] = [], subscription: [Attribute] = [],
        user: String = "ann"
    ) -> Message {
        var group = AttributeGroup.operation([Attribute("printer-uri", .uri(printer))])
        if let id { group.append("job-id", .integer(Int32(id))) }
        group.append("requesting-user-name", .name(user))
        group.append(contentsOf: attributes)
        let others: [(GroupTag, [Attribute])] = [
            (.job, template), (.printer, settings), (.subscription, subscription),
        ]
        let groups = [group] + others.filter { !$0.1.isEmpty }.map { AttributeGroup($0.0, $0.1) }
        return Message(version: .v2_0, operation: operation, requestID: 1, groups: groups)
    }

    static let laserURI = "ipp://localhost/ipp/print/laser"
    static let inkjetURI = "ipp://localhost/ipp/print/inkjet"
    static let pdf = "%PDF-1.4 …"

    /// Prints a document, and returns the number of the job.
    func print(
        at printer: String = "ipp://localhost/ipp/print/laser", name: String = "letter", _ job: [Attribute] = [],
        user: String = "ann"
    ) async throws -> Int {
        let answer = try await ask(
            .printJob, at: printer, [Attribute("job-name", .name(name))], template: job, document: Self.pdf, user: user)
        #expect(answer.status.isSuccessful, "\(answer)")
        return Int(try #require(answer[.job]?.integer("job-id")))
    }

    /// Waits until a job of the laser, or of another printer, meets a condition, and returns the job.
    func job(
        _ id: Int, at printer: Int = 0, when condition: (SimulatedJob) -> Bool = { $0.state.isTerminal }
    ) async throws -> SimulatedJob {
        let device = service.devices[printer]
        let events = await device.events()
        if let job = await device.job(id), condition(job) { return job }
        for await event in events where event == .jobChanged(id) {
            if let job = await device.job(id), condition(job) { return job }
        }
        throw CancellationError()
    }

    /// Returns the attributes of a job as a client sees them.
    func attributes(of id: Int, at printer: String = "ipp://localhost/ipp/print/laser") async throws -> AttributeGroup {
        let answer = try await ask(.getJobAttributes, at: printer, job: id)
        return try #require(answer[.job], "\(answer)")
    }
}

extension Status {
    var isSuccessful: Bool { rawValue < 0x0100 }
}
