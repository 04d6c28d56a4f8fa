// Converts Office documents with LibreOffice, in processes that are started in advance.

import FoundationEssentials
import Glibc
public import PrintModel
import Synchronization

/// A converter of Office documents to PDF that uses a separate LibreOffice process for each document.
///
/// LibreOffice takes one to two seconds to start. Therefore processes are started in advance, each in a private folder
/// and in its sandbox, and wait for a document. A process converts one document and ends, so that no document affects
/// another. Users who print no Office documents have no LibreOffice process: the first document, or `warmUp()`, starts
/// the processes, and they end when no document has arrived for some minutes.
///
///     let pool = OfficePool(executable: "/usr/libexec/printq/print-office")
///     async let life: Void = pool.run()
///     let pdf = try await pool.convert(request)
///     pool.shutdown()
///
/// Without a call of `run()`, the pool starts a process for each document. Canceling the task of a conversion kills its
/// process group.
public final class OfficePool: Sendable {
    /// A waiting process and its private folder.
    private struct Standby: Sendable {
        let worker: Worker
        let place: OfficeScratchPlace
    }

    private struct State {
        enum Phase {
            /// `run()` was not called.
            case cold
            /// `run()` is active and owns the processes that are sent to the stream.
            case running(AsyncStream<Standby>.Continuation)
            /// The pool is shut down permanently.
            case stopped
        }
        var phase = Phase.cold
        var waiting: [Standby] = []
        /// The processes that conversions have taken from the waiting ones, and that have not ended.
        var taken: Set<ObjectIdentifier> = []
        /// The number of calls of `convert` and `warmUp`.
        var uses = 0
    }

    /// The default limits.
    ///
    /// LibreOffice reserves 600 MB of address space for a document of one page. The time to start LibreOffice counts as
    /// processor time.
    public static let usualLimits = WorkerLimits(
        memoryBytes: 2 << 30, processorSeconds: 120, wallSeconds: 120, outputBytes: 1 << 30)

    private let command: WorkerCommand
    private let installation: OfficeInstallation?
    private let standby: Int
    private let idleSeconds: Int
    private let queue: WorkQueue
    private let scratch: OfficeScratch
    private let state = Mutex(State())

    /// Creates a pool.
    ///
    /// The initializer ignores `SIGPIPE` in this process, as `WorkerPool` does.
    ///
    /// - Parameters:
    ///   - executable: The path of `print-office`.
    ///   - limits: The resource limits for each document. The wall-clock time starts when the conversion starts.
    ///   - standby: The number of processes to keep waiting, and of documents that are converted at the same time; a
    ///     further place is reserved for small documents. Nil means the number of processors, but at least 2. With 0,
    ///     each document starts its own process.
    ///   - idleSeconds: The time without documents after which the waiting processes end.
    ///   - user: The user name for the processes when this process runs as root, as for `WorkerPool`.
    ///   - requiresLandlock: Whether documents are refused (`sandboxIncomplete`) if the kernel does not support
    ///     Landlock.
    ///   - installation: The installation of LibreOffice; nil if LibreOffice is not installed.
    ///   - scratch: The folder for the private folders of processes; the user of the processes must be able to enter it.
    ///     Nil means `TMPDIR` or `/tmp`; for root, `/tmp`.
    public init(
        executable: String, limits: WorkerLimits = OfficePool.usualLimits, standby: Int? = nil, idleSeconds: Int = 300,
        user: String? = nil, requiresLandlock: Bool = false,
        installation: OfficeInstallation? = OfficeInstallation.find(),
        scratch: String? = nil
    ) {
        let processors = max(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 2)
        let user = Result { () throws(WorkError) in try WorkerUser.find(user) }
        command = WorkerCommand(
            executable: executable, limits: limits, user: user, requiresLandlock: requiresLandlock,
            arguments: ["--program=\(installation?.program ?? "")"], tool: "LibreOffice")
        self.installation = installation
        self.standby = max(standby ?? processors, 0)
        self.idleSeconds = max(idleSeconds, 1)
        queue = WorkQueue(places: self.standby > 0 ? self.standby : processors)
        self.scratch = OfficeScratch(parent: scratch ?? OfficeScratch.usualParent, user: (try? user.get()) ?? nil)
        signal(SIGPIPE, SIG_IGN)
    }

    /// The reason why no Office document can be converted; nil if LibreOffice is installed.
    ///
    /// The message names the Debian packages of LibreOffice.
    public var obstacle: WorkError? {
        guard let installation, installation.isUseful else { return .officeMissing() }
        return command.obstacle
    }

