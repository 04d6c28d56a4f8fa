// Lays out HTML over pages.

import AsyncPrimitives
import Dispatch
import FoundationEssentials
import Glibc
public import PrintModel
import ProcessPools
import SafeFiles
import Synchronization

/// An engine that lays out HTML with WeasyPrint, in reusable processes with resource limits.
///
///     let pages = try HTMLEngine.shared.layOut("<h1>Hello</h1>", pageSize: Size(width: 468, height: 648))
///     pages.pageCount     // 1
///
/// The functions that are not asynchronous block the calling thread, like the formatters of UIKit
/// (`UIPrintFormatter.pageCount`). Any thread can call the functions.
///
/// `scripts/setup documents` creates the required Python environment. The engine searches for this environment in
/// `PRINTQ_HTML_ENGINE`. If the variable is not set, the engine searches in `printq/html-engine` below `XDG_DATA_HOME`
/// (`~/.local/share`) and each folder in `XDG_DATA_DIRS` (`/usr/local/share`, `/usr/share`).
public final class HTMLEngine: Sendable {
    /// The HTML engine of the program's formatters and web views.
    ///
    /// A program that prints much HTML chooses the number of processes when it starts:
    ///
    ///     HTMLEngine.shared = HTMLEngine(concurrent: 8)
    ///
    /// Layouts that have started continue with their engine.
    public static var shared: HTMLEngine {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    private static let current = Mutex(HTMLEngine())

    let processes: ProcessPool<HTMLWorker>
    /// The resource limits for documents that `convert` converts.
    var limits: HTMLLimits { processes.command.limits }

    /// The thread of the tasks that serve callers which cannot wait asynchronously.
    ///
    /// The callers may block all threads that Swift's tasks share.
    private static let thread = BlockingThreads()

    /// Creates an engine.
    ///
    /// - Parameters:
    ///   - folder: The folder of the Python environment. If nil, the engine searches for the folder.
    ///   - concurrent: The number of documents that are laid out or converted concurrently, at least 1. Further
    ///     documents wait. One document of at most 1 MiB can be converted in addition. Nil for the number of
    ///     processors, but at least 2.
    ///   - warm: The number of idle processes to keep for the next documents. Each process needs 70 MB. Nil for the
    ///     number of concurrent documents.
    ///   - idleSeconds: The time in seconds after which an idle process ends.
    ///   - limits: The resource limits for `convert`.
    ///   - user: The user of the conversion processes if this process runs as root. Nil means `printq` if that user
    ///     exists, otherwise `nobody`.
    ///   - requiresLandlock: Whether documents are refused (`sandboxIncomplete`) if the kernel does not support
    ///     Landlock. `layOut` is not affected.
    public init(
        folder: String? = nil, concurrent: Int? = nil, warm: Int? = nil, idleSeconds: Int = 300,
        limits: HTMLLimits = HTMLLimits(), user: String? = nil, requiresLandlock: Bool = false
    ) {
        let concurrent = max(concurrent ?? max(ProcessInfo.processInfo.activeProcessorCount, 2), 1)
        processes = ProcessPool(
            ProcessPool<HTMLWorker>.Engine(
                command: HTMLWorker.Command(
                    folder: folder, limits: limits, user: user, requiresLandlock: requiresLandlock),
                name: "the HTML engine", concurrent: concurrent, idleCount: max(warm ?? concurrent, 0),
                idleTime: .seconds(max(idleSeconds, 1))))
    }

    /// The folder of the Python environment; nil if the engine is not installed.
    ///
    /// Each access searches for the folder again.
    public var installation: String? { processes.command.folder ?? HTMLEngineFolder.find() }

    /// The reason why the engine cannot convert documents; nil if the engine is installed and the user of the engine
    /// processes can read the engine's files.
    public var unavailability: WorkError? {
        guard let engine = installation else { return .htmlEngineMissing }
        do throws(WorkError) {
            guard let user = try WorkerUser.find(processes.command.user), !HTMLEngineFolder.isReadable(engine, by: user)
            else {
                return nil
            }
            return .htmlEngineUnreadable(engine, by: user)
        } catch {
            return error
        }
    }

    /// Changes the resource limits for subsequent calls of `convert`.
    package func setLimits(_ limits: HTMLLimits) { processes.currentCommand.withLock { $0.limits = limits } }

    /// Lays out a document on as many pages as the content requires.
    ///
    /// The pages have exactly the given size. The engine ignores `@page` sizes, margins and margin boxes of the
    /// document. The engine supports page breaks, widows, orphans, named pages, counters and footnotes. The engine
    /// loads resources from the document (`data:`), from the base folder and, if allowed, from the network. Other
    /// resources are omitted, with a notice.
    ///
    /// - Parameters:
    ///   - html: A document or a fragment.
    ///   - baseFolder: The base folder of relative references. Only files below this folder can be read. Nil for no
    ///     file access.
    ///   - firstPageSize: The size of the first page in points. Nil if the first page has the same size as the other
    ///     pages.
    ///   - pageSize: The size of all other pages in points.
    ///   - allowsNetwork: Whether `http:` and `https:` resources are fetched, within the limits.
    ///   - allowsPrivateNetworks: Whether resources are also fetched from private networks and from this machine. The
    ///     engine checks the IP address of each connection.
    ///   - limits: The resource limits.
    /// - Throws: `workerUnavailable` if the engine is not installed; `documentMissing` if the base folder does not
    ///   exist; `noPages` if the page size is too small; `timeExceeded`, `processorTimeExceeded`, `memoryExceeded` or
    ///   `outputTooLarge` if a limit is exceeded; `damaged` if the HTML cannot be laid out; `workerCrashed`. An error
    ///   does not affect the next document.
    public func layOut(
        _ html: String, baseFolder: String? = nil, firstPageSize: Size? = nil, pageSize: Size,
        allowsNetwork: Bool = false, allowsPrivateNetworks: Bool = false, limits: HTMLLimits = HTMLLimits()
    ) async throws(WorkError) -> HTMLPages {
        let first = firstPageSize ?? pageSize
        for size in [first, pageSize] { try Self.check(size) }
        guard html.utf8.count <= limits.inputBytes else {
            throw WorkError(
                .outputTooLarge, "the HTML is longer than \(limits.inputBytes >> 20) MiB; print the document in parts")
        }
        let input = HTMLInput.bytes(Array(html.utf8))
        var request = HTMLRequest(.pages, size: input.size, limits: limits)
        request.base = try baseFolder.map(Self.folder)
        if allowsNetwork {
            request.web = HTMLRequest.Web(
                private: allowsPrivateNetworks, requests: limits.networkRequests, bytes: limits.networkBytes,
                seconds: limits.networkSeconds)
        }
        request.first = [first.width, first.height]
        request.page = [pageSize.width, pageSize.height]
        let access = HTMLAccess(base: request.base, network: allowsNetwork)
        let order = request
        let (answer, pdf) = try await serve(isSmall: false, limits) {
            (limits, cancellation) throws(HTMLWorker.Failure) in
            try self.answer(order, input, access, limits, nil, cancellation)
        }
        return HTMLPages(
            pdf: pdf, pageCount: answer.pages ?? 0, lastPageHeight: answer.height ?? 0, notes: answer.notices,
            links: (answer.links ?? []).compactMap(HTMLPages.Link.init),
            anchors: (answer.anchors ?? []).compactMap(HTMLPages.Anchor.init))
    }

    /// Lays out a document like the asynchronous function of this name, and blocks the calling thread.
    public func layOut(
        _ html: String, baseFolder: String? = nil, firstPageSize: Size? = nil, pageSize: Size,
        allowsNetwork: Bool = false, allowsPrivateNetworks: Bool = false, limits: HTMLLimits = HTMLLimits()
    ) throws(WorkError) -> HTMLPages {
        try Self.wait { () async throws(WorkError) in
            try await self.layOut(
                html, baseFolder: baseFolder, firstPageSize: firstPageSize, pageSize: pageSize,
                allowsNetwork: allowsNetwork, allowsPrivateNetworks: allowsPrivateNetworks, limits: limits)
        }
    }

    /// Blocks the calling thread until an asynchronous function returns.
    static func wait<Value: Sendable>(
        for body: @escaping @Sendable () async throws(WorkError) -> Value
    ) throws(WorkError) -> Value {
        let done = DispatchSemaphore(value: 0)
        let result = Mutex<Result<Value, WorkError>?>(nil)
        Task(executorPreference: thread) {
            let value: Result<Value, WorkError>
            do throws(WorkError) { value = .success(try await body()) } catch { value = .failure(error) }
            result.withLock { $0 = value }
            done.signal()
        }
        done.wait()
        guard let value = result.withLock({ $0 }) else { preconditionFailure("the task has stored no result") }
        return try value.get()
    }

    /// Calls a function on a separate thread when the turn of its document comes.
    ///
    /// The function is called once more if another process killed the process that served the document. Its parameter
    /// is the resource limits with the time that earlier attempts have not used. The cancellation of the task kills the
    /// process.
    func serve<Value: Sendable>(
        from origin: WorkOrigin? = nil, isSmall: Bool, _ limits: HTMLLimits,
        _ body: @escaping @Sendable (HTMLLimits, HTMLCancellation) throws(HTMLWorker.Failure) -> Value
    ) async throws(WorkError) -> Value {
        let cancellation = HTMLCancellation()
        let time = WorkTime.current ?? WorkTime()
        let result = await withTaskCancellationHandler { () async -> Result<Value, WorkError> in
            do throws(WorkError) {
                return .success(
                    try await processes.perform(from: origin, isSmall: isSmall) {
                        (_) async throws(WorkError) -> ProcessPool<HTMLWorker>.Attempt<Value> in
                        var left = limits
                        left.wallSeconds = time.remaining(of: limits.wallSeconds)
                        let isShortened = left.wallSeconds < limits.wallSeconds
                        if isShortened, left.wallSeconds <= 0 { throw .timeUsedUp("laying out", tool: nil) }
                        time.begin()
                        defer { time.end() }
                        let limited = left
                        let result = try await DedicatedThread.run { () throws(WorkError) in
                            Result { () throws(HTMLWorker.Failure) in try body(limited, cancellation) }
                        }
                        switch result {
                        case .success(let value): return .answered(value)
                        case .failure where cancellation.isCanceled: throw Self.canceled
                        case .failure(let failure) where isShortened && failure.error.code == .timeExceeded:
                            throw .timeUsedUp("laying out", tool: nil)
                        case .failure(let failure) where failure.wasKilled: return .killed(failure.error)
                        case .failure(let failure): throw failure.error
                        }
                    })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            cancellation.cancel()
        }
        return try result.get()
    }

    static var canceled: WorkError { WorkError(.canceled, "the conversion was canceled") }

    /// Sends a document to a process, and returns the response.
    ///
    /// The result includes the PDF if no `output` file is given.
    ///
    /// The function blocks the calling thread.
    func answer(
        _ request: HTMLRequest, _ input: HTMLInput, _ access: HTMLAccess, _ limits: HTMLLimits,
        _ output: AtomicFile<HTMLWorker.Failure>?, _ cancellation: HTMLCancellation
    ) throws(HTMLWorker.Failure) -> (HTMLAnswer, [UInt8]) {
        let worker: HTMLWorker
        do throws(WorkError) { worker = try takeWorker(limits, access, cancellation) } catch {
            throw HTMLWorker.Failure(error: error)
        }
        let answer = try worker.answer(request, input, limits: limits, output: output, cancellation: cancellation)
        giveBack(worker)
        return answer
    }

    /// Starts a process in advance, so the next document does not wait about a second for the start.
    ///
    /// The function blocks no thread that Swift's tasks share.
    ///
    /// The function does nothing if a process is already idle or no process can be started.
    ///
    /// - Parameters:
    ///   - limits: The limits of the next document. If nil, `isConverting` selects the limits of `convert` or the
    ///     defaults of `layOut`.
    ///   - isConverting: Whether the process serves `convert`; otherwise the process serves `layOut`.
    public func warmUp(limits: HTMLLimits? = nil, isConverting: Bool = false) async {
        let limits = limits ?? (isConverting ? self.limits : HTMLLimits())
        try? await DedicatedThread.run { () throws(WorkError) in
            self.giveBack(try self.worker(limits, isConverting))
        }
    }

    private func worker(_ limits: HTMLLimits, _ isConverting: Bool) throws(WorkError) -> HTMLWorker {
        guard isConverting else { return try takeWorker(limits, .none) }
        if let unavailability { throw unavailability }
        return try takeWorker(limits, HTMLAccess(user: try WorkerUser.find(processes.command.user)))
    }

    /// Returns the software versions of an engine process, such as `WeasyPrint 70.0, Python 3.11.2`.
    ///
    /// The function uses an idle process. If no process is idle, the function starts a process, which takes about a
    /// second.
    ///
    /// - Parameter isConverting: Whether the process starts as the user of the workers, like the processes of
    ///   `convert`.
    /// - Throws: `workerUnavailable` or `unsupportedFormat` if the engine is not installed, is unreadable or does not
    ///   start.
    public func probe(isConverting: Bool = false) throws(WorkError) -> String {
        let worker = try worker(isConverting ? limits : HTMLLimits(), isConverting)
        giveBack(worker)
        return worker.versions
    }

    /// Ends the idle processes.
    public func coolDown() { processes.endIdle() }

    /// Returns an idle process with the required access rights, or a new process.
    private func takeWorker(
        _ limits: HTMLLimits, _ access: HTMLAccess, _ cancellation: HTMLCancellation? = nil
    ) throws(WorkError) -> HTMLWorker {
        if let waiting = processes.take(where: { $0.canServe(access, within: limits) }), waiting.isAlive {
            waiting.reserve(for: access)
            return waiting
        }
        guard let engine = installation else {
            throw WorkError(
                .workerUnavailable,
                "cannot print HTML: the HTML engine is not installed; "
                    + "run 'apt install printq-html' or, in a checkout, 'scripts/setup documents'")
        }
        if let user = access.user, !HTMLEngineFolder.isReadable(engine, by: user) {
            throw .htmlEngineUnreadable(engine, by: user)
        }
        return try HTMLWorker(engine: engine, limits: limits, access: access, cancellation: cancellation)
    }

    private func giveBack(_ worker: HTMLWorker) { if worker.isReusable { processes.giveBack(worker) } }

    static func check(_ size: Size) throws(WorkError) {
        let range = 1.0...100_000
        guard range.contains(size.width), range.contains(size.height) else {
            throw WorkError(
                .noPages,
                "cannot lay out the HTML on \(size.width) × \(size.height) points; "
                    + "choose a paper size and insets that leave 1 to 100,000 points per side")
        }
    }

    /// Returns the absolute path of an existing folder.
    private static func folder(_ path: String) throws(WorkError) -> String {
        guard let real = realpath("\(path)/.", nil) else {
            throw WorkError(
                .documentMissing, "cannot open the base folder '\(path)' of the HTML; choose an existing folder",
                detail: String(cString: strerror(errno)))
        }
        defer { free(real) }
        return String(cString: real)
    }
}
