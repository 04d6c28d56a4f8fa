// Lays out HTML over pages.

import Dispatch
import FoundationEssentials
import Glibc
public import PrintModel
import Synchronization

/// An engine that lays out HTML with WeasyPrint, in reusable processes with resource limits.
///
///     let pages = try HTMLEngine.shared.layOut("<h1>Hello</h1>", pageSize: Size(width: 468, height: 648))
///     pages.pageCount     // 1
///
/// The calls block the calling thread, as the formatters of a print API do (`UIPrintFormatter.pageCount`). They can be
/// called on any thread. `scripts/setup` creates the required Python environment. The engine searches for it in
/// `PRINTQ_HTML_ENGINE`. If that is not set, it searches in `printq/html-engine` below `XDG_DATA_HOME`
/// (`~/.local/share`) and each folder in `XDG_DATA_DIRS` (`/usr/local/share`, `/usr/share`).
public final class HTMLEngine: Sendable {
    /// The shared engine of the program.
    public static let shared = HTMLEngine()

    /// Whether documents are refused if the kernel does not support Landlock.
    let requiresLandlock: Bool
    private let folder: String?
    /// The user of the conversions when root runs this program; nil for the default.
    let workerUser: String?
    /// The conversions that wait for their turn.
    let conversions: WorkQueue
    private let keeps: Int
    /// A semaphore that limits the number of concurrent layouts.
    private let places: DispatchSemaphore
    /// The idle workers.
    ///
    /// A worker is used by one thread at a time: the thread that removed the worker from `idle`.
    private let idle = Mutex(Idle())

    // Workers are passed from thread to thread, but never shared.
    private struct Idle: @unchecked Sendable {
        var workers: [HTMLWorker] = []
    }

    /// The number of documents after which a worker is replaced, to limit the memory that its libraries retain.
    private static let mostServed = 200

    /// Creates an engine.
    ///
    /// - Parameters:
    ///   - folder: The folder of the Python environment. If nil, the engine searches for the folder.
    ///   - concurrent: The number of documents that are laid out at the same time. Further documents wait.
    ///   - warm: The number of processes that are kept for the next documents. Each needs 70 MB.
    ///   - user: The user of the processes that convert documents when root runs this program. Nil means `printq` if
    ///     that user exists, otherwise `nobody`.
    ///   - requiresLandlock: Whether documents are refused (`sandboxIncomplete`) if the kernel does not support
    ///     Landlock. `layOut` is not affected.
    public init(
        folder: String? = nil, concurrent: Int = 2, warm: Int = 1, user: String? = nil, requiresLandlock: Bool = false
    ) {
        self.requiresLandlock = requiresLandlock
        self.folder = folder
        workerUser = user
        // The queue has one more place for requests of few pages, as all conversions are.
        conversions = WorkQueue(places: max(concurrent, 1) - 1)
        keeps = warm
        places = DispatchSemaphore(value: max(concurrent, 1))
    }

    /// The folder of the Python environment, which is searched again on each access.
    ///
    /// Nil when the engine is not installed.
    public var installation: String? { folder ?? HTMLEngineFolder.find() }

    /// Lays out a document on as many pages as its content fills.
    ///
    /// The pages have exactly the given size. The document's own `@page` sizes, margins and margin boxes are ignored.
    /// Its page breaks, widows, orphans, named pages, counters and footnotes are supported. Resources are loaded from
    /// the document (`data:`), from the base folder and, if allowed, from the network. Other resources are left out and
    /// noted.
    ///
    /// - Parameters:
    ///   - html: A document or a fragment.
    ///   - baseFolder: The base folder of relative references. Only files below this folder can be read. Nil for no file
    ///     access.
    ///   - firstPageSize: The size of the first page in points. Nil if it is equal to the size of the other pages.
    ///   - pageSize: The size of all other pages in points.
    ///   - allowsNetwork: Whether `http:` and `https:` resources are fetched.
    ///   - limits: The resource limits.
    /// - Throws: `workerUnavailable` without an engine, `documentMissing` without the base folder, `noPages` when a
    ///   page is too small, `timeExceeded`, `processorTimeExceeded`, `memoryExceeded` or `outputTooLarge` at a limit,
    ///   `damaged` for HTML that cannot be laid out, `workerCrashed`. An error does not affect the next document.
    public func layOut(
        _ html: String, baseFolder: String? = nil, firstPageSize: Size? = nil, pageSize: Size,
        allowsNetwork: Bool = false, limits: HTMLLimits = HTMLLimits()
    ) throws(WorkError) -> HTMLPages {
        let first = firstPageSize ?? pageSize
        for size in [first, pageSize] { try Self.check(size) }
        guard html.utf8.count <= limits.inputBytes else {
            throw WorkError(
                .outputTooLarge, "the HTML is longer than \(limits.inputBytes >> 20) MiB; print the document in parts")
        }
        let input = HTMLInput.bytes(Array(html.utf8))
        var request = HTMLRequest(.pages, size: input.size, limits: limits)
        request.base = try baseFolder.map(Self.folder)
        request.network = allowsNetwork
        request.first = [first.width, first.height]
        request.page = [pageSize.width, pageSize.height]
        places.wait()
        defer { places.signal() }
        let access = HTMLAccess(base: request.base, network: allowsNetwork)
        let (answer, pdf) = try self.answer(request, input, access, limits)
        return HTMLPages(
            pdf: pdf, pageCount: answer.pages ?? 0, lastPageHeight: answer.height ?? 0, notes: answer.notices,
            links: (answer.links ?? []).compactMap(HTMLPages.Link.init),
            anchors: (answer.anchors ?? []).compactMap(HTMLPages.Anchor.init))
    }

