// The state of the terminal Print Center: the list, the selected job, and the reaction to keys.

package import SpoolerClient

/// The state of the screen of the terminal Print Center.
///
/// The type uses no terminal and no connection.
///
/// Keys and updates change the state. The functions that handle keys return the requests to perform.
///
///     var screen = QueueScreen(columns: 80, rows: 24)
///     screen.show(Listing(jobs: jobs, isComplete: true))
///     screen.handle(.character("h"))      // [.hold(12)]
package struct QueueScreen: Sendable {
    /// A request that the screen sends to the connection or the terminal.
    package enum Request: Hashable, Sendable {
        /// A request for the jobs of the chosen section that match the search text.
        case list
        /// A request for the details of a job.
        case details(Int)
        case cancel(Int)
        case hold(Int)
        case release(Int)
        /// A request to continue a suspended job.
        case resume(Int)
        /// A request to print an ended job again.
        case reprint(Int)
        case move(Int, printer: String)
        /// A request for the page images that a simulated printer has written for a job.
        case pages(Int)
        case redraw
        case quit
    }

    /// The group of jobs that the list shows.
    package enum Section: Hashable, Sendable {
        /// Jobs that are waiting or printing.
        case queue
        /// Ended jobs, newest first.
        case ended
    }

    /// The content of the screen.
    package enum Mode: Hashable, Sendable {
        /// The job list, with the selected job below the list.
        case list
        /// The details of the selected job on the whole screen. If `follows` is true, the newest event is always
        /// visible.
        case details(follows: Bool)
        /// The job list, with the search text that the user is typing.
        case search
        /// The question in which the user confirms a request that cannot be undone.
        case confirm(Request)
        /// The job list, with the name of the printer to which a job moves, which the user is typing.
        case move(Int, printer: String)
        /// The explanation of why a job is waiting.
        case why
        /// The list of keys and their actions.
        case keys
    }

    /// The jobs of a list.
    package struct Listing: Sendable {
        package var jobs: [JobView]
        /// Whether the list contains all jobs that match the query.
        package var isComplete: Bool
        /// The total number of jobs in the chosen section; nil during a search, or if the number is unknown.
        package var count: Int?

        package init(jobs: [JobView], isComplete: Bool, count: Int? = nil) {
            (self.jobs, self.isComplete, self.count) = (jobs, isComplete, count)
        }
    }

    package struct Details: Sendable {
        package var job: JobView
        /// The properties of the job as lines, in the form of `printq show`.
        package var lines: [String]
        /// The events as lines, oldest first.
        ///
        /// Each line begins with the local time of its event.
        package var events: [String]

        /// The column at which the values in ``lines`` begin.
        var indentation: Int {
            guard let line = lines.first else { return 0 }
            let title = line.prefix { $0 != " " }
            return line.prefix(title.count + line.dropFirst(title.count).prefix { $0 == " " }.count).count
        }

        package init(job: JobView, lines: [String], events: [String]) {
            (self.job, self.lines, self.events) = (job, lines, events)
        }
    }

    package private(set) var mode = Mode.list
    package private(set) var section = Section.queue
    /// The search text that filters the job list; empty if the list shows all jobs.
    package private(set) var query = ""
    /// The maximum number of jobs to load.
    package private(set) var limit = firstLimit
    package private(set) var listing = Listing(jobs: [], isComplete: false)
    /// The number of the selected job.
    package private(set) var selection: Int?
    package private(set) var details: Details?
    /// Whether the connection receives events from printd.
    package var isLive = true
    /// The result of the last action, as a sentence for users.
    package var note = ""
    /// The size of the terminal in characters.
    package private(set) var size: (columns: Int, rows: Int)
    /// The index of the first visible job.
    var top = 0
    /// The index of the first visible line of the details.
    var detailsTop = 0
    private var hasLoaded = false
    /// The job that the user has changed, which keeps its row in the results of a search.
    private var changed: Int?
    /// The mode before a question, to which the screen returns.
    private var modeBefore = Mode.list

    static let firstLimit = 200

    /// Creates a screen without jobs.
    package init(columns: Int, rows: Int) { size = (columns, rows) }

    // MARK: News

    /// Whether the list of jobs has arrived.
    package var isLoaded: Bool { hasLoaded }

    /// Shows a list of jobs, and returns the requests to perform.
    ///
    /// The scroll position does not change. If no job is selected, or if a search does not find the selected job, the
    /// first job is selected.
    ///
    /// A selected job that has ended keeps its row until another job is selected. In the results of a search, this
    /// applies to a job that the user has changed.
    package mutating func show(_ new: Listing) -> [Request] {
        var listing = new
        if let selection, let index = self.listing.jobs.firstIndex(where: { $0.id == selection }),
            query.isEmpty || selection == changed,
            !listing.jobs.contains(where: { $0.id == selection })
        {
            let job = details.flatMap { $0.job.id == selection ? $0.job : nil } ?? self.listing.jobs[index]
            listing.jobs.insert(job, at: min(index, listing.jobs.count))
        }
        // Jobs that appear or disappear above the list must not move the visible rows.
        let anchor = self.listing.jobs.indices.contains(top) ? self.listing.jobs[top].id : nil
        self.listing = listing
        hasLoaded = true
        if top > 0, let anchor, let index = listing.jobs.firstIndex(where: { $0.id == anchor }) { top = index }
        let before = selection
        if selection == nil || !listing.jobs.contains(where: { $0.id == selection }) {
            selection = listing.jobs.first?.id
        }
        scrollToSelection()
        guard let selection else {
            details = nil
            return []
        }
        return before == selection && details != nil ? [] : [.details(selection)]
    }

    /// Shows the details of a job if the job is selected.
    package mutating func show(_ new: Details) {
        guard new.job.id == selection else { return }
        details = new
        if let index = listing.jobs.firstIndex(where: { $0.id == new.job.id }) { listing.jobs[index] = new.job }
        if mode == .details(follows: true) { detailsTop = max(0, detailsLines.count - detailsRows) }
    }

    /// Removes a job that no longer exists.
    package mutating func remove(_ id: Int) {
        listing.jobs.removeAll { $0.id == id }
        if selection == id { selection = listing.jobs.first?.id }
        if details?.job.id == id { details = nil }
    }

    /// Changes the size of the terminal.
    package mutating func resize(columns: Int, rows: Int) {
        size = (columns, rows)
        scrollToSelection()
    }

    // MARK: Keys

    /// Handles a key.
    ///
    /// The function changes the state, and returns the requests to perform.
    package mutating func handle(_ key: CenterKey) -> [Request] {
        if key == .interrupt { return [.quit] }
        if key == .redraw { return [.redraw] }
        switch mode {
        case .list: return handleInList(key)
        case .details: return handleInDetails(key)
        case .search: return handleInSearch(key)
        case .confirm(let request):
            mode = modeBefore
            return key == .character("y") || key == .character("Y") ? [request] : []
        case .move(let id, let printer): return handleInMove(key, of: id, to: printer)
        case .why, .keys:
            mode = .list
            return []
        }
    }

    private mutating func handleInList(_ key: CenterKey) -> [Request] {
        note = ""
        switch key {
        case .up, .character("k"): return move(by: -1)
        case .down, .character("j"): return move(by: 1)
        case .pageUp: return move(by: -max(1, listRows - 1))
        case .pageDown: return move(by: max(1, listRows - 1))
        case .home, .character("g"): return move(by: -listing.jobs.count)
        case .end, .character("G"): return move(by: listing.jobs.count)
        case .enter, .right: return openDetails(follows: false)
        case .character("f"): return openDetails(follows: true)
        case .character("w"): return open(.why)
        case .character("/"): mode = .search
        case .character("?"): mode = .keys
        case .tab:
            (section, limit, top) = (section == .queue ? .ended : .queue, Self.firstLimit, 0)
            forgetSelection()
            return [.list]
        case .escape where !query.isEmpty: return search("")
        case .character("q"): return [.quit]
        default: return act(on: key)
        }
        return []
    }

    private mutating func handleInDetails(_ key: CenterKey) -> [Request] {
        note = ""
        switch key {
        case .escape, .enter, .left, .character("q"): mode = .list
        case .up, .character("k"): scrollDetails(by: -1)
        case .down, .character("j"): scrollDetails(by: 1)
        case .pageUp: scrollDetails(by: -detailsRows)
        case .pageDown: scrollDetails(by: detailsRows)
        case .home, .character("g"): scrollDetails(by: -detailsLines.count)
        case .end, .character("G"): scrollDetails(by: detailsLines.count)
        case .character("f"):
            mode = .details(follows: mode != .details(follows: true))
            if mode == .details(follows: true) { scrollDetails(by: detailsLines.count) }
        case .character("?"): mode = .keys
        case .character("w"): return open(.why)
        default: return act(on: key)
        }
        return []
    }

    private mutating func handleInSearch(_ key: CenterKey) -> [Request] {
        switch key {
        case .character(let character): return search(query + String(character))
        case .backspace: return search(String(query.dropLast()))
        case .escape:
            mode = .list
            return search("")
        case .enter, .up, .down:
            mode = .list
            return key == .enter ? [] : handleInList(key)
        default: return []
        }
    }

    private mutating func handleInMove(_ key: CenterKey, of id: Int, to printer: String) -> [Request] {
        switch key {
        case .character(let character): mode = .move(id, printer: printer + String(character))
        case .backspace: mode = .move(id, printer: String(printer.dropLast()))
        case .escape: mode = modeBefore
        case .enter:
            mode = modeBefore
            return printer.isEmpty ? [] : [.move(id, printer: printer)]
        default: break
        }
        return []
    }

    private mutating func ask(_ new: Mode) -> [Request] {
        (modeBefore, mode) = (mode, new)
        return []
    }

    /// Handles the key of a command for the selected job, and returns the requests to perform.
    private mutating func act(on key: CenterKey) -> [Request] {
        guard let job = selectedJob, case .character(let character) = key else { return [] }
        if "hxrm".contains(character) { changed = job.id }
        switch character {
        case "h":
            guard !job.hasEnded else {
                note = "job \(job.id) has ended"
                return []
            }
            return [job.state == .pendingHeld ? .release(job.id) : .hold(job.id)]
        case "x":
            guard !job.hasEnded else {
                note = "job \(job.id) is already \(job.state?.description ?? "ended")"
                return []
            }
            return ask(.confirm(.cancel(job.id)))
        case "r":
            if job.isSuspended { return [.resume(job.id)] }
            guard job.hasEnded else {
                note = "job \(job.id) is neither suspended nor ended"
                return []
            }
            return ask(.confirm(.reprint(job.id)))
        case "m":
            guard !job.hasEnded else {
                note = "job \(job.id) has ended"
                return []
            }
            return ask(.move(job.id, printer: ""))
        case "p", " ": return [.pages(job.id)]
        default: return []
        }
    }

    private mutating func open(_ new: Mode) -> [Request] {
        guard let selection else { return [] }
        mode = new
        return [.details(selection)]
    }

    private mutating func openDetails(follows: Bool) -> [Request] {
        detailsTop = 0
        return open(.details(follows: follows))
    }

    private mutating func search(_ text: String) -> [Request] {
        guard text != query else { return [] }
        (query, top, limit) = (text, 0, Self.firstLimit)
        forgetSelection()
        return [.list]
    }

    private mutating func forgetSelection() {
        (selection, details, changed) = (nil, nil, nil)
        hasLoaded = false
    }

    // MARK: Selection

    package var selectedJob: JobView? { listing.jobs.first { $0.id == selection } }

    private mutating func move(by step: Int) -> [Request] {
        guard !listing.jobs.isEmpty else { return [] }
        let old = listing.jobs.firstIndex { $0.id == selection } ?? 0
        let new = min(max(0, old + step), listing.jobs.count - 1)
        selection = listing.jobs[new].id
        var requests: [Request] = []
        if new != old {
            details = nil
            requests.append(.details(listing.jobs[new].id))
        }
        if new >= listing.jobs.count - listRows, !listing.isComplete, limit <= listing.jobs.count {
            limit *= 2
            requests.append(.list)
        }
        scrollToSelection()
        return requests
    }

    private mutating func scrollToSelection() {
        guard let index = listing.jobs.firstIndex(where: { $0.id == selection }) else { return top = 0 }
        if index < top { top = index }
        if index >= top + listRows { top = index - listRows + 1 }
        top = max(0, min(top, listing.jobs.count - listRows))
    }

    private mutating func scrollDetails(by step: Int) {
        detailsTop = max(0, min(detailsTop + step, detailsLines.count - detailsRows))
    }
}
