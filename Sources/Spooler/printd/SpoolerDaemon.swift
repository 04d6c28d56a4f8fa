// Creates and connects the services of printd.

import AsyncPrimitives
import FoundationEssentials
import IPPServer
import Logging
import OpenIDConnect
import PrintBackends
import PrintCenter
import PrintIPP
import PrintModel
import PrintPages
import PrintScheduler
import PrintServer
import PrintSpool
import PrintWork
import ProcessLaunch
import ServiceLifecycle
import SpoolConfiguration
import Systemd

/// The program `printd`, which serves one spool.
struct SpoolerDaemon {
    /// The configuration and the inherited resources of one `printd` process.
    struct Settings: Sendable {
        var spool: String
        /// The command-line options, or the stored options of a killed printd.
        var options: RunOptions
        /// Whether `printq` started this process.
        var isOnDemand = false
        /// Whether the program runs without the TCP address if the port is in use.
        var tcpIsDispensable: Bool
        /// The CUPS server to which device URIs of the form `cups:NAME` refer.
        var cups: CUPSServer
        /// The configuration, which includes the command-line options.
        var configuration: LiveConfiguration
        /// The sockets that the service manager passed to this process.
        var sockets = PassedSockets()
        /// The connection to the service manager.
        var notifier = ServiceNotifier(address: nil)

        /// The host that starts the workers as another user; nil if printd starts the workers.
        ///
        /// The unit of the service sets the path of its socket.
        var workerHost = ProcessInfo.processInfo.environment["PRINTQ_WORKER_SOCKET"].map { ProcessHost(socket: $0) }

        /// The settings that are currently in effect.
        var spoolSettings: SpoolSettings { configuration.settings }
        /// The unique name of this host among the hosts that share the database.
        var hostName: String { spoolSettings.hostName ?? ProcessInfo.processInfo.hostName }
        /// The TCP address on which the program listens; nil for no TCP.
        var tcp: TCPAddress? { spoolSettings.listen }

        /// The additional command-line arguments for printsim.
        var simulatorArguments: [String] {
            (spoolSettings.simulators.map { ["--simulators", $0] } ?? [])
                + (spoolSettings.simulatorSpeed.map { ["--speed", $0] } ?? [])
        }

        /// The pool of processes that draw pages for the Print Center.
        var viewer: PageViewer {
            PageViewer(
                executable: Programs.path(of: "print-worker"), limits: spoolSettings.limits,
                bounds: PageViewer.Bounds(concurrent: spoolSettings.workerProcesses), user: spoolSettings.workerUser,
                requiresLandlock: spoolSettings.requiresLandlock, host: workerHost)
        }

        func converters(_ registered: [DocumentType]) -> ConvertingWorkerPool.Settings {
            let worker = Programs.path(of: "print-worker")
            var converters = ConvertingWorkerPool.Settings(programs: String(worker.dropLast("/print-worker".count)))
            converters.registry = .builtIn.adding(registered)
            converters.limits = spoolSettings.limits
            converters.concurrent = spoolSettings.workerProcesses
            converters.user = spoolSettings.workerUser
            converters.requiresLandlock = spoolSettings.requiresLandlock
            converters.host = workerHost
            return converters
        }
    }

    /// The error of a spooler that cannot start.
    struct StartError: Error, CustomStringConvertible {
        var description: String
        /// The exit code from sysexits.h; the default is 69 (`EX_UNAVAILABLE`).
        var exitCode: Int32 = 69
        /// Whether this process must not change any file of the spool, because this version cannot use the spool.
        var leavesSpoolUnchanged = false

        init(description: String, exitCode: Int32 = 69) {
            (self.description, self.exitCode) = (description, exitCode)
        }

        init(_ error: SpoolError) {
            description = error.message
            exitCode =
                switch error.code {
                case .locked, .noSpace, .unavailable: 75
                case .tooNew, .tooOld, .notPossible: 78
                default: 69
                }
            leavesSpoolUnchanged = error.code == .tooNew || error.code == .tooOld
        }
    }

    private let settings: Settings
    private let logger = Logger(label: "printd")

    init(_ settings: Settings) { self.settings = settings }

