// Wires printers, worker and server together.

import FoundationEssentials
import Glibc
import IPPClient
import IPPServer
import IPPServerTLS
import Logging
import PrintIPP
import PrintModel
import PrintWork
import PrinterSimulator
import ServiceDiscovery
import ServiceLifecycle
import SimulatorServer

/// The printers that are served together.
struct SimulatorHost {
    var descriptions: [SimulatedPrinterDescription]
    var output: String
    var socket: String?
    /// The address to listen on, and the TCP port; nil for none.
    var listen = "127.0.0.1"
    var port: Int?
    /// How clients of the port may speak.
    var encryption: Encryption
    /// Whether the printers are published by DNS-SD.
    var publishing = PublishingOptions.none
    /// Whether the printers belong to a queue: the folders of jobs bear its numbers, and it may have the printers leave.
    var isOfQueue = false
    /// The path of the worker's program.
    var worker: String
    /// How long the pages of a job may take to draw.
    var pageImageBudget = PageImageBudget()
    /// How long to stay without anything to do; nil for ever.
    var idleExit: Duration?
    /// After how many jobs to leave; nil for never.
    var exitAfter: Int?
    /// Whether to leave when standard input ends.
    var leavesAtEndOfInput = false
    /// From where documents are fetched that clients only name; nil for not at all.
    var documentReach: HTTPDocument.Reach?
    /// The secret by which clients on other machines may use the printers' controls; nil lets none of them.
    var controlToken: ControlToken?
    /// What decides all that is left to chance; nil takes the world as it is.
    var seed: UInt64?
    /// What is told of everything that happens at the printers.
    var note: (@Sendable (JobEvent) -> Void)?
    /// What is to be done once the printers can be reached, after which they are switched off; signals are for it.
    var companion: (@Sendable (Ready, [SimulatedPrinter]) async -> Void)?

    /// Runs until a signal, or until it has been idle for long enough.
    func run() async throws {
        guard access(worker, X_OK) == 0 else {
            throw StartError.unavailable("the program that reads documents, '\(worker)', cannot be run; see --worker")
        }
        let named = try encryption.namedIdentity()
        let pool = WorkerPool(executable: worker, limits: Self.workerLimits, concurrent: workers)
        var surroundings = SimulatorEnvironment(worker: BudgetedWorker(pool, budget: pageImageBudget))
        surroundings.isOfQueue = isOfQueue
        let log = SimulatorLog(startingAt: surroundings.now())
        surroundings.note = { [note] event in
            log.append(event)
            note?(event)
        }
        if let seed { surroundings.become(seeded: seed) }
        let open = try await openPrinters(in: surroundings)
        // Late documents are waited for by the real clock, however fast the printers' own one runs.
        surroundings.clock = ContinuousClock()
        let service = SimulatorService(open.printers, in: surroundings) { Notice.write($0) }
        let operations = PrinterOperations(
            service, events: log, references: documentReach.map(DocumentReferences.http), numbersJobsGlobally: false,
            isOpen: true, security: encryption.security, clock: surroundings.now)
        let answers = AttributeAnswers(operations, service: service)
        let access = ControlAccess(token: controlToken)
        let responses = FaultyResponses()
        let watch = IdleDetector(
            SimulatorControl(
                FaultyAnswers(ControlGate(answers, access: access), service: service, responses: responses),
                service: service, access: access, isReachedOtherwise: socket != nil))
        let logger = Logger(label: "printsim")
        let (listening, ready) = AsyncStream.makeStream(of: Ready.self)
        var configuration = IPPServer.Configuration(listeners: addresses, hostNames: hostNames)
        if port != nil, encryption.security.contains(.tls) {
            let identity = if let named { named } else { try Encryption.ownIdentity(in: output) }
            configuration.front = TLSFront(identity, faultsOf: open.printers).stand
            configuration.requiresTLS = !encryption.security.contains(.none)
        }
        configuration.responseHandlers = responses.handlers
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let server = RefusableServer(
            configuration, service: service, logger: logger,
            makeServer: { configuration, onListening in
                IPPServer(
                    configuration: configuration, responder: watch, logger: logger, pages: open.printers.webPages,
                    onListening: onListening)
            },
            onListening: { [companion, encryption] addresses in
                await service.untilPortIsCurrent()
                let line = Ready(open.printers, at: addresses, encryption.security)
                if companion == nil { line.write() }
                ready.yield(line)
                for case .tcp(_, let port) in addresses { bound.yield(port) }
            })
        // Stopped from the last to the first: no more requests, then no more printing.
        var services: [any Service] = [
            Running { await pool.run() }, Running { await service.run() }, server,
        ]
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
        if isOfQueue { services.append(Running { await watch.untilLetGo { await service.isBusy } }) }
        if leavesAtEndOfInput { services.append(Running { await StandardInput.untilEnd() }) }
        var group = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
            gracefulShutdownSignals: companion == nil ? [.sigterm, .sigint] : [], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(15)
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let error as IPPServerError {
            throw error.code == .addressInUse ? StartError.taken(error.message) : .unavailable(error.message)
        }
    }

    /// How many documents are worked on at a time: one of each printer, so that a document which takes long delays only its own
    /// printer; of many printers not more than can be paid for.
    private var workers: Int {
        max(2, ProcessInfo.processInfo.activeProcessorCount, min(descriptions.count, Self.mostWorkers))
    }

    private static let mostWorkers = 8

    /// A page that the usual renderer does not draw in 10 s has 15 s with the other one: both fit into the budget of a job.
    private static let workerLimits = WorkerLimits(processorSeconds: 30)

    private var addresses: [ListenAddress] {
        (socket.map { [.unix(path: $0, mode: 0o600)] } ?? [])
            + (port.map { [.tcp(host: listen, port: $0)] } ?? [])
    }

    /// The names by which clients may call us: those of this machine, and the one that is published for its own programs.
    private var hostNames: [String] {
        [AdvertisedInterfaces.localHost] + (listen == "127.0.0.1" ? [] : [ProcessInfo.processInfo.hostName])
    }

    private func openPrinters(in surroundings: SimulatorEnvironment) async throws(StartError) -> OpenPrinters {
        do throws(SimulatorServerError) {
            return try await OpenPrinters(descriptions, output: output, in: surroundings)
        } catch {
            throw error.code == .outputInUse ? .taken(error.message) : .cannotCreate(error.message)
        }
    }
}

/// Something that runs until its task is cancelled, as a service.
private struct Running: Service {
    let body: @Sendable () async -> Void

    func run() async throws { await cancelWhenGracefulShutdown { await body() } }
}

/// The one line of JSON that tells whoever started us where the printers are.
struct Ready: Encodable {
    struct Printer: Encodable {
        var name: String
        /// How it is reached as a rule: plainly, where that is served.
        var uri: String
        /// How it is reached under TLS; nil when it is not.
        var ippsURI: String?
        var output: String
    }

    var ready = true
    var printers: [Printer]
    var socket: String?

    init(_ printers: [SimulatedPrinter], at addresses: [ListenAddress], _ security: [URISecurity]) {
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

    /// How this machine's own programs call an address that is listened on.
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
