// Converts documents with separate programs: Ghostscript, and programs that administrators register.

import Glibc
public import PrintModel
import Synchronization

/// A converter of documents that runs a program in a sandbox, through `print-launcher`.
///
///     let programs = ConverterPrograms(executable: "/usr/libexec/printq/print-launcher")
///     let document = try await programs.convert(request)     // request.type.converter is .postScript or .program
///
/// Each conversion has a separate process. `print-launcher` applies the sandbox of the workers to this process, and
/// then executes the program in the same process. The program can read the document and system files. The program can
/// write only to a scratch folder next to the output file.
///
/// After the conversion, an error or a cancellation, the converter kills the process group and removes the scratch
/// folder.
public final class ConverterPrograms: Sendable {
    private let currentCommand: Mutex<WorkerCommand>
    private var command: WorkerCommand { currentCommand.withLock { $0 } }
    private let queue: WorkQueue

    /// Creates a converter.
    ///
    /// The initializer ignores `SIGPIPE` in this process, as `WorkerPool` does.
    ///
    /// - Parameters:
    ///   - executable: The path of `print-launcher`.
    ///   - limits: The resource limits for each conversion. `outputBytes` limits all files of the program together.
    ///   - concurrent: The number of conversions that run at the same time. Further conversions wait. The queue
    ///     alternates between printers, and then between the owners of documents (`WorkOrigin`). Nil means the number
    ///     of processors, but at least 2.
    ///   - user: The user name for programs when this process runs as root. Nil means `printq` if that user exists,
    ///     otherwise `nobody`.
    ///   - requiresLandlock: Whether documents are refused (`sandboxIncomplete`) if the kernel does not support
    ///     Landlock.
    public init(
        executable: String, limits: WorkerLimits = WorkerLimits(), concurrent: Int? = nil, user: String? = nil,
        requiresLandlock: Bool = false
    ) {
        currentCommand = Mutex(
            WorkerCommand(
                executable: executable, limits: limits,
                user: Result { () throws(WorkError) in try WorkerUser.find(user) }, requiresLandlock: requiresLandlock,
                executesProgram: true))
        queue = WorkQueue(places: max(concurrent ?? max(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 2), 1))
        signal(SIGPIPE, SIG_IGN)
    }

    /// Changes the resource limits for subsequent conversions.
    public func setLimits(_ limits: WorkerLimits) { currentCommand.withLock { $0.limits = limits } }

    /// Returns the reason why a converter cannot convert documents on this machine; nil if the converter is usable.
    ///
    /// The error names the missing program. For Ghostscript, the error also names the Debian package.
    public func obstacle(for converter: DocumentConverter) -> WorkError? {
        if let obstacle = command.obstacle { return obstacle }
        return Self.missingProgram(of: converter, at: converter.programPath)
    }

    /// Returns the error for a program that is missing or not executable; nil if the program can be executed.
    static func missingProgram(of converter: DocumentConverter, at path: String?) -> WorkError? {
        guard let path else {
            return WorkError(.workerUnavailable, "no separate program converts documents of this type")
        }
        guard access(path, X_OK) != 0 else { return nil }
        let detail = "\(path): \(String(cString: strerror(errno)))"
        if converter == .postScript {
            return WorkError(
                .unsupportedFormat,
                "PostScript requires Ghostscript, which is not installed; run 'apt install ghostscript'",
                detail: detail)
        }
        return WorkError(
            .unsupportedFormat,
            "the converter '\(converter.programName)' is missing: there is no executable file '\(path)'; "
                + "install the program, or correct its path in the spool's folder 'types'",
            detail: detail)
    }

    /// Starts the launcher to test the sandbox, and returns the protections of the sandbox.
    public func probe() async throws(WorkError) -> WorkerProtections {
        if let obstacle = command.obstacle { throw obstacle }
        guard case .locked(let protections) = try await answer(to: .probe, inspection: { _ in nil }) else {
            throw WorkerPool.mismatch
        }
        return protections
    }

    /// Converts a document into a PDF with the program for the document's type.
    ///
    /// - Throws: `damaged` with the last message of a program that refuses the document; `noPages` for PostScript
    ///   without pages; an error for an exceeded limit; `workerUnavailable` if the program is not installed.
    public func convert(_ request: ConvertRequest) async throws(WorkError) -> ConvertedDocument {
        let place: Int
        do { place = try await queue.enter(.convert(request)) } catch {
            throw WorkError(.canceled, "the conversion of the document was canceled before it started")
        }
        defer { queue.leave(place) }
        if Task.isCancelled {
            throw WorkError(.canceled, "the conversion of the document was canceled before it started")
        }
        if let obstacle = obstacle(for: request.type.converter) { throw obstacle }
        let whole = WorkerRequest.convert(request).forWorker
        guard case .convert(var inner) = whole else { throw WorkerPool.mismatch }
        let output = inner.output
        whole.removeUnfinished()
        let scratch = try ConversionFolder(besides: output)
        defer { scratch.remove() }
        inner.output = scratch.output
        let limit = command.limits.outputBytes
        let line: WorkerLine
        do throws(WorkError) {
            line = try await answer(to: .convert(inner)) { process in
                scratch.exceeds(limit, process: process) ? .outOfSpace : nil
            }
        } catch {
            // The words of a program do not prove a full disk, because a document can choose them.
            if error.code != .canceled, scratch.isDiskFull { throw ConversionFolder.diskFull }
            throw error
        }
        guard case .converted(let document) = line else { throw WorkerPool.mismatch }
        if Task.isCancelled { throw WorkError(.canceled, "converting the document was canceled") }
        guard try scratch.moveOutput(to: output, limit: limit) else {
            throw ProgramTermination(
                converter: request.type.converter, limits: command.limits, status: .exited(0), output: ""
            ).missingOutput
        }
        return document
    }

    /// Handles a request in a new process.
    private func answer(
        to request: WorkerRequest, inspection: @escaping @Sendable (pid_t) -> WorkerStop?
    ) async throws(WorkError) -> WorkerLine {
        let worker = Worker(command: command, inspection: inspection)
        async let life: Void = worker.live()
        let outcome = await worker.serve(request) { _ in }
        await life
        switch outcome {
        case .answered(.failed(let error)), .failed(let error), .killed(let error): throw error
        case .answered(let line): return line
        case .neverBegan(let reason):
            throw WorkError(
                .workerUnavailable, "the launcher '\(command.executable)' does not start; run 'printq doctor'",
                detail: reason)
        }
    }
}
