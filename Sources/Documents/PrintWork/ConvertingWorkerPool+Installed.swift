// Connects the converters that are installed on this machine.

import HTMLLayout
public import PrintModel
public import ProcessLaunch
public import ProcessPools

extension ConvertingWorkerPool {
    /// The settings of all converters.
    public struct Settings: Sendable {
        /// The folder with printq's programs: `print-worker`, `print-office` and `print-launcher`.
        public var programs: String
        /// The known document types, including registered types.
        public var registry = DocumentTypes.builtIn
        /// The resource limits for the conversion of each document.
        public var limits = WorkerLimits()
        /// The maximum number of documents that all processes of one kind handle concurrently.
        ///
        /// Nil means the number of processors, but at least 2.
        public var concurrent: Int?
        /// The user name for the processes if this process runs as root.
        ///
        /// Nil means `printq` if that user exists, otherwise `nobody`.
        public var user: String?
        /// Whether documents are refused if the kernel does not support Landlock.
        public var requiresLandlock = false
        /// The host that starts the workers as another user; nil if this process starts the workers.
        ///
        /// The processes of the other converters are always processes of this process's user.
        public var host: ProcessHost?
        /// The number of processes that each pool starts in advance; nil for the default of the pool.
        public var warm: Int?

        /// Creates settings with the defaults.
        public init(programs: String) { self.programs = programs }
    }

    /// Creates a pool with all converters of printq.
    ///
    /// The pool refuses documents whose converter is not installed, with an error that names the Debian package.
    public convenience init(_ settings: Settings) {
        let pool = WorkerPool(
            executable: "\(settings.programs)/print-worker", limits: settings.limits,
            isWarm: settings.warm != 0, concurrent: settings.concurrent, user: settings.user,
            requiresLandlock: settings.requiresLandlock, host: settings.host)
        let html = HTMLEngine(
            concurrent: settings.concurrent ?? 2, warm: settings.warm ?? 1, limits: HTMLLimits(settings.limits),
            user: settings.user, requiresLandlock: settings.requiresLandlock)
        let office = OfficePool(
            executable: "\(settings.programs)/print-office", limits: .forOffice(settings.limits),
            standby: settings.warm, user: settings.user, requiresLandlock: settings.requiresLandlock)
        let programs = ConverterPrograms(
            executable: "\(settings.programs)/print-launcher", limits: settings.limits,
            concurrent: settings.concurrent, standby: settings.warm ?? 1, user: settings.user,
            requiresLandlock: settings.requiresLandlock)
        self.init(
            pool: pool, registry: settings.registry,
            engines: [
                .html: Engine(check: {
                    let unavailability = html.unavailability
                    return { _ in unavailability }
                }) {
                    (request) async throws(WorkError) in
                    try await html.convert(request)
                },
                .office: Engine(check: office.check) {
                    (request) async throws(WorkError) in
                    try await office.convert(request)
                },
                .program: Engine(check: { { programs.unavailability(for: $0.converter) } }) {
                    (request) async throws(WorkError) in
                    try await programs.convert(request)
                },
            ],
            office: office, html: html, programs: programs)
    }
}

extension WorkerLimits {
    /// Returns the resource limits for an Office document.
    ///
    /// LibreOffice needs more memory than the workers.
    static func forOffice(_ limits: WorkerLimits) -> WorkerLimits {
        var office = limits
        office.memoryBytes = max(limits.memoryBytes, OfficePool.usualLimits.memoryBytes)
        office.openFiles = max(limits.openFiles, OfficePool.usualLimits.openFiles)
        return office
    }
}
