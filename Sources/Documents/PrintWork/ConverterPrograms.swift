// Converts documents with separate programs: Ghostscript, and programs that administrators register.

import AsyncPrimitives
import DocumentFiles
import Glibc
public import PrintModel
public import ProcessPools
import Synchronization

/// A converter of documents that runs a program in a sandbox, through `print-launcher`.
///
///     let programs = ConverterPrograms(executable: "/usr/libexec/printq/print-launcher")
///     let document = try await programs.convert(request)     // request.type.converter is .postScript or .program
///
/// Ghostscript takes 0.1 seconds to start. Therefore, while `run()` is active, a Ghostscript process waits in its
/// sandbox for the next PostScript document (`ProcessPool`). The process starts after the first PostScript document,
/// and ends after some minutes without PostScript documents.
///
/// Each conversion has a separate process. `print-launcher` applies the sandbox of the workers to this process, and
/// then executes the program in the same process. The program can read the document and system files. The program can
/// write only to a scratch folder next to the output file. A process that was started in advance has a private folder
/// in `TMPDIR` or `/tmp` instead.
///
/// After the conversion, an error or a cancellation, the converter kills the process group and removes the scratch
/// folder.
public final class ConverterPrograms: Sendable {
    private let processes: ProcessPool<StandbyProcess>
    private let requiresLandlock: Bool

    /// The number of page sizes for which Ghostscript processes wait.
    ///
    /// A Ghostscript process receives the page size at its start.
    private static let mostPageSizes = 2
    /// The maximum time in seconds for which a Ghostscript process waits for a document.
    ///
    /// The timer of the launcher starts with the process, and must not end a conversion too early.
    private static let longestWait = 600
    /// The maximum size, in bytes, of a document that a waiting Ghostscript process converts.
    ///
    /// The document is copied to the private folder of the process. Copying a larger document takes about as long as
    /// starting Ghostscript.
    private static let mostCopiedBytes = 32 << 20

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
    ///   - standby: The number of Ghostscript processes that wait for a document, for each of the two most recent page
    ///     sizes.
    ///   - idleSeconds: The time in seconds without PostScript documents after which the waiting processes end.
    ///   - user: The user name for programs when this process runs as root. Nil means `printq` if that user exists,
    ///     otherwise `nobody`.
    ///   - requiresLandlock: Whether documents are refused (`sandboxIncomplete`) if the kernel does not support
    ///     Landlock.
    ///   - scratch: The parent of the scratch folder, which contains the private folders of waiting processes. The user
    ///     of the processes must have search permission for the parent. Nil means `TMPDIR` or `/tmp`; for root, `/tmp`.
    public init(
        executable: String, limits: WorkerLimits = WorkerLimits(), concurrent: Int? = nil, standby: Int = 1,
        idleSeconds: Int = 300, user: String? = nil, requiresLandlock: Bool = false, scratch: String? = nil
    ) {
        let user = Result { () throws(WorkError) in try WorkerUser.find(user) }
        self.requiresLandlock = requiresLandlock
        // The private folders of all processes have the same parent and the same group. Without Landlock, new processes
        // convert the documents, which they reach by a descriptor.
        let command = WorkerCommand(
            executable: executable, limits: limits, user: user, requiresLandlock: true, executesProgram: true,
            startLine: ConverterProgram.startLine, waitSeconds: Self.longestWait)
        processes = ProcessPool(
            ProcessPool<StandbyProcess>.Engine(
                command: command, name: "the launcher", concurrent: concurrent, idleCount: max(standby, 0),
                variants: Self.mostPageSizes, idleTime: .seconds(max(idleSeconds, 1)),
                longestWait: .seconds(Self.longestWait),
                scratch: ConversionScratch(
                    prefix: "printq-programs-", parent: scratch, user: (try? user.get()) ?? nil)
            ) { place, limits in
                { process in place.work.exceeds(limits.outputBytes, process: process) ? .outOfSpace : nil }
            })
    }

    /// The command of a process that converts its document immediately.
    private var command: WorkerCommand {
        var command = processes.command
        (command.requiresLandlock, command.startLine, command.waitSeconds) = (requiresLandlock, nil, 0)
        return command
    }

    /// Keeps Ghostscript processes ready for PostScript documents, until the task is canceled or `shutdown()` is
    /// called.
    ///
    /// The function returns after all waiting processes have ended and their folders are removed. After a cancellation
    /// or a call of `shutdown()`, conversions by processes that were started in advance fail with `canceled`. The caller
    /// must call this method only once.
    public func run() async { await processes.run() }

    /// Ends `run()`.
    ///
    /// New documents are then refused.
    public func shutdown() { processes.shutdown() }

    /// Changes the resource limits for subsequent conversions.
    public func setLimits(_ limits: WorkerLimits) { processes.setLimits(limits) }