    /// Runs the program until a signal arrives or the idle time has passed.
    func run() async throws {
        let spool = try await openSpool()
        let listeners = try Listeners(settings: settings, logger: logger)
        let live = settings.configuration
        let types = LiveTypes(spool: settings.spool, configuration: live.file, logger: logger)
        let documents = ConvertingWorkerPool(settings.converters(types.registered.types))
        let simulator = SimulatorProcess(
            spool: settings.spool, extraArguments: settings.simulatorArguments, logger: logger)
        let backends = BackendFactory(
            spool: settings.spool, simulator: simulator, authorities: { live.settings.tlsAuthorities },
            cups: settings.cups,
            listeners: listeners)
        let directory = PrinterDirectory(clock: Spool.systemTime) { try backends.backend(for: $0) }
        let lastEvent = try await spool.latestEventSequence()
        let events = RecentEvents(spool: spool, after: lastEvent)
        let metrics = SpoolMetrics(events, directory: directory, after: lastEvent)
        let scheduler = Scheduler(
            spool: spool, directory: directory, worker: MeasuredWorker(documents, metrics: metrics.factory),
            order: settings.spoolSettings.queueOrder, retry: settings.spoolSettings.retry, logger: logger)
        let sessions = Sessions(clock: Spool.systemTime, store: SessionFile(spool: settings.spool))
        let centerPort = CenterPort(sessions: sessions, logger: logger)
        let networks = settings.spoolSettings.anonymousNetworks
        let sharing = SharingState { address in networks.isEmpty || networks.contains { $0.contains(address) } }
        let openID = OpenIDConnect(logger: logger, clock: Spool.systemTime)
        openID.trust(Provider(live.settings))
        let service = SpoolService(
            events, scheduler: scheduler, directory: directory,
            keepsDocuments: live.settings.keepDocuments != .never,
            passwordLifetime: live.settings.jobPasswordSeconds, types: { await documents.printableTypes },
            identify: { (document) throws(WorkError) in try await documents.identify(document) },
            sources: backends.sources, access: backends.access, sharing: sharing,
            auditLog: AuditLog(folder: settings.spool, logger: logger),
            output: { await backends.output(of: $0, on: $1) },
            serverState: { listeners.attributes(centerAddress: await centerPort.address) },
            configuration: live.served,
            logins: PasswordLogins(
                logger: logger, acceptsMachineAccounts: live.settings.acceptsMachineAccounts,
                machine: { MachineLogins.current.answer($0, $1, from: $2) }),
            openID: { try await openID.user(bearing: $0) },
            checkUp: { [settings] in
                let check = HealthCheck(
                    settings: settings, spool: spool, documents: documents, registered: types.registered,
                    directory: directory, listeners: listeners, centerPort: centerPort, sharing: sharing,
                    openID: (openID, live.settings))
                return await withTaskExecutorPreference(BlockingThreads.shared) { await check.findings() }
            })
        let configuration = PrintCenter.Configuration(
            service: "printd", hostNames: settings.tcp.map { [$0.host] } ?? [],
            listeners: listeners.listening.addresses,
            address: { () async throws(AddressError) in try await listeners.webAddress(orAt: centerPort) })
        let operations = PrinterOperations(
            service, events: service, numbersJobsGlobally: true, isOpen: false,
            jobPrivacy: live.settings.jobPrivacy, security: listeners.security,
            authorizationServer: openID.issuer, clock: Spool.systemTime)
        let activity = Activity(
            responder: CenterSignIn(operations, sessions: sessions, configuration: configuration))
        let viewer = settings.viewer
        live.onReload { settings in
            spool.setBudget(settings.budget)
            openID.trust(Provider(settings))
            scheduler.setOrder(settings.queueOrder)
            scheduler.setRetry(settings.retry)
            documents.setLimits(settings.limits)
            documents.setRegistry(types.reload())
            viewer.setLimits(settings.limits)
        } afterwards: {
            await directory.forgetBackends()
        }
        let pages = SpoolPages(
            spool: spool, folder: "\(settings.spool)/views", directory: directory, pool: documents,
            pictures: PagePictures(viewer: viewer)
        ) { job, printer in
            if case .folder(let folder) = await backends.output(of: job, on: printer) { folder } else { nil }
        }
        let uploads = UploadFolder(folder: "\(settings.spool)/uploads", pool: documents, clock: Spool.systemTime) {
            await pages.closePreviews(ofUpload: $0)
        }
        var ports = Ports(printerPage: { await service.printerPage($0) }, noteWaiting: { activity.begin() })
        (ports.pages, ports.uploads) = (pages, uploads)
        ports.previews = UploadPreviews(pages: pages, uploads: uploads, clock: Spool.systemTime)
        let health = SpoolHealth(spool: spool, scheduler: scheduler, folder: settings.spool)
        let backups = BackupService(spool: spool, settingsFile: live.file)
        ports.backup = { try await backups.make(includesSecrets: $0) }
        ports.metrics = { await metrics.families() }
        ports.health = { HealthReport(reasons: await health.reasons()) }
        ports.simulators = SimulatorPort {
            try await simulator.send($0)
        } noteChange: {
            await directory.expireStatus(ofPrinterNamed: $0)
        }
        let center = PrintCenter(
            configuration, responder: activity, sessions: sessions, ports: ports, clock: Spool.systemTime,
            logger: logger)
        var services: [any Service] = [
            JobLog(events, after: lastEvent, logger: logger),
            HangupService(notifier: settings.notifier, logger: logger) { await live.reload() },
            scheduler,
            LateService(
                listeners: listeners,
                service: Housekeeping(spool: spool, service: service, configuration: live, logger: logger)),
            LateService(listeners: listeners, service: WorkerService(pool: documents)), metrics,
            LateService(
                listeners: listeners,
                service: SharedPrinters(
                    spool: spool, events: events, service: service, listeners: listeners, state: sharing,
                    logger: logger)),
        ]
        // A service is stopped before the services that precede it. The leases end after the last job was stopped.
        if spool.isShared { services.insert(LeaseRenewal(spool: spool, logger: logger), at: 0) }
        services.append(LateService(listeners: listeners, service: PageService(pages: pages, uploads: uploads)))
        services += listeners.servers(
            for: activity, pages: service.webPages, center: center, logins: service.centerLogins)
        // printd does not exit while the port is open, because nothing can start printd for a browser.
        services.append(
            centerPort.service(noteOpen: { activity.begin() }) {
                listeners.centerServer(pages: service.webPages, center: center, onListening: $0)
            })
        var group = ServiceGroupConfiguration(
            services: services.map {
                // Without a name, the group describes all properties of the services, which takes 10 ms.
                .init(
                    service: $0, successTerminationBehavior: .gracefullyShutdownGroup,
                    serviceName: "\(type(of: $0))")
            },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        group.maximumGracefulShutdownDuration = .seconds(15)
        if settings.spoolSettings.idleExitSeconds > 0, listeners.restartsOnDemand {
            group.services.append(
                .init(
                    service: IdleShutdown(
                        seconds: settings.spoolSettings.idleExitSeconds, activity: activity, spool: spool,
                        logger: logger),
                    successTerminationBehavior: .gracefullyShutdownGroup, serviceName: "IdleShutdown"))
        }
        if settings.notifier.isConnected {
            let reports = ServiceReports(notifier: settings.notifier, spool: spool, health: health, logger: logger)
            group.services.append(
                .init(
                    service: reports, successTerminationBehavior: .gracefullyShutdownGroup,
                    serviceName: "ServiceReports"))
        }
        BlockingCall.forbidInTasks()
        do {
            try await ServiceGroup(configuration: group).run()
        } catch let error as IPPServerError {
            await simulator.stopWhenIdle()
            throw StartError(description: error.message)
        }
        await simulator.stopWhenIdle()
        // After a normal exit, the next printd must not reuse the options.
        RunOptions.forget(in: settings.spool)
        await spool.finishRemovals()
        try spool.close()
    }

    /// Checks that this version of printq can use the spool, before the program reads or changes other files.
    static func checkVersion(ofSpoolIn folder: String) throws(StartError) {
        do throws(SpoolError) {
            try Spool.checkVersion(ofSpoolIn: folder)
        } catch {
            throw StartError(error)
        }
    }

    /// Opens the spool.
    ///
    /// For a new spool, the function also adds the default simulated printers.
    private func openSpool() async throws -> Spool {
        let spool: Spool
        do throws(SpoolError) {
            spool = try await openStore()
        } catch {
            throw StartError(error)
        }
        if settings.spoolSettings.store != nil, !Spool.wasCopiedToDatabase(settings.spool),
            let left = try? Spool.unfinishedJobs(in: settings.spool), left > 0
        {
            logger.warning(
                """
                the SQLite database in the folder of the spool has unfinished jobs, which are not printed; \
                start printd without 'store' to print them
                """,
                metadata: ["jobs": "\(left)", "spool": "\(settings.spool)"])
        }
        if try await spool.printers().isEmpty, try await spool.latestEventSequence() == 0 {
            do throws(SpoolError) {
                // One transaction: if printd ends here, the next printd adds all printers.
                try await spool.addPrinters(
                    Self.shippedPrinters.map { name, info, isDefault in
                        ConfiguredPrinter(name: name, deviceURI: "printsim:\(name)", info: info, isDefault: isDefault)
                    })
            } catch {
                // Another host can have added the printers at the same moment.
                guard error.code == .printerExists, settings.spoolSettings.store != nil else { throw error }
            }
        }
        return spool
    }

    /// Opens the store of the queue.
    ///
    /// A service of a service manager waits for its database, for example after a boot. Otherwise the service manager
    /// would start it again and again.
    private func openStore() async throws(SpoolError) -> Spool {
        let report = MigrationReport(spool: settings.spool) { [notifier = settings.notifier] in
            notifier.send(.status($0))
        }
        var pause = Duration.seconds(1)
        while true {
            do throws(SpoolError) {
                return try Spool(
                    folder: settings.spool, budget: settings.spoolSettings.budget, clock: Spool.systemTime,
                    medium: .named(settings.spoolSettings.store, host: settings.hostName), migration: report.note)
            } catch {
                guard error.code == .unavailable, settings.spoolSettings.store != nil, settings.notifier.isConnected
                else {
                    throw error
                }
                if pause == .seconds(1) { logger.warning("waiting for the database: \(error.message)") }
                settings.notifier.send(.status("Waiting for the database: \(error.message)"))
                try? await Task.sleep(for: pause)
                if Task.isCancelled { throw error }
                pause = min(pause * 2, .seconds(10))
            }
        }
    }

    /// The simulated printers of a new spool.
    private static let shippedPrinters = [
        ("color-laser", "Simulated color laser printer", true), ("mono-laser", "Simulated mono laser printer", false),
        ("inkjet", "Simulated inkjet printer", false), ("inkjet-duplex", "Simulated two-sided inkjet printer", false),
        ("photo", "Simulated photo printer", false), ("label", "Simulated label printer", false),
        ("roll", "Simulated roll printer with cutter", false),
    ]
}
