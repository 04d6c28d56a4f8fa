// Connects the printers, the worker and the server.

import FoundationEssentials
import Glibc
import IPPClient
import IPPNetworkClient
import IPPServer
import IPPServerTLS
import Logging
import PrintIPP
import PrintModel
import PrintWork
import PrinterSimulator
import ProcessPools
import ServiceDiscovery
import ServiceLifecycle
import SimulatorServer
import Synchronization
import UnixSignals

/// The simulated printers and the servers of one `printsim` process.
struct SimulatorHost {
    var descriptions: [SimulatedPrinterDescription]
    var output: String
    var socket: String?
    /// The address on which the server listens.
    ///
    /// Without a `port`, the server does not listen on TCP.
    var listen = "127.0.0.1"
    var port: Int?
    var encryption: Encryption
    var publishing = PublishingOptions.none
    /// Whether the printers belong to the queue of a spool.
    ///
    /// If true, the names of job folders contain the job numbers of the queue, and the `printd` of the spool can stop
    /// the `printsim` process.
    var isOfQueue = false
    var worker: String
    var pageImageBudget = PageImageBudget()
    /// The number of ended jobs that each printer keeps; nil for no limit.
    var keptJobs: Int?
    /// The idle time after which the process ends; nil for no limit.
    var idleExit: Duration?
    /// The number of ended jobs after which the process ends; nil for no limit.
    var exitAfter: Int?
    /// Whether the process ends when standard input ends.
    var leavesAtEndOfInput = false
    /// The servers from which printers fetch the documents of Print-URI requests; nil if Print-URI is not supported.
    var documentReach: HTTPDocument.Reach?
    /// The secret with which clients on other machines can control the printers.
    ///
    /// If nil, these clients cannot control the printers.
    var controlToken: ControlToken?
    /// The seed of all random decisions and times; if nil, the printers use the real time and real random values.
    var seed: UInt64?
    var note: (@Sendable (JobEvent) -> Void)?
    /// The address that receives each ended job; nil for none.
    var webhook: HTTPPost?
    /// A function that runs as soon as the printers are available.
    ///
    /// The function must handle SIGINT and SIGTERM. The printers stop when the function returns.
    var companion: (@Sendable (Ready, [SimulatedPrinter]) async -> Void)?