    /// Returns the reason why a converter cannot convert documents on this machine; nil if the converter is usable.
    ///
    /// The error names the missing program. For Ghostscript, the error also names the Debian package.
    public func unavailability(for converter: DocumentConverter) -> WorkError? {
        if let unavailability = command.unavailability { return unavailability }
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
                "PostScript requires Ghostscript, which is not installed; "
                    + "run 'apt install ghostscript' or, in a checkout, 'scripts/setup documents'",
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
        let command = command
        let line = try await processes.perform(.probe) {
            (_, time) async throws(WorkError) -> (Worker.Outcome, Bool) in
            (
                await ProcessPool<StandbyProcess>.serve(.probe, in: time, by: Worker(command: command), isOwned: false),
                false
            )
        }
        guard case .locked(let protections) = line else { throw WorkerPool.mismatch }
        return protections
    }

    /// Converts a document into a PDF with the program for the document's type.
    ///
    /// - Throws: `damaged` with the last message of a program that refuses the document; `noPages` for PostScript
    ///   without pages; an error for an exceeded limit; `unsupportedFormat` if the program is not installed;
    ///   `workerUnavailable` if the launcher cannot start, or after `shutdown()`; `canceled`.
    public func convert(_ request: ConvertRequest) async throws(WorkError) -> ConvertedDocument {
        let whole = WorkerRequest.convert(request).forWorker
        // The start of the next process would slow down this conversion.
        defer { if request.type.converter == .postScript { processes.refill() } }
        let line = try await processes.perform(whole) {
            (usesIdle, time) async throws(WorkError) -> (Worker.Outcome, Bool) in
            if let unavailability = unavailability(for: request.type.converter) { throw unavailability }
            whole.removeUnfinished()
            if usesIdle, let outcome = try await convertWaiting(request, in: time) { return (outcome, true) }
            return (try await convert(whole, with: request.type.converter, in: time), false)
        }
        guard case .converted(let document) = line else { throw WorkerPool.mismatch }
        return document
    }

    /// Converts a document in a new process.
    private func convert(
        _ request: WorkerRequest, with converter: DocumentConverter, in time: WorkTime
    ) async throws(WorkError) -> Worker.Outcome {
        let output = request.output?.file ?? ""
        let scratch = try ConversionFolder(besides: output)
        defer { scratch.remove() }
        var inner = request
        inner.files.output = WorkerFiles.Output(file: scratch.output)
        let limits = command.limits
        let worker = Worker(command: command) { process in
            scratch.exceeds(limits.outputBytes, process: process) ? .outOfSpace : nil
        }
        let outcome = await ProcessPool<StandbyProcess>.serve(inner, in: time, by: worker, isOwned: false)
        switch outcome {
        case .answered(.converted):
            try Self.deliver(scratch, to: output, by: converter, limits)
        case .failed(let error) where error.code == .canceled: break
        // The words of a program do not prove a full disk, because a document can choose them.
        default: if scratch.isDiskFull { throw ConversionFolder.diskFull }
        }
        return outcome
    }

    /// Converts a PostScript document with a Ghostscript process that was started in advance.
    ///
    /// Returns nil if a new process must convert the document: no process is waiting, the waiting process died
    /// before it opened the document, or the document cannot be copied.
    private func convertWaiting(
        _ request: ConvertRequest, in time: WorkTime
    ) async throws(WorkError) -> Worker.Outcome? {
        guard request.type.converter == .postScript, Self.canWait(request.document) else { return nil }
        let page = ConverterProgram.postScriptPage(request.layout.pageSize)
        guard let process = try processes.take(["--page-size=\(Int(page.width))x\(Int(page.height))"]) else {
            return nil
        }
        let place = process.place
        defer { place.remove() }
        do throws(WorkError) {
            let path = request.document.path
            try await DedicatedThread.run { () throws(WorkError) in
                try place.copyDocument(path, to: "\(place.folder)/\(ConverterProgram.waitingInput)")
            }
        } catch {
            process.worker.dismiss()
            return nil
        }
        let outcome = await process.worker.serve(.convert(request), in: time)
        switch outcome {
        case .answered(.converted):
            try Self.deliver(place.work, to: request.output, by: .postScript, process.worker.limits)
        case .neverBegan, .answered:
            if Task.isCancelled { throw Self.canceled }
            return nil
        case .failed(let error), .killed(let error):
            // The disk of the output can have free space.
            if error.code != .canceled, place.work.isDiskFull { return nil }
        }
        return outcome
    }

    private static let canceled = WorkError(.canceled, "the conversion of the document was canceled")

    /// Moves the PDF of a program that has ended to its final path.
    private static func deliver(
        _ folder: ConversionFolder, to output: String, by converter: DocumentConverter, _ limits: WorkerLimits
    ) throws(WorkError) {
        if Task.isCancelled { throw canceled }
        guard try !folder.moveOutput(to: output, limit: limits.outputBytes) else { return }
        throw ProgramTermination(converter: converter, limits: limits, status: .exited(0), output: "").missingOutput
    }

    /// Returns whether a waiting Ghostscript process can convert a document.
    ///
    /// The document must be a small file, but not an EPS file.
    private static func canWait(_ document: InputDocument) -> Bool {
        guard let file = try? DocumentReader(document), file.size <= mostCopiedBytes,
            let head = try? file.bytes(count: 1024)
        else { return false }
        return !ConverterProgram.isEncapsulated(head: head)
    }
}

extension ScratchPlace {
    fileprivate var work: ConversionFolder { ConversionFolder(existing: "\(folder)/work") }
}
