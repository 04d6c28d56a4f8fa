// Carries out the requests of the terminal Print Center, and follows the events of the queue.

import Glibc
import IPP
import PrintModel
import PrintqOutput
package import SpoolerClient
import Synchronization

/// The connection between the screen of the terminal Print Center and printd.
///
/// The screen runs on the thread that reads the terminal.
///
/// The connection collects updates for the screen. A byte on ``descriptor`` wakes the thread of the screen.
package final class CenterConnection: Sendable {
    /// An update for the screen.
    package enum News: Sendable {
        case listing(QueueScreen.Listing)
        case details(QueueScreen.Details)
        /// The number of a job that no longer exists.
        case removed(Int)
        /// A message about the result of an action, or about a failure.
        case note(String)
        /// The number of a job, and its page images.
        case pages(Int, JobPageImages)
        case printers([PrinterView])
        /// The values that a printer supports, by the name of the option.
        case choices([String: [String]])
        /// The end of the request of a form; nil if the request was carried out.
        case formEnded(problem: String?)
        /// Whether the connection receives events from printd.
        case live(Bool)
    }

    /// The criteria that select the jobs of the list.
    package struct Query: Hashable, Sendable {
        package var section: QueueScreen.Section
        package var text: String
        package var limit: Int

        package init(section: QueueScreen.Section, text: String, limit: Int) {
            (self.section, self.text, self.limit) = (section, text, limit)
        }
    }

    struct State {
        var news: [News] = []
        var query = Query(section: .queue, text: "", limit: QueueScreen.firstLimit)
        var selected: Int?
        var wantsListing = false
        var wantsDetails = false
        var wantsPrinters = false
        var showsPrinters = false
        /// The requests of the user, in groups whose results are one message.
        var actions: [[QueueScreen.Request]] = []
    }

    let spooler: Spooler
    let place: SpoolLocation
    let state = Mutex(State())
    private let wakeup: AsyncStream<Void>
    let waker: AsyncStream<Void>.Continuation
    private let reader: Int32
    private let writer: Int32

    /// The file descriptor that becomes readable when updates for the screen are available.
    package var descriptor: Int32 { reader }

    /// Creates a connection.
    ///
    /// - Parameter place: The spool, which draws the pages of jobs.
    /// - Throws: `unavailable` if the process has no free file descriptors.
    package init(_ spooler: Spooler, at place: SpoolLocation) throws(SpoolerClientError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw SpoolerClientError(.unavailable, "cannot create a socket: \(String(cString: strerror(errno)))")
        }
        (self.spooler, self.place, reader, writer) = (spooler, place, ends[0], ends[1])
        (wakeup, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    deinit {
        close(reader)
        close(writer)
    }

    // MARK: The terminal's thread

    /// Returns the updates for the screen that have arrived since the previous call of this method.
    package func takeNews() -> [News] {
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(reader, &bytes, bytes.count) > 0 {}
        return state.withLock { state in
            defer { state.news = [] }
            return state.news
        }
    }

    /// Requests a list of jobs.
    ///
    /// A newer request replaces a request that is still waiting.
    package func list(_ query: Query) {
        state.withLock { ($0.query, $0.wantsListing) = (query, true) }
        waker.yield()
    }

    /// Requests the details of a job.
    ///
    /// The connection then updates the details after each event from printd.
    package func showDetails(of id: Int) {
        state.withLock { ($0.selected, $0.wantsDetails) = (id, true) }
        waker.yield()
    }

    /// Requests actions on jobs or printers, whose results become one message.
    package func perform(_ requests: [QueueScreen.Request]) {
        guard !requests.isEmpty else { return }
        state.withLock { $0.actions.append(requests) }
        waker.yield()
    }

    /// Requests the printers, now and after each event if `isShown` is true.
    package func showPrinters(_ isShown: Bool) {
        state.withLock { ($0.showsPrinters, $0.wantsPrinters) = (isShown, isShown) }
        if isShown { waker.yield() }
    }

    // MARK: Tasks

    /// Performs requests and follows events until the task is canceled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.carryOutRequests() }
            group.addTask { await self.followEvents() }
            await group.waitForAll()
        }
    }

    private func carryOutRequests() async {
        for await _ in wakeup {
            while !Task.isCancelled, let work = next() { await work() }
        }
    }

    /// Returns the next request to perform.
    ///
    /// Actions come first, because the user waits for their results.
    private func next() -> (() async -> Void)? {
        state.withLock { state in
            if !state.actions.isEmpty {
                let actions = state.actions.removeFirst()
                return { await self.carryOut(actions) }
            }
            if state.wantsPrinters {
                state.wantsPrinters = false
                return { await self.loadPrinters() }
            }
            if state.wantsDetails, let id = state.selected {
                state.wantsDetails = false
                return { await self.loadDetails(of: id) }
            }
            guard state.wantsListing else { return nil }
            state.wantsListing = false
            let query = state.query
            return { await self.load(query) }
        }
    }

    func tell(_ news: News) {
        state.withLock { $0.news.append(news) }
        var byte: UInt8 = 0
        // A full socket already wakes the thread.
        _ = Glibc.write(writer, &byte, 1)
    }

    // MARK: Events

    private func followEvents() async {
        let watch = EventWatch(spooler, WatchRequest()) { [self] notice in
            guard case .lost = notice else { return tell(.live(true)) }
            tell(.live(false))
            tell(.note(notice.text))
        }
        do throws(SpoolerClientError) {
            try await watch.run { (events: [EventView]) async throws(SpoolerClientError) in
                guard !Task.isCancelled else { return .stop }
                note(events)
                // Events in quick succession lead to one list.
                try? await Task.sleep(for: .milliseconds(state.withLock { $0.query.limit } > 500 ? 1000 : 50))
                return Task.isCancelled ? .stop : .wait
            }
        } catch {
            tell(.live(false))
            tell(.note(error.message))
        }
    }

    private func note(_ events: [EventView]) {
        tell(.live(true))
        state.withLock { state in
            state.wantsListing = true
            // Each event of any job can change the reason why the selected job waits.
            state.wantsDetails = state.selected != nil
            state.wantsPrinters = state.showsPrinters
        }
        waker.yield()
    }
}
