// Draws parts of pages with worker processes that keep documents open.

import AsyncPrimitives
import Glibc
package import PrintModel
package import ProcessLaunch
package import ProcessPools
import Synchronization

/// A list of documents that are displayed page by page.
package struct ViewedDocuments: Hashable, Sendable {
    /// A unique name of the list.
    ///
    /// A list of other documents requires another name. If a document changes, its list also requires another name.
    package let id: String
    /// The documents in the list.
    package let request: ViewRequest

    /// Creates a list of documents with a unique name.
    package init(id: String, request: ViewRequest) {
        self.id = id
        self.request = request
    }

    /// Returns whether two lists have the same name.
    package static func == (one: ViewedDocuments, other: ViewedDocuments) -> Bool { one.id == other.id }

    /// Hashes the name of the list.
    package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// A pool of worker processes that keep documents open and draw areas of their pages.
///
///     let viewer = PageViewer(executable: "/usr/libexec/printq/print-worker")
///     async let life: Void = viewer.run()
///     let pages = try await viewer.pages(of: documents, for: "ann")
///     let tile = try await viewer.draw(PageTile(…), of: documents, for: "ann")
///
/// The pool alternates between the users whose requests are waiting. The processes have a lower priority than printing.
/// A process that is idle for some time ends. If a process crashes at a page or exceeds a time or memory limit, another
/// process draws the page with another rendering method.
package final class PageViewer: Sendable {
    /// The error for a request that the viewer refuses because too many requests are waiting.
    package struct Busy: Error, Hashable {
        /// Creates an error for a refused request.
        package init() {}
    }

    /// The limits of a page viewer.
    package struct Bounds: Sendable {
        /// The maximum number of requests that are processed concurrently.
        package var concurrent: Int
        /// The maximum number of idle processes with open documents.
        package var idle = 3
        /// The time after which an idle process ends.
        package var idleTime = Duration.seconds(20)
        /// The maximum number of waiting requests of all users.
        package var waiting = 400
        /// The maximum number of waiting requests per user.
        package var waitingOfUser = 120

        /// Creates limits for a viewer.
        ///
        /// The default is one concurrent request per processor, and at least 2.
        package init(concurrent: Int? = nil) {
            self.concurrent = max(concurrent ?? max(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 2), 1)
        }
    }

    private struct State {
        /// The number of waiting requests of each user, by user name.
        var waiting: [String: Int] = [:]
        /// The number of waiting and running requests of each user, by user name.
        var unfinished: [String: Int] = [:]
        var fallbacks: [Page: RenderingFallback] = [:]
    }

    private struct Page: Hashable {
        var documents: ViewedDocuments
        var page: Int
    }

    let bounds: Bounds
    /// The processes: idle processes with open documents, and a started process that has not opened documents.
    let processes: ProcessPool<ViewProcess>
    private let state = Mutex(State())

    /// Creates a viewer that has not started any process.
    ///
    /// - Parameters:
    ///   - executable: The path of `print-worker`.
    ///   - limits: The limits of each process.
    ///   - bounds: The limits of the viewer.
    ///   - user: The user name for processes when this process runs as root; nil for the default.
    ///   - requiresLandlock: Whether documents are refused if the kernel does not support Landlock.
    ///   - host: The host that starts the processes as another user; nil if this process starts the processes.
    package init(
        executable: String, limits: WorkerLimits = WorkerLimits(), bounds: Bounds = Bounds(), user: String? = nil,
        requiresLandlock: Bool = false, host: ProcessHost? = nil
    ) {
        self.bounds = bounds
        processes = ProcessPool(
            ProcessPool<ViewProcess>.Engine(
                command: WorkerCommand(
                    executable: executable, limits: limits,
                    user: Result { () throws(WorkError) in try WorkerUser.find(user) }, host: host,
                    requiresLandlock: requiresLandlock),
                name: "the document worker", concurrent: bounds.concurrent, idleCount: bounds.idle,
                idleTime: bounds.idleTime))
    }

    /// Changes the resource limits for subsequent processes.
    package func setLimits(_ limits: WorkerLimits) { processes.currentCommand.withLock { $0.limits = limits } }

    /// Waits until the task is canceled, and then ends all processes.
    package func run() async {
        // A stream without elements ends when its task is canceled.
        for await _ in AsyncStream<Never>.makeStream().stream {}
        shutdown()
    }

    /// Ends all idle processes, and refuses new requests.
    package func shutdown() { processes.shutdown() }

    /// Closes the given documents, which are no longer displayed.
    package func close(_ documents: ViewedDocuments) {
        processes.endIdle { $0.process.documents == documents }
        state.withLock { state in state.fallbacks = state.fallbacks.filter { $0.key.documents != documents } }
    }

    /// The number of idle processes with open documents.
    package var idleCount: Int { processes.idleCount() }

    // MARK: - Requests

    /// Returns the sizes and properties of the documents' pages.
    package func pages(of documents: ViewedDocuments, for user: String) async throws -> OpenedPages {
        try await serve(documents, for: user) { (process, _) throws(WorkError) in process.pages }
    }

    /// Draws an area of a page.
    ///
    /// A notice page replaces a page that cannot be drawn.
    ///
    /// - Throws: `Busy`, `WorkError`.
    package func draw(_ tile: PageTile, of documents: ViewedDocuments, for user: String) async throws -> DrawnTile {
        let page = Page(documents: documents, page: tile.page)
        var failures = 0
        while true {
            var tile = tile
            tile.fallback = state.withLock { $0.fallbacks[page] }
            let command = ViewCommand.draw(tile)
            do {
                let answer = try await serve(documents, for: user) { (process, isWanted) throws(WorkError) in
                    try process.answer(command, isWanted: isWanted)
                }
                guard case .drawn(let drawn) = answer else { throw WorkerPool.mismatch }
                return drawn
            } catch let error as WorkError {
                try Task.checkCancellation()
                failures += 1
                guard failures <= 3, let fallback = Self.fallback(after: tile.fallback, error) else { throw error }
                state.withLock { state in
                    // The list is only a memory of failures; without it, a page fails again.
                    if state.fallbacks.count > 1000 { state.fallbacks = [:] }
                    state.fallbacks[page] = fallback
                }
            }
        }
    }

    /// Compares a page with its printed side.
    ///
    /// - Throws: `Busy`, `WorkError`.
    package func compare(
        _ command: ComparisonCommand, of documents: ViewedDocuments, for user: String
    ) async throws -> [SideDifference] {
        let answer = try await serve(documents, for: user) { (process, isWanted) throws(WorkError) in
            try process.answer(.compare(command), isWanted: isWanted)
        }
        guard case .compared(let differences) = answer else { throw WorkerPool.mismatch }
        return differences
    }

    /// Returns the words of a page; empty for a page that consists of pixels.
    ///
    /// - Throws: `Busy`, `WorkError`.
    package func words(
        ofPage page: Int, in documents: ViewedDocuments, for user: String
    ) async throws -> [PageWord] {
        let answer = try await serve(documents, for: user) { (process, isWanted) throws(WorkError) in
            try process.answer(.words(page: page), isWanted: isWanted)
        }
        guard case .words(let words) = answer else { throw WorkerPool.mismatch }
        return words
    }

    /// Returns the next rendering method after a failure of a process; nil if no other method is available.
    private static func fallback(after earlier: RenderingFallback?, _ error: WorkError) -> RenderingFallback? {
        let failed = [.pageTimeExceeded, .workerCrashed, .memoryExceeded, .processorTimeExceeded, .timeExceeded]
            .contains(error.code)
        guard failed else { return nil }
        let fault =
            switch error.code {
            case .memoryExceeded: "needed more memory than a worker is allowed to use"
            case .workerCrashed: "crashed"
            default: "took too long"
            }
        return switch earlier?.way {
        case nil: RenderingFallback(.otherRenderer, because: "the first renderer \(fault)")
        case .otherRenderer:
            RenderingFallback(.notice, because: "both renderers failed: the second renderer \(fault)")
        case .notice: nil
        }
    }

    /// Waits for the user's turn, and performs work with a process that has the documents open.
    private func serve<Value: Sendable>(
        _ documents: ViewedDocuments, for user: String,
        _ work: @escaping @Sendable (ViewProcess, @escaping ViewProcess.IsWanted) throws(WorkError) -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        guard !processes.isStopped else {
            throw WorkError(.workerUnavailable, "no pages can be displayed: the program is shutting down")
        }
        let isFirst = try state.withLock { state in
            let all = state.waiting.values.reduce(0, +)
            guard all < bounds.waiting, state.waiting[user, default: 0] < bounds.waitingOfUser else { throw Busy() }
            state.waiting[user, default: 0] += 1
            state.unfinished[user, default: 0] += 1
            return state.unfinished[user] == 1
        }
        var isWaiting = true
        defer {
            state.withLock { state in
                if isWaiting { Self.decrease(&state.waiting, for: user) }
                Self.decrease(&state.unfinished, for: user)
            }
        }
        let wanted = WantedFlag()
        return try await withTaskCancellationHandler {
            do {
                // One additional place is for users without other requests, so that slow pages of one user do not block
                // others.
                return try await processes.perform(from: WorkOrigin(printer: "", owner: user), isSmall: isFirst) {
                    (usesIdle) async throws(WorkError) -> ProcessPool<ViewProcess>.Attempt<Value> in
                    if isWaiting { state.withLock { Self.decrease(&$0.waiting, for: user) } }
                    isWaiting = false
                    return try await DedicatedThread.run { () throws(WorkError) in
                        try self.attempt(documents, usesIdle: usesIdle, isWanted: { wanted.isSet }, work)
                    }
                }
            } catch let error as WorkError where error.code == .canceled {
                throw CancellationError()
            }
        } onCancel: {
            wanted.clear()
        }
    }

    private static func decrease(_ counts: inout [String: Int], for user: String) {
        let left = counts[user, default: 1] - 1
        counts[user] = left > 0 ? left : nil
    }

    /// A flag that is set as long as a client waits for the result.
    private final class WantedFlag: Sendable {
        private let value = Atomic(true)
        var isSet: Bool { value.load(ordering: .relaxed) }
        func clear() { value.store(false, ordering: .relaxed) }
    }
}