    /// Runs the printers until a signal arrives, or until another end condition such as `idleExit` is met.
    func run() async throws {
        guard access(worker, X_OK) == 0 else {
            throw StartError.unavailable("cannot run the worker program '\(worker)'; set the path with --worker")
        }
        let named = try encryption.namedIdentity()
        let pool = WorkerPool(executable: worker, limits: Self.workerLimits, concurrent: workers)
        let viewer = PageViewer(executable: worker, limits: Self.workerLimits)
        var environment = SimulatorEnvironment(worker: BudgetedWorker(pool, budget: pageImageBudget))
        environment.isOfQueue = isOfQueue
        environment.keptJobs = keptJobs
        let log = SimulatorLog(startingAt: environment.now())
        if let seed { environment.become(seeded: seed) }
        let printerLog = PrinterLog(now: environment.now)
        let reports = webhook.map { Webhook($0) }
        environment.note = { [note] event in
            log.append(event)
            printerLog.record(event)
            reports?.add(event)
            note?(event)
        }
        let open = try await openPrinters(in: environment)
        // Documents that arrive late are timed by the real clock, not by the printers' faster clock.
        environment.clock = ContinuousClock()
        let service = SimulatorService(open.printers, in: environment) { Notice.write($0) }
        let operations = PrinterOperations(
            service, events: log, references: documentReach.map(DocumentReferences.http), numbersJobsGlobally: false,
            isOpen: true, security: encryption.security, clock: environment.now)
        let answers = AttributeAnswers(operations, service: service)
        let access = ControlAccess(token: controlToken)
        let responses = FaultyResponses()
        let gate = ControlGate(answers, access: access)
        let invitations = Invitations()
        let control = SimulatorControl(
            FaultyAnswers(gate, service: service, responses: responses), service: service, access: access,
            isReachedOtherwise: socket != nil, log: printerLog, invitation: { await invitations.make() })
        let watch = IdleDetector(LoggingResponder(control, service: service, log: printerLog))
        let logger = Logger(label: "printsim")
        // The Print Center reaches the printers also while a fault keeps them from answering.
        let direct = SimulatorControl(
            gate, service: service, access: access, isReachedOtherwise: socket != nil, log: printerLog)
        let center = SimulatorCenter(
            SimulatorCenter.Parts(
                printers: open.printers, controlToken: controlToken, viewer: viewer,
                responder: watch.counting(LoggingResponder(direct, service: service, log: printerLog)), log: log,
                hostNames: hostNames, listeners: addresses, isTLSOnly: !encryption.security.contains(.none),
                noteWaiting: { watch.begin() }, logger: logger))
        invitations.open(center)
        let (listening, ready) = AsyncStream.makeStream(of: Ready.self)
        var configuration = IPPServer.Configuration(listeners: addresses, hostNames: hostNames)
        try addTLS(to: &configuration, identity: named, faultsOf: open.printers)
        configuration.responseHandlers = responses.handlers
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let (starts, started) = AsyncStream.makeStream(of: Void.self)
        let server = RefusableServer(
            configuration, service: service, logger: logger,
            makeServer: { configuration, onListening in
                IPPServer(
                    configuration: configuration, responder: watch, logger: logger, pages: open.printers.webPages,
                    content: { await center.center.content(for: $0) }, onListening: onListening)
            },
            onListening: { [companion, encryption] addresses in
                await service.untilPortIsCurrent()
                center.listen(at: addresses)
                let line = Ready(open.printers, at: addresses, encryption.security, center: center.pages)
                if companion == nil { line.write() }
                started.finish()
                // The address is a secret for ten minutes, so it is not written to a log file.
                if companion == nil, isatty(2) == 1, let address = await center.invitation() {
                    Notice.write("printsim: Print Center at \(address)")
                }
                ready.yield(line)
                for case .tcp(_, let port) in addresses { bound.yield(port) }
            })
        // The group stops the services in reverse order: first the server, then printing.
        var services: [any Service] = [
            // The worker that is started in advance does not delay the first line.
            Running {
                for await _ in starts {}
                await pool.run()
            }, Running { await viewer.run() }, Running { await service.run() }, server,
        ]
        if let reports {
            reports.open(open.printers)
            services.insert(reports, at: 0)
        }
        if let companion {
            services.append(
                Running {
                    for await line in listening {
                        await companion(line, open.printers)
                        return
                    }
                })
        }
        if publishing != .none, port != nil, let reach = AdvertisedInterfaces(listeningAt: listen) {
            services.append(
                Publishing(
                    printers: open.printers, service: service, security: encryption.security, reach: reach,
                    wish: publishing, ports: ports))
        }
        services += endConditions(log: log, watch: watch, service: service)
        try await Self.run(services, signals: companion == nil ? [.sigterm, .sigint] : [], logger: logger)
    }

    private func addTLS(
        to configuration: inout IPPServer.Configuration, identity named: TLSIdentity?,
        faultsOf printers: [SimulatedPrinter]
    ) throws(StartError) {
        guard port != nil, encryption.security.contains(.tls) else { return }
        let identity: @Sendable () -> TLSIdentity
        if let named {
            identity = { named }
        } else {
            let own = try Encryption.ownIdentity(in: output)
            identity = { own.current }
        }
        configuration.channelSetup = OptionalTLS(identity: identity, faultsOf: printers).stand
        configuration.requiresTLS = !encryption.security.contains(.none)
    }

    private func endConditions(
        log: SimulatorLog, watch: IdleDetector, service: SimulatorService
    ) -> [any Service] {
        var services: [any Service] = []
        if let exitAfter {
            services.append(
                Running {
                    await log.untilEnded(jobs: exitAfter)
                    await watch.untilIdle(for: .seconds(1)) { await service.isBusy }
                })
        }
        if let idleExit {
            services.append(Running { await watch.untilIdle(for: idleExit) { await service.isBusy } })
        }
        if isOfQueue { services.append(Running { await watch.untilReleased { await service.isBusy } }) }
        if leavesAtEndOfInput { services.append(Running { await StandardInputEnd.wait() }) }
        return services
    }