    /// Returns the reason why documents of a type cannot be converted; nil if LibreOffice's program for this type is
    /// installed.
    ///
    /// The message names the Debian package.
    public func obstacle(for type: DocumentType) -> WorkError? {
        guard let installation, installation.canConvert(type) else { return .officeMissing(for: type) }
        return command.obstacle
    }

    // MARK: - Lifetime

    /// Keeps processes waiting, once an Office document was printed, until the task is canceled or `shutdown()` is
    /// called.
    ///
    /// All processes have ended, and their folders are removed, when this function returns. Conversions that are in
    /// progress at that time fail with `canceled`. Call this method only once.
    public func run() async {
        let (processes, entry) = AsyncStream<Standby>.makeStream()
        let begins = state.withLock { state in
            guard case .cold = state.phase else { return false }
            state.phase = .running(entry)
            return true
        }
        guard begins else { return }
        scratch.removeOrphans()
        if state.withLock({ $0.uses > 0 }) { refill() }
        await withDiscardingTaskGroup { group in
            group.addTask { await self.endIdleProcesses() }
            for await process in processes {
                group.addTask {
                    await process.worker.live()
                    // A conversion removes the folder of a process that it has taken.
                    if !self.forget(process) { process.place.remove() }
                }
            }
            self.shutdown()
            group.cancelAll()
        }
        scratch.removeAll()
    }

    /// Ends `run()`.
    ///
    /// New documents are refused.
    public func shutdown() {
        let (entry, waiting) = state.withLock { state in
            defer {
                state.phase = .stopped
                state.waiting = []
            }
            guard case .running(let entry) = state.phase else {
                return (nil as AsyncStream<Standby>.Continuation?, state.waiting)
            }
            return (entry, state.waiting)
        }
        for process in waiting { process.worker.dismiss() }
        entry?.finish()
    }

    /// Starts the waiting processes, because an Office document will probably be printed soon.
    public func warmUp() {
        state.withLock { $0.uses += 1 }
        refill()
    }

    /// Ends the waiting processes after each period without documents.
    private func endIdleProcesses() async {
        var known = state.withLock(\.uses)
        while (try? await Task.sleep(for: .seconds(idleSeconds))) != nil {
            let idle: [Standby] = state.withLock { state in
                guard state.uses == known else {
                    known = state.uses
                    return []
                }
                defer { state.waiting = [] }
                return state.waiting
            }
            for process in idle { process.worker.dismiss() }
        }
    }

    // MARK: - Conversion

    /// Converts an Office document into a PDF.
    ///
    /// The notices of the result name the fonts that were substituted.
    ///
    /// - Throws: `unsupportedFormat` when LibreOffice is not installed; `documentMissing`, `damaged` or
    ///   `passwordRequired` when the document cannot be read; the errors of exceeded limits; `workerCrashed`;
    ///   `writeFailed`; `canceled`.
    public func convert(_ request: ConvertRequest) async throws(WorkError) -> ConvertedDocument {
        if let obstacle = obstacle(for: request.type) { throw obstacle }
        try Self.checkContent(of: request)
        let place: Int
        do { place = try await queue.enter(.convert(request)) } catch { throw Self.canceledBefore }
        defer { queue.leave(place) }
        if Task.isCancelled { throw Self.canceledBefore }
        WorkerRequest.convert(request).removeUnfinished()
        // A waiting process may have died. If another process killed the worker, the document is tried once more.
        var waiting = try takeWaiting()
        var wasKilled = false
        while true {
            let isFresh = waiting == nil
            switch try await convert(request, with: waiting.take()) {
            case .converted(let document): return document
            case .neverBegan(let reason) where isFresh: throw notStarted(reason)
            case .killed(let error) where wasKilled: throw error
            case .killed: wasKilled = true
            case .neverBegan: continue
            }
        }
    }

    private enum Attempt {
        case converted(ConvertedDocument)
        case neverBegan(String)
        case killed(WorkError)
    }