    /// Sends a document to a process and returns the answer, and the PDF unless it is written to the file `output`.
    ///
    /// Blocks the calling thread.
    func answer(
        _ request: HTMLRequest, _ input: HTMLInput, _ access: HTMLAccess, _ limits: HTMLLimits, _ output: Int32? = nil,
        _ cancellation: HTMLCancellation? = nil
    ) throws(WorkError) -> (HTMLAnswer, [UInt8]) {
        func attempt() throws(HTMLWorker.Failure) -> (HTMLAnswer, [UInt8]) {
            let worker: HTMLWorker
            do throws(WorkError) { worker = try takeWorker(limits.memoryBytes, access, cancellation) } catch {
                throw HTMLWorker.Failure(error: error)
            }
            let answer = try worker.answer(
                request, input, limits: limits, output: output, cancellation: cancellation)
            giveBack(worker)
            return answer
        }
        do throws(HTMLWorker.Failure) { return try attempt() } catch {
            if cancellation?.isCanceled == true { throw Self.canceled }
            guard error.wasKilled else { throw error.error }
        }
        // Another process killed the worker, so the document is not the cause.
        if let output { ftruncate(output, 0); lseek(output, 0, SEEK_SET) }
        do throws(HTMLWorker.Failure) { return try attempt() } catch {
            throw cancellation?.isCanceled == true ? Self.canceled : error.error
        }
    }

    /// Starts a process for the next document, so that the document does not wait for it.
    ///
    /// The start takes about a second.
    ///
    /// Does nothing when a process is already waiting or no process can be started.
    ///
    /// - Parameter isConverting: Whether the process serves `convert`; otherwise it serves `layOut`.
    public func warmUp(limits: HTMLLimits = HTMLLimits(), isConverting: Bool = false) {
        var access = HTMLAccess.none
        if isConverting {
            do { access.user = try WorkerUser.find(workerUser) } catch { return }
        }
        if let worker = try? takeWorker(limits.memoryBytes, access) { giveBack(worker) }
    }

    /// Starts a process and returns its versions: `WeasyPrint 70.0, Python 3.11.2`.
    ///
    /// The start takes about a second.
    ///
    /// - Throws: `workerUnavailable` when the engine is not installed or does not start.
    public func probe() throws(WorkError) -> String {
        let worker = try takeWorker(HTMLLimits().memoryBytes, .none)
        giveBack(worker)
        return worker.versions
    }

    /// Ends the waiting processes.
    public func coolDown() {
        idle.withLock { $0.workers = [] }
    }

    /// Returns a waiting process with the same access rights, or a new process.
    private func takeWorker(
        _ memoryBytes: Int, _ access: HTMLAccess, _ cancellation: HTMLCancellation? = nil
    ) throws(WorkError) -> HTMLWorker {
        let waiting = idle.withLock { idle in
            idle.workers.lastIndex { $0.memoryBytes == memoryBytes && $0.canServe(access) }
                .map { Handed(idle.workers.remove(at: $0)) }
        }
        if let waiting, waiting.worker.isAlive {
            waiting.worker.reserve(for: access)
            return waiting.worker
        }
        guard let engine = installation else {
            throw WorkError(
                .workerUnavailable,
                "cannot print HTML: the HTML engine is not installed; run scripts/setup, or run "
                    + "'python3 -m venv ~/.local/share/printq/html-engine' and install weasyprint there with pip")
        }
        if let user = access.user, !HTMLEngineFolder.isReadable(engine, by: user) {
            throw WorkError(
                .workerUnavailable,
                "the HTML engine in '\(engine)' cannot be read by the user of the workers (\(user.user)); "
                    + "run scripts/setup as root, which installs the engine in /usr/local/share/printq/html-engine")
        }
        return try HTMLWorker(engine: engine, memoryBytes: memoryBytes, access: access, cancellation: cancellation)
    }

    private func giveBack(_ worker: HTMLWorker) {
        guard worker.served < Self.mostServed else { return }
        let handed = Handed(worker)
        idle.withLock { idle in
            // The newest processes are kept, because a process with other limits may never be needed again.
            idle.workers.append(handed.worker)
            if idle.workers.count > keeps { idle.workers.removeFirst() }
        }
    }

    /// A worker during its transfer from one thread to another.
    private struct Handed: @unchecked Sendable {
        let worker: HTMLWorker
        init(_ worker: HTMLWorker) { self.worker = worker }
    }

    static func check(_ size: Size) throws(WorkError) {
        let range = 1.0...100_000
        guard range.contains(size.width), range.contains(size.height) else {
            throw WorkError(
                .noPages,
                "a page of \(size.width) × \(size.height) points is too small for the HTML; reduce the insets")
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
