// Connects the converters that are installed on this machine.

public import PrintModel

extension ConvertingWorkerPool {
    /// The settings of all converters.
    public struct Settings: Sendable {
        /// The folder with printq's programs: `print-worker`, `print-office` and `print-launcher`.
        public var programs: String
        /// The known types; registered types included.
        public var registry = DocumentTypeRegistry.builtIn
        /// The resource limits for each document.
        public var limits = WorkerLimits()
        /// The number of documents that each kind of process handles at the same time; nil for the number of
        /// processors, but at least 2.
        public var concurrent: Int?
        /// The user of the processes when this process runs as root; nil for `printq` if that user exists, otherwise
        /// `nobody`.
        public var user: String?
        /// Whether documents are refused if the kernel does not support Landlock.
        public var requiresLandlock = false
        /// The number of processes to start in advance; nil for the defaults of the pools.
        public var warm: Int?

        /// Creates settings with the defaults.
        public init(programs: String) { self.programs = programs }
    }

    /// Creates a pool with all converters of printq.
    ///
    /// A converter whose software is not installed refuses its documents, and names the Debian package.
    public convenience init(_ settings: Settings) {
        let pool = WorkerPool(
            executable: "\(settings.programs)/print-worker", limits: settings.limits, warm: settings.warm ?? 1,
            concurrent: settings.concurrent, user: settings.user, requiresLandlock: settings.requiresLandlock)
        let html = HTMLEngine(
            concurrent: settings.concurrent ?? 2, warm: settings.warm ?? 1, user: settings.user,
            requiresLandlock: settings.requiresLandlock)
        let office = OfficePool(
            executable: "\(settings.programs)/print-office", limits: .forOffice(settings.limits),
            standby: settings.warm, user: settings.user, requiresLandlock: settings.requiresLandlock)
        let programs = ConverterPrograms(
            executable: "\(settings.programs)/print-launcher", limits: settings.limits,
            concurrent: settings.concurrent, user: settings.user, requiresLandlock: settings.requiresLandlock)
        self.init(
            pool: pool, registry: settings.registry,
            engines: [
                .html: Engine(obstacle: { _ in html.installation == nil ? .htmlEngineMissing : nil }) {
                    (request) async throws(WorkError) in
                    try await html.convert(request)
                },
                .office: Engine(obstacle: { office.obstacle(for: $0) }) { (request) async throws(WorkError) in
                    try await office.convert(request)
                },
                .program: Engine(obstacle: { programs.obstacle(for: $0.converter) }) {
                    (request) async throws(WorkError) in
                    try await programs.convert(request)
                },
            ],
            office: office, html: html)
    }
}

extension WorkerLimits {
    /// Returns the limits for an Office document: LibreOffice needs more memory than the workers.
    fileprivate static func forOffice(_ limits: WorkerLimits) -> WorkerLimits {
        var office = limits
        office.memoryBytes = max(limits.memoryBytes, OfficePool.usualLimits.memoryBytes)
        office.openFiles = max(limits.openFiles, OfficePool.usualLimits.openFiles)
        return office
    }
}

extension WorkError {
    /// The error for a machine without the HTML engine.
    static let htmlEngineMissing = WorkError(
        .unsupportedFormat,
        "HTML, Markdown, e-mail and source code require the HTML engine, which is not installed; run scripts/setup")
}
