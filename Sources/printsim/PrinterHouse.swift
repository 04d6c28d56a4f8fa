// Wires printers, worker and server together.

import FoundationEssentials
import Glibc
import IPPServer
import Logging
import PrintIPP
import PrintModel
import PrintWork
import PrinterSimulator
import ServiceLifecycle
import SimulatorServer

/// The printers that are served together.
struct PrinterHouse {
    var descriptions: [SimulatedPrinterDescription]
    var output: String
    var socket: String?
    /// The TCP port; nil for none.
    var port: Int?
    /// The path of the worker's program.
    var worker: String
    /// How long to stay without anything to do; nil for ever.
    var idleExit: Duration?
    /// After how many jobs to leave; nil for never.
    var exitAfter: Int?
    /// Whether to leave when standard input ends.
    var leavesAtEndOfInput = false
    /// Whether documents are fetched that clients only name.
    var fetchesDocuments = false
    /// What decides all that is left to chance; nil takes the world as it is.
    var seed: UInt64?
    /// What is to be done once the printers can be reached, after which they are switched off.
    var companion: (@Sendable (Ready, [SimulatedPrinter]) async -> Void)?

    /// Runs until a signal, or until it has been idle for long enough.
    func run() async throws {
        guard access(worker, X_OK) == 0 else {
            throw StartError.unavailable("the program that reads documents, '\(worker)', cannot be run; see --worker")
        }
        let pool = WorkerPool(executable: worker)
        var surroundings = SimulatorSurroundings(worker: pool)
        let log = SimulatorLog(startingAt: surroundings.now())
        surroundings.note = { log.append($0) }
        if let seed { surroundings.become(seeded: seed) }
        let open = try await openPrinters(in: surroundings)
        // Late documents are waited for by the real clock, however fast the printers' own one runs.
        surroundings.clock = ContinuousClock()
        let service = SimulatorService(open.printers, in: surroundings) { Notice.write($0) }
        let operations = PrinterOperations(
            service, events: log, references: fetchesDocuments ? .http : nil, numbersJobsGlobally: false, isOpen: true,
            clock: surroundings.now)
        let watch = IdleWatch(CareDesk(FaultyAnswers(operations, service: service), service: service))
        let logger = Logger(label: "printsim")
        let (listening, ready) = AsyncStream.makeStream(of: Ready.self)
        let server = IPPServer(
            configuration: .init(listeners: addresses), responder: watch, logger: logger,
            pages: open.printers.flatMap(\.webPages),
            onListening: { [companion] addresses in
                let line = Ready(open.printers, at: addresses)
                if companion == nil { line.write() }
                ready.yield(line)
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
        if leavesAtEndOfInput { services.append(Running { await StandardInput.untilEnd() }) }
        var configuration = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = .seconds(15)
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let error as IPPServerError {
            throw error.code == .addressInUse ? StartError.taken(error.message) : .unavailable(error.message)
        }
    }

    private var addresses: [ListenAddress] {
        (socket.map { [.unix(path: $0, mode: 0o600)] } ?? [])
            + (port.map { [.tcp(host: "127.0.0.1", port: $0)] } ?? [])
    }

    private func openPrinters(in surroundings: SimulatorSurroundings) async throws(StartError) -> OpenPrinters {
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

    func run() async throws { try await cancelWhenGracefulShutdown { await body() } }
}

/// The one line of JSON that tells whoever started us where the printers are.
struct Ready: Encodable {
    struct Printer: Encodable {
        var name: String
        var uri: String
        var output: String
    }

    var ready = true
    var printers: [Printer]
    var socket: String?

    init(_ printers: [SimulatedPrinter], at addresses: [ListenAddress]) {
        var authority = "localhost"
        for address in addresses {
            switch address {
            case .unix(let path, _): socket = path
            case .tcp(_, let port): authority = "localhost:\(port)"
            }
        }
        self.printers = printers.map { printer in
            let name = printer.description.name
            return Printer(name: name, uri: "ipp://\(authority)/ipp/print/\(name)", output: printer.outputFolder)
        }
    }

    func write() {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if let line = try? encoder.encode(self) { Notice.write(String(decoding: line, as: UTF8.self), to: 1) }
    }
}