    private static func run(_ services: [any Service], signals: [UnixSignal], logger: Logger) async throws {
        var group = ServiceGroupConfiguration(
            services: services.map {
                // Without a name, the group describes all properties of the services, which takes milliseconds.
                .init(
                    service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                    serviceName: "\(type(of: $0))")
            },
            gracefulShutdownSignals: signals, logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(15)
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let error as IPPServerError {
            throw error.code == .addressInUse ? StartError.temporaryFailure(error.message) : .unavailable(error.message)
        }
    }

    /// The number of documents that are processed at the same time, at least 2.
    ///
    /// The value is the larger of two numbers: the number of printers (at most 8), and the number of processors. With
    /// one document for each printer, a slow document delays only the jobs of its printer.
    private var workers: Int {
        max(2, ProcessInfo.processInfo.activeProcessorCount, min(descriptions.count, Self.mostWorkers))
    }

    private static let mostWorkers = 8

    /// The limits of a worker.
    ///
    /// If the first renderer does not draw a page within 10 s, a second renderer has at most 15 s to draw the page. The
    /// time limit of a job is longer than the sum of these two times.
    private static let workerLimits = WorkerLimits(processorSeconds: 30)

    private var addresses: [ListenAddress] {
        (socket.map { [.unix(path: $0, mode: 0o600)] } ?? [])
            + (port.map { [.tcp(host: listen, port: $0)] } ?? [])
    }

    /// The host names that clients can use: the name that is published for local programs, and the name of this
    /// machine.
    ///
    /// The name of this machine is omitted if the server listens only on 127.0.0.1.
    private var hostNames: [String] {
        [AdvertisedInterfaces.localHost] + (listen == "127.0.0.1" ? [] : [ProcessInfo.processInfo.hostName])
    }

    private func openPrinters(in environment: SimulatorEnvironment) async throws(StartError) -> OpenPrinters {
        do throws(SimulatorServerError) {
            return try await OpenPrinters(descriptions, output: output, in: environment)
        } catch {
            throw error.code == .outputInUse ? .temporaryFailure(error.message) : .cannotCreate(error.message)
        }
    }
}

private final class Invitations: Sendable {
    private let center = Mutex<SimulatorCenter?>(nil)

    func open(_ center: SimulatorCenter) { self.center.withLock { $0 = center } }

    func make() async -> String? { await center.withLock { $0 }?.invitation() }
}

private struct Running: Service {
    let body: @Sendable () async -> Void

    func run() async throws { await cancelWhenGracefulShutdown { await body() } }
}

struct Ready: Encodable {
    struct Printer: Encodable {
        var name: String
        /// The preferred URI: an `ipp:` URI if the printer accepts unencrypted connections, otherwise the `ipps:` URI.
        var uri: String
        /// The `ipps:` URI; nil if the server does not support TLS.
        var ippsURI: String?
        var output: String
    }

    var ready = true
    var printers: [Printer]
    var socket: String?
    /// The address of the web pages; nil without a TCP port.
    var center: String?

    init(
        _ printers: [SimulatedPrinter], at addresses: [ListenAddress], _ security: [URISecurity], center: String?
    ) {
        self.center = center
        var authority = "localhost"
        var offered = [URISecurity.none]
        for address in addresses {
            switch address {
            case .unix(let path, _): socket = path
            case .tcp(let host, let port): (authority, offered) = ("\(Self.name(of: host)):\(port)", security)
            }
        }
        self.printers = printers.map { printer in
            let name = printer.description.name
            let uris = offered.map { "\($0.scheme)://\(authority)/ipp/print/\(name)" }
            return Printer(
                name: name, uri: uris[0], ippsURI: uris.first { $0.hasPrefix("ipps:") }, output: printer.outputFolder)
        }
    }

    /// Returns the host part of the URIs with which programs on this machine reach a listening address.
    private static func name(of host: String) -> String {
        guard !["127.0.0.1", "0.0.0.0", "::", "::1"].contains(host) else { return "localhost" }
        return host.contains(":") ? "[\(host)]" : host
    }

    func write() {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if let line = try? encoder.encode(self) { Notice.write(String(decoding: line, as: UTF8.self), to: 1) }
    }
}
