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
        /// The number of a job, and the paths of its page images.
        case pages(Int, [String])
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

    private struct State {
        var news: [News] = []
        var query = Query(section: .queue, text: "", limit: QueueScreen.firstLimit)
        var selected: Int?
        var wantsListing = false
        var wantsDetails = false
        var actions: [QueueScreen.Request] = []
    }

    private let spooler: Spooler
    private let state = Mutex(State())
    private let wakeup: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation
    private let reader: Int32
    private let writer: Int32

    /// The file descriptor that becomes readable when updates for the screen are available.
    package var descriptor: Int32 { reader }

    /// Creates a connection.
    ///
    /// - Throws: `unavailable` if the process has no free file descriptors.
    package init(_ spooler: Spooler) throws(SpoolerClientError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw SpoolerClientError(.unavailable, "cannot create a socket: \(String(cString: strerror(errno)))")
        }
        (self.spooler, reader, writer) = (spooler, ends[0], ends[1])
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

    /// Requests an action on a job.
    package func perform(_ request: QueueScreen.Request) {
        state.withLock { $0.actions.append(request) }
        waker.yield()
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
                let action = state.actions.removeFirst()
                return { await self.carryOut(action) }
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

    private func tell(_ news: News) {
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
        }
        waker.yield()
    }

    // MARK: Requests

    private func load(_ query: Query) async {
        let which: JobListQuery.Which = query.section == .queue ? .notCompleted : .completed
        do throws(SpoolerClientError) {
            if query.text.isEmpty {
                var found: [JobView] = []
                let rest = try await spooler.list(JobListQuery(which, limit: query.limit), JobView.listedNames) {
                    jobs in
                    found += jobs.map(JobView.init)
                }
                let listing =
                    switch rest {
                    case .none: QueueScreen.Listing(jobs: found, isComplete: true, count: found.count)
                    case .jobs(let more): QueueScreen.Listing(jobs: found, isComplete: false, count: found.count + more)
                    case .some: QueueScreen.Listing(jobs: found, isComplete: false)
                    }
                tell(.listing(listing))
            } else {
                var found: [JobView] = []
                try await spooler.list(JobListQuery(which), JobView.listedNames) { jobs in
                    found += jobs.map(JobView.init).filter { $0.matches(query.text) }.prefix(query.limit - found.count)
                }
                tell(.listing(QueueScreen.Listing(jobs: found, isComplete: found.count < query.limit)))
            }
        } catch {
            tell(.note(error.message))
        }
    }

    private func loadDetails(of id: Int) async {
        do throws(SpoolerClientError) {
            let group = try await spooler.job(id, JobDetails.attributeNames)
            let (details, now) = (JobDetails(group), UnixTime(time(nil)))
            let lines = details.text(now: now).split(separator: "\n").map(String.init)
            tell(.details(.init(job: JobView(group), lines: lines, events: details.events(now: now))))
        } catch {
            tell(error.code == .usage ? .removed(id) : .note(error.message))
        }
    }

    private func carryOut(_ action: QueueScreen.Request) async {
        do throws(SpoolerClientError) {
            switch action {
            case .cancel(let id):
                try await spooler.ask(.cancelJob, job: id)
                tell(.note(try await outcome(of: id)))
            case .hold(let id):
                try await spooler.ask(.holdJob, job: id, attributes: HoldUntil.indefinite.attributes)
                tell(.note("job \(id) is held; press h to release the job"))
            case .release(let id):
                try await spooler.ask(.releaseJob, job: id)
                tell(.note("job \(id) is released"))
            case .resume(let id):
                try await spooler.resume(id, from: nil)
                tell(.note("job \(id) continues"))
            case .reprint(let id):
                let submission = "\(getpid())-\(UInt64.random(in: 0 ... .max))"
                let new = try await spooler.reprint(JobReprint(job: id, id: submission))
                tell(.note("job \(id) is printed again as job \(new)"))
            case .move(let id, let printer):
                try await spooler.move(id, to: printer)
                tell(.note("job \(id) is on \(printer) now"))
            case .pages(let id):
                let job = JobView(try await spooler.job(id, JobView.followedNames))
                tell(.pages(id, job.outputFolder.map { PrintOutput(folder: $0).pagePaths } ?? []))
            case .list, .details, .redraw, .quit: return
            }
        } catch {
            tell(.note(error.message))
        }
        state.withLock { $0.wantsDetails = $0.selected != nil }
        waker.yield()
    }

    private func outcome(of id: Int) async throws(SpoolerClientError) -> String {
        let job = JobView(try await spooler.job(id, JobView.listedNames))
        return job.hasEnded ? "job \(id) is \(job.state?.description ?? "canceled")" : "job \(id) is being canceled"
    }
}

extension JobView {
    /// Returns whether the name, the owner, the printer or the number of the job contains a text, ignoring case.
    fileprivate func matches(_ text: String) -> Bool {
        let text = text.lowercased()
        return [name, owner, printer, "\(id)"].contains { $0.lowercased().contains(text) }
    }
}