    /// Converts the document with a waiting process, or with a new process, and removes the folder of the process.
    private func convert(_ request: ConvertRequest, with waiting: Standby?) async throws(WorkError) -> Attempt {
        let process: Standby
        if let waiting { process = waiting } else { process = try makeProcess() }
        defer { process.place.remove() }
        let place = process.place
        let inside: WorkerRequest
        do throws(WorkError) {
            inside = .convert(try await DedicatedThread.run { () throws(WorkError) in try place.accept(request) })
        } catch {
            process.worker.dismiss()
            throw error
        }
        let outcome = await serve(inside, by: process.worker, isWaiting: waiting != nil)
        switch outcome {
        case .answered(.converted(let document)):
            let limit = command.limits.outputBytes
            try await DedicatedThread.run { () throws(WorkError) in
                try place.deliver(to: request.output, limit: limit)
            }
            return .converted(document)
        case .answered(.failed(let error)), .failed(let error): throw error
        case .answered:
            throw WorkError(
                .workerCrashed, "the worker answered a different request; the document may be malicious")
        case .killed(let error): return .killed(error)
        case .neverBegan(let reason): return .neverBegan(reason)
        }
    }

    /// Sends a request to a waiting worker, or to a worker that is started.
    private func serve(_ request: WorkerRequest, by worker: Worker, isWaiting: Bool) async -> Worker.Outcome {
        if isWaiting { return await worker.serve(request) { _ in } }
        async let life: Void = worker.live()
        let outcome = await worker.serve(request) { _ in }
        await life
        return outcome
    }

    /// The maximum size of a document in bytes, because each document is copied.
    private static let mostBytes = 256 << 20

    /// Checks the size and the first bytes of a document, so that no process is used for a file of another type.
    private static func checkContent(of request: ConvertRequest) throws(WorkError) {
        let file = try OfficeScratchPlace.openDocument(request.document.path)
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_size <= Self.mostBytes else {
            throw WorkError(
                .outputTooLarge,
                "the \(request.type.name) is larger than \(Self.mostBytes >> 20) MiB; print the document in parts, or as PDF"
            )
        }
        var head = [UInt8](repeating: 0, count: 1024)
        let count = max(read(file, &head, head.count), 0)
        switch DocumentContent(head: head.prefix(count)) {
        case .zip, .compoundFile: return
        case .format(let format) where format == DocumentFormat(rawValue: "application/rtf"): return
        case .format, .text, .unknown:
            let name = request.document.name ?? request.document.path.split(separator: "/").last.map(String.init) ?? ""
            throw WorkError(
                .damaged,
                "'\(name)' is damaged, or its type is not \(request.type.name); open the document in its application "
                    + "and save a new copy")
        }
    }

    private func notStarted(_ reason: String) -> WorkError {
        WorkError(
            .workerUnavailable, "the converter '\(command.executable)' does not start; run 'printq doctor'",
            detail: reason)
    }

    private static let canceledBefore = WorkError(
        .canceled, "the conversion of the document was canceled before it started")

    // MARK: - Waiting processes

    private func takeWaiting() throws(WorkError) -> Standby? {
        let (process, stopped) = state.withLock { state in
            state.uses += 1
            if case .stopped = state.phase { return (nil as Standby?, true) }
            guard !state.waiting.isEmpty else { return (nil, false) }
            let process = state.waiting.removeFirst()
            state.taken.insert(ObjectIdentifier(process.worker))
            return (process, false)
        }
        if stopped {
            throw WorkError(.workerUnavailable, "no more documents are accepted: the program is shutting down")
        }
        refill()
        return process
    }

    private func makeProcess() throws(WorkError) -> Standby {
        let place = try scratch.makePlace()
        var command = command
        command.arguments.append("--place=\(place.folder)")
        return Standby(worker: Worker(command: command), place: place)
    }

    /// Starts the missing processes.
    ///
    /// Only documents and `warmUp()` call this method, so that a program that cannot start is not started repeatedly.
    private func refill() {
        guard obstacle == nil else { return }
        while state.withLock({ state in
            guard case .running = state.phase else { return false }
            return state.waiting.count < standby
        }) {
            // Without a folder, no process can wait; the next document reports the reason.
            guard let process = try? makeProcess() else { return }
            let isNeeded = state.withLock { state in
                guard case .running(let entry) = state.phase, state.waiting.count < standby else { return false }
                state.waiting.append(process)
                entry.yield(process)
                return true
            }
            if !isNeeded { process.place.remove() }
        }
    }

    /// Removes a process that has ended.
    ///
    /// Returns whether a conversion has taken it.
    private func forget(_ process: Standby) -> Bool {
        state.withLock { state in
            state.waiting.removeAll { $0.worker === process.worker }
            return state.taken.remove(ObjectIdentifier(process.worker)) != nil
        }
    }
}
