// Converts Office documents with LibreOffice, in processes that are started in advance.

import AsyncPrimitives
import DocumentFiles
import FoundationEssentials
import Glibc
public import PrintModel
public import ProcessPools
import Synchronization

/// A converter that converts each Office document to PDF in a separate LibreOffice process.
///
/// LibreOffice takes one to two seconds to start. Therefore the pool starts processes in advance, each in a private
/// folder and a sandbox. A process waits for a document, converts the document and ends, so no document affects another
/// document. The first document, or `warmUp()`, starts the processes. The processes end after some minutes without
/// documents.
///
///     let pool = OfficePool(executable: "/usr/libexec/printq/print-office")
///     async let life: Void = pool.run()
///     let pdf = try await pool.convert(request)
///     pool.shutdown()
///
/// Without a call of `run()`, the pool starts a process for each document. The cancellation of a conversion kills the
/// process group of the conversion.
public final class OfficePool: Sendable {
    /// The default resource limits.
    ///
    /// LibreOffice reserves 600 MB of address space for a document of one page. The limit of CPU time includes the
    /// start of LibreOffice.
    public static let usualLimits = WorkerLimits(
        memoryBytes: 2 << 30, processorSeconds: 120, wallSeconds: 120, outputBytes: 1 << 30)

    private var command: WorkerCommand { processes.command }
    private let installation: OfficeInstallation?
    private let processes: ProcessPool<StandbyProcess>

    /// Creates a pool.
    ///
    /// The initializer ignores `SIGPIPE` in this process, as `WorkerPool` does.
    ///
    /// - Parameters:
    ///   - executable: The path of `print-office`.
    ///   - limits: The resource limits for each document. The wall-clock time starts when the conversion starts.
    ///   - standby: The number of idle processes, and the maximum number of concurrent conversions. One additional
    ///     conversion is possible for small documents. Nil means the number of processors, but at least 2. With 0, each
    ///     document starts a new process, and the maximum is the number of processors.
    ///   - idleSeconds: The time in seconds without documents after which the idle processes end.
    ///   - user: The user name for the processes when this process runs as root, as for `WorkerPool`.
    ///   - requiresLandlock: Whether documents are refused (`sandboxIncomplete`) if the kernel does not support
    ///     Landlock.
    ///   - installation: The installation of LibreOffice; nil if LibreOffice is not installed.
    ///   - scratch: The parent of the scratch folder, which contains the private folders of processes. The user of the
    ///     processes must have search permission for the parent. Nil means `TMPDIR` or `/tmp`; for root, `/tmp`.
    public init(
        executable: String, limits: WorkerLimits = OfficePool.usualLimits, standby: Int? = nil, idleSeconds: Int = 300,
        user: String? = nil, requiresLandlock: Bool = false,
        installation: OfficeInstallation? = OfficeInstallation.find(),
        scratch: String? = nil
    ) {
        let processors = max(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 2)
        let user = Result { () throws(WorkError) in try WorkerUser.find(user) }
        let command = WorkerCommand(
            executable: executable, limits: limits, user: user, requiresLandlock: requiresLandlock,
            arguments: ["--program=\(installation?.program ?? "")"], tool: "LibreOffice")
        self.installation = installation
        let standby = max(standby ?? processors, 0)
        processes = ProcessPool(
            ProcessPool<StandbyProcess>.Engine(
                command: command, name: "the converter", concurrent: standby > 0 ? standby : processors,
                idleCount: installation?.isUseful == true ? standby : 0, idleTime: .seconds(max(idleSeconds, 1)),
                scratch: ConversionScratch(prefix: "printq-office-", parent: scratch, user: (try? user.get()) ?? nil)))
    }

    /// The reason why the pool cannot convert any Office document; nil if the pool can convert Office documents.
    ///
    /// If LibreOffice is missing, the message names its Debian packages.
    public var unavailability: WorkError? {
        if let missingProgram { return missingProgram }
        guard let installation, installation.isUseful else { return .officeMissing() }
        return command.unavailability
    }

