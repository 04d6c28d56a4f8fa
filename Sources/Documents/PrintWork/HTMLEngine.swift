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

    private let folder: String?
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
    public init(folder: String? = nil, concurrent: Int = 2, warm: Int = 1) {
        self.folder = folder
        keeps = warm
        places = DispatchSemaphore(value: max(concurrent, 1))
    }

    /// The folder of the Python environment, which is searched again on each access.
    ///
    /// Nil when the engine is not installed.
    public var installation: String? { folder ?? HTMLEngineFolder.find() }

    /// Lays out a document on as many pages as it needs.
    ///
    /// The pages have exactly the given size. The document's own `@page` sizes, margins and margin boxes are ignored.
    /// Its page breaks, widows, orphans, named pages, counters and footnotes are supported. Resources are loaded from
    /// the document (`data:`), from the base folder and, if allowed, from the network. Other resources are left out and
    /// noted.
    ///
    /// - Parameters:
    ///   - html: A document or a fragment.
    ///   - baseFolder: The base folder of relative references. Only files below it can be read. Nil for no file access.
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
                .outputTooLarge, "the HTML is longer than \(limits.inputBytes >> 20) MiB; print it in parts")
        }
        let request = HTMLWorker.Request(
            html: html, base: try baseFolder.map(Self.folder), first: [first.width, first.height],
            page: [pageSize.width, pageSize.height], network: allowsNetwork, pages: limits.pages,
            bytes: limits.outputBytes, seconds: limits.processorSeconds)
        places.wait()
        defer { places.signal() }
        do {
            return try layOut(request, limits)
        } catch  where error.wasKilled {
            // Another process killed the worker, so the document is not the cause.
            do { return try layOut(request, limits) } catch { throw error.error }
        } catch {
            throw error.error
        }
    }

    private func layOut(
        _ request: HTMLWorker.Request, _ limits: HTMLLimits
    ) throws(HTMLWorker.Failure) -> HTMLPages {
        let worker: HTMLWorker
        let access = HTMLAccess(base: request.base, network: request.network)
        do { worker = try takeWorker(limits.memoryBytes, access) } catch { throw HTMLWorker.Failure(error: error) }
        let pages = try worker.layOut(request, limits: limits)
        giveBack(worker)
        return pages
    }

    /// Starts a process for the next document, so that the document does not wait for it.
    ///
    /// The start takes about a second.
    ///
    /// Does nothing when a process is already waiting or no process can be started.
    public func warmUp(limits: HTMLLimits = HTMLLimits()) {
        if let worker = try? takeWorker(limits.memoryBytes, .none) { giveBack(worker) }
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
    private func takeWorker(_ memoryBytes: Int, _ access: HTMLAccess) throws(WorkError) -> HTMLWorker {
        let waiting = idle.withLock { idle in
            idle.workers.lastIndex { $0.memoryBytes == memoryBytes && $0.access == access }
                .map { Handed(idle.workers.remove(at: $0)) }
        }
        if let waiting, waiting.worker.isAlive { return waiting.worker }
        guard let engine = installation else {
            throw WorkError(
                .workerUnavailable,
                "cannot print HTML: the HTML engine is not installed; run scripts/setup, or "
                    + "'python3 -m venv ~/.local/share/printq/html-engine' and install weasyprint in it with its pip")
        }
        return try HTMLWorker(engine: engine, memoryBytes: memoryBytes, access: access)
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

    private static func check(_ size: Size) throws(WorkError) {
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
