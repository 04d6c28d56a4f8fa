// Creates and connects the services of printd.

import FoundationEssentials
import IPPServer
import Logging
import PrintBackends
import PrintIPP
import PrintModel
import PrintScheduler
import PrintServer
import PrintSpool
import PrintWork
import ProcessLaunch
import ServiceLifecycle

/// The program `printd`, which serves one spool.
struct SpoolerDaemon {
    /// The settings of a run.
    struct Settings: Sendable {
        var spool: String
        /// The command-line options, or the stored options of a killed printd.
        var options: RunOptions
        /// The TCP address to listen on; nil for no TCP.
        var tcp: TCPAddress?
        /// Whether to run without the TCP address if its port is in use.
        var tcpIsDispensable: Bool
        /// The CUPS server that device URIs of the form `cups:NAME` refer to.
        var cups: CUPSServer
        /// The settings from the spool's `printd.json5`.
        var kept: SpoolSettings

        /// The additional arguments of printsim.
        var simulatorArguments: [String] {
            (options.simulators.map { ["--simulators", $0] } ?? [])
                + (options.simulatorSpeed.map { ["--speed", $0] } ?? [])
        }

        /// The settings of the document workers and converters.
        func converters(_ registered: [DocumentType]) -> ConvertingWorkerPool.Settings {
            let worker = Programs.beside("print-worker")
            var converters = ConvertingWorkerPool.Settings(programs: String(worker.dropLast("/print-worker".count)))
            converters.registry = .builtIn.adding(registered)
            converters.limits = kept.limits
            converters.concurrent = kept.workerProcesses
            converters.user = kept.workerUser
            converters.requiresLandlock = kept.requiresLandlock
            return converters
        }
    }

    /// The reason why the spooler cannot start.
    struct StartError: Error, CustomStringConvertible {
        var description: String
        /// The exit code from sysexits.h; 69 if another problem must be fixed first.
        var exitCode: Int32 = 69
    }

    private let settings: Settings
    private let logger = Logger(label: "printd")

    init(_ settings: Settings) { self.settings = settings }

    /// Runs until a signal arrives or the idle time has passed.
    func run() async throws {
        let spool = try await openSpool()
        let listeners = try Listeners(settings: settings, logger: logger)
        let registered = RegisteredTypes(spool: settings.spool)
        for error in registered.errors { logger.error("\(error)") }
        let documents = ConvertingWorkerPool(settings.converters(registered.types))
        let simulator = SimulatorProcess(
            spool: settings.spool, extraArguments: settings.simulatorArguments, logger: logger)
        let ways = BackendFactory(
            spool: settings.spool, simulator: simulator, authorities: settings.kept.tlsAuthorities, cups: settings.cups,
            listeners: listeners)
        let directory = PrinterDirectory(clock: Spool.systemTime) { try ways.backend(for: $0) }
        let scheduler = Scheduler(
            spool: spool, directory: directory, worker: documents, order: settings.kept.queueOrder, logger: logger)
        let service = SpoolService(
            spool: spool, scheduler: scheduler, directory: directory,
            keepsDocuments: settings.kept.keepDocuments != .never, types: documents.printableTypes,
            sources: ways.sources, access: ways.access,
            output: { await ways.output(of: $0, on: $1) }, serverState: { listeners.attributes },
            checkUp: { [settings] in
                await HealthCheck(
                    settings: settings, spool: spool, documents: documents, registered: registered,
                    directory: directory,
                    listeners: listeners
                )
                .lines()
            })
        let activity = Activity(
            responder: PrinterOperations(
                service, events: service, numbersJobsGlobally: true, isOpen: false,
                showsPrivateValues: settings.kept.jobPrivateAccess == .all, security: listeners.security,
                clock: Spool.systemTime))
        var services: [any Service] = [
            scheduler, Housekeeping(spool: spool, settings: settings.kept, logger: logger),
            WorkerService(pool: documents),
        ]
        services += listeners.servers(for: activity, pages: service.webPages)
        var group = ServiceGroupConfiguration(
            services: services.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(15)
        if settings.options.idleExit > 0 {
            group.services.append(
                .init(
                    service: IdleShutdown(
                        seconds: settings.options.idleExit, activity: activity, spool: spool, logger: logger),
                    successTerminationBehavior: .gracefullyShutdownGroup))
        }
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let error as IPPServerError {
            await simulator.stopWhenIdle()
            throw StartError(description: error.message)
        }
        await simulator.stopWhenIdle()
        // After a normal exit, the next printd must not reuse the options.
        RunOptions.forget(in: settings.spool)
        try spool.close()
    }

    /// Opens the spool.
    ///
    /// A new spool gets the default simulated printers.
    private func openSpool() async throws -> Spool {
        let spool: Spool
        do throws(SpoolError) {
            spool = try Spool(folder: settings.spool, budget: settings.kept.budget)
        } catch {
            throw StartError(description: error.message, exitCode: error.code == .locked ? 75 : 69)
        }
        if try await spool.printers().isEmpty, try await spool.latestEventSequence() == 0 {
            for (name, info, isDefault) in Self.shippedPrinters {
                try await spool.addPrinter(
                    ConfiguredPrinter(name: name, deviceURI: "printsim:\(name)", info: info, isDefault: isDefault))
            }
        }
        return spool
    }

    /// The simulated printers of a new spool.
    private static let shippedPrinters = [
        ("color-laser", "Simulated color laser printer", true), ("mono-laser", "Simulated mono laser printer", false),
        ("inkjet", "Simulated inkjet printer", false), ("inkjet-duplex", "Simulated two-sided inkjet printer", false),
        ("photo", "Simulated photo printer", false), ("label", "Simulated label printer", false),
        ("roll", "Simulated roll printer with cutter", false),
    ]
}