    /// Returns a function that returns the reason why documents of a type cannot be converted; nil if the pool can
    /// convert documents of this type.
    ///
    /// If LibreOffice's program for this type is missing, the message names the Debian package.
    @Sendable package func check() -> (DocumentType) -> WorkError? {
        let (missing, unavailability, installation) = (missingProgram, command.unavailability, installation)
        return { type in
            if let missing { return missing }
            guard let installation, installation.canConvert(type) else { return .officeMissing(for: type) }
            return unavailability
        }
    }

    /// The error for an installation without `print-office`; nil if the program exists.
    ///
    /// A separate Debian package contains `print-office`, because the program requires LibreOffice.
    private var missingProgram: WorkError? {
        guard access(command.executable, F_OK) != 0 else { return nil }
        return WorkError(
            .unsupportedFormat,
            "converting Office documents requires LibreOffice and '\(command.executable)'; "
                + "run 'apt install printq-office', or save the document as PDF")
    }

    // MARK: - Lifetime

    /// Keeps idle processes ready for further documents, until the task is canceled or `shutdown()` is called.
    ///
    /// The idle processes start with the first Office document or with `warmUp()`.
    ///
    /// The function returns after all processes have ended and their folders are removed. After a cancellation or a
    /// call of `shutdown()`, conversions in progress fail with `canceled`. The caller must call this method only once.
    public func run() async { await processes.run() }

    /// Ends `run()`.
    ///
    /// The pool then refuses new documents.
    public func shutdown() { processes.shutdown() }

    /// Starts the idle processes.
    ///
    /// A client calls this function if an Office document will probably be printed soon.
    public func warmUp() { processes.warmUp() }

    /// Changes the resource limits for subsequent documents.
    public func setLimits(_ limits: WorkerLimits) { processes.setLimits(limits) }

    // MARK: - Conversion

    /// Converts an Office document into a PDF.
    ///
    /// The notices of the result name the substituted fonts.
    ///
    /// - Throws: `unsupportedFormat` if LibreOffice is not installed; `documentMissing`, `damaged` or
    ///   `passwordRequired` if the document cannot be read; an error for an exceeded limit; `workerCrashed`;
    ///   `writeFailed`; `canceled`.
    public func convert(_ request: ConvertRequest) async throws(WorkError) -> ConvertedDocument {
        if let unavailability = check()(request.type) { throw unavailability }
        try Self.checkSize(of: request)
        let line = try await processes.perform(.convert(request)) {
            (usesIdle, time) async throws(WorkError) -> (Worker.Outcome, Bool) in
            UnfinishedFiles.remove(of: [request.output])
            let process: StandbyProcess
            if usesIdle, let idle = try processes.take() { process = idle } else { process = try processes.make() }
            processes.refill()
            defer { process.place.remove() }
            return (try await convert(request, in: time, with: process), process.isOwned)
        }
        guard case .converted(let document) = line else { throw WorkerPool.mismatch }
        return document
    }

    /// Converts the document in the folder of a process.
    private func convert(
        _ request: ConvertRequest, in time: WorkTime, with process: StandbyProcess
    ) async throws(WorkError) -> Worker.Outcome {
        let place = process.place
        let inside: ConvertRequest
        do throws(WorkError) {
            inside = try await DedicatedThread.run { () throws(WorkError) in try place.accept(request) }
        } catch {
            process.worker.dismiss()
            throw error
        }
        let outcome = await ProcessPool<StandbyProcess>.serve(
            .convert(inside), in: time, by: process.worker, isOwned: process.isOwned)
        if case .answered(.converted) = outcome {
            let limit = command.limits.outputBytes
            try await DedicatedThread.run { () throws(WorkError) in
                try place.deliver(to: request.output, limit: limit)
            }
        }
        return outcome
    }

    /// The maximum size of a document in bytes.
    ///
    /// The limit exists because each document is copied.
    private static let mostBytes = 256 << 20

    private static func checkSize(of request: ConvertRequest) throws(WorkError) {
        guard try DocumentReader(request.document).size <= mostBytes else {
            throw WorkError(
                .documentTooLarge,
                "the \(request.type.name) is larger than \(mostBytes >> 20) MiB; print the document in parts, or as PDF"
            )
        }
    }
}
