// HTML becomes pages.

import Dispatch
import FoundationEssentials
import Glibc
public import PrintModel
import Synchronization

/// Lays HTML out on pages with WeasyPrint, in processes that are kept warm and under limits.
///
///     let pages = try HTMLEngine.shared.layOut("<h1>Hello</h1>", pageSize: Size(width: 468, height: 648))
///     pages.pageCount     // 1
///
/// Its calls block the calling thread, as the formatters of a print API do (`UIPrintFormatter.pageCount`); any thread may
/// call. `scripts/setup` makes the Python environment that it needs; it is looked for in `PRINTQ_HTML_ENGINE`, else in
/// `printq/html-engine` below `XDG_DATA_HOME` (`~/.local/share`) and each of `XDG_DATA_DIRS` (`/usr/local/share`, `/usr/share`).
public final class HTMLEngine: Sendable {
    /// The engine of this program.
    public static let shared = HTMLEngine()

    private let folder: String?
    private let keeps: Int
    /// As many at a time as there are places.
    private let places: DispatchSemaphore
    /// A worker is one thread's at a time: whoever took it out of here.
    private let idle = Mutex(Idle())

    // Workers are handed from thread to thread, never shared.
    private struct Idle: @unchecked Sendable {
        var workers: [HTMLWorker] = []
    }

    /// After so many documents a worker is replaced, so that what its libraries keep does not grow without end.
    private static let mostServed = 200

    /// An engine.
    ///
    /// - Parameters:
    ///   - folder: The Python environment; nil to look for it.
    ///   - concurrent: How many documents are laid out at a time; others wait.
    ///   - warm: How many processes are kept for the next documents; 70 MB each.
    public init(folder: String? = nil, concurrent: Int = 2, warm: Int = 1) {
        self.folder = folder
        keeps = warm
        places = DispatchSemaphore(value: max(concurrent, 1))
    }

    /// The Python environment that is used, looked for anew each time; nil when the engine is not installed, and no HTML can
    /// be laid out.
    public var installation: String? { folder ?? HTMLEngineFolder.find() }

    /// Lays a document out on as many pages as it needs.
    ///
    /// The pages are as large as is said here, to the edge: a document's own `@page` sizes, margins and margin boxes are left
    /// aside, while its page breaks, widows, orphans, named pages, counters and footnotes hold. What the document refers to
    /// is had from itself (`data:`), from the base folder and, when that is allowed, from the network; the rest is left out
    /// and noted.
    ///
    /// - Parameters:
    ///   - html: The document, or a piece of one.
    ///   - baseFolder: The folder that relative references begin in, and below which files may be read; nil for none.
    ///   - firstPageSize: The room on the first page, in points; nil when it is like the others.
    ///   - pageSize: The room on every other page, in points.
    ///   - allowsNetwork: Whether `http:` and `https:` resources are fetched.
    ///   - limits: What it may use up.
    /// - Throws: what went wrong, in words: `workerUnavailable` without an engine, `documentMissing` without the base folder,
    ///   `noPages` when a page has no room, `timeExceeded`, `processorTimeExceeded`, `memoryExceeded` or `outputTooLarge` at a
    ///   limit, `damaged` for HTML that cannot be laid out, `workerCrashed`. The next document is none the worse for it.
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
            // By somebody else: that says nothing of the document.
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

    /// Starts a process for the next document, so that it need not wait for that; it takes about a second.
    ///
    /// Nothing happens when one waits already, or none can be started.
    public func warmUp(limits: HTMLLimits = HTMLLimits()) {
        if let worker = try? takeWorker(limits.memoryBytes, .none) { giveBack(worker) }
    }

    /// Starts a process and asks it what it is made of: `WeasyPrint 70.0, Python 3.11.2`; it takes about a second.
    ///
    /// - Throws: `workerUnavailable` when the engine is not installed, or does not start.
    public func probe() throws(WorkError) -> String {
        let worker = try takeWorker(HTMLLimits().memoryBytes, .none)
        giveBack(worker)
        return worker.versions
    }

    /// Ends the processes that wait for documents.
    public func coolDown() {
        idle.withLock { $0.workers = [] }
    }

    /// A process that waits and is locked in to the same access, else a new one.
    private func takeWorker(_ memoryBytes: Int, _ access: HTMLAccess) throws(WorkError) -> HTMLWorker {
        let waiting = idle.withLock { idle in
            idle.workers.lastIndex { $0.memoryBytes == memoryBytes && $0.access == access }
                .map { Handed(idle.workers.remove(at: $0)) }
        }
        if let waiting, waiting.worker.isAlive { return waiting.worker }
        guard let engine = installation else {
            throw WorkError(
                .workerUnavailable,
                "HTML cannot be printed, because the HTML engine is not installed; run scripts/setup, or "
                    + "'python3 -m venv ~/.local/share/printq/html-engine' and install weasyprint in it with its pip")
        }
        return try HTMLWorker(engine: engine, memoryBytes: memoryBytes, access: access)
    }

    private func giveBack(_ worker: HTMLWorker) {
        guard worker.served < Self.mostServed else { return }
        let handed = Handed(worker)
        idle.withLock { idle in
            // The newest stay: one with other limits may never be asked for again.
            idle.workers.append(handed.worker)
            if idle.workers.count > keeps { idle.workers.removeFirst() }
        }
    }

    /// A worker on its way from one thread to another, of which neither keeps it.
    private struct Handed: @unchecked Sendable {
        let worker: HTMLWorker
        init(_ worker: HTMLWorker) { self.worker = worker }
    }

    private static func check(_ size: Size) throws(WorkError) {
        let range = 1.0...100_000
        guard range.contains(size.width), range.contains(size.height) else {
            throw WorkError(
                .noPages,
                "the HTML has no room: a page for it is \(size.width) × \(size.height) points; make the insets smaller")
        }
    }

    /// The absolute path of a folder that exists.
    private static func folder(_ path: String) throws(WorkError) -> String {
        guard let real = realpath("\(path)/.", nil) else {
            throw WorkError(
                .documentMissing, "the base folder '\(path)' of the HTML cannot be opened; name a folder that exists",
                detail: String(cString: strerror(errno)))
        }
        defer { free(real) }
        return String(cString: real)
    }
}
