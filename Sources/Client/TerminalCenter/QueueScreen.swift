// The state of the terminal Print Center: the list, the selected job, the marks and the printers.

package import PrintModel
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
        /// A request to change options of a waiting job.
        case change(Int, [OptionValue])
        /// A request to print a file; an empty name of the printer means the default printer.
        case submit(path: String, printer: String, [OptionValue])
        /// A request for the values of options that a printer supports; an empty name means the default printer.
        case choices(printer: String)
        /// A request for the images of a job's pages.
        case pages(Int)
        /// A request for the printers.
        case printers
        case control(PrinterControl, printer: String)
        /// A request to move all waiting jobs of a printer to another printer.
        case moveJobs(from: String, to: String)
        case redraw
        case quit
    }

    /// An option of a job, with the names and values that `printq submit -o` accepts.
    package struct OptionValue: Hashable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// A change of the state of a printer.
    package enum PrinterControl: Hashable, Sendable { case pause, resume, accept, reject, makeDefault }

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
        /// The question in which the user confirms requests that cannot be undone.
        case confirm([Request])
        /// The job list, with the name of the printer to which jobs move, which the user is typing.
        case move([Int], printer: String)
        /// The options of a waiting job, or a new job.
        case form(JobForm)
        /// The printers.
        case printers
        /// The printers, with the name of the printer to which the jobs of a printer move, which the user is typing.
        case moveJobs(from: String, to: String)
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
        /// The properties of the job as lines, in the form of `printq show`, without its events.
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

        /// The options of the job.
        package var ticket: JobTicket

        package init(job: JobView, lines: [String], events: [String], ticket: JobTicket = JobTicket()) {
            (self.job, self.lines, self.events, self.ticket) = (job, lines, events, ticket)
        }
    }

    package internal(set) var mode = Mode.list
    package internal(set) var section = Section.queue
    /// The search text that filters the job list; empty if the list shows all jobs.
    package internal(set) var query = ""
    /// The maximum number of jobs to load.
    package internal(set) var limit = firstLimit
    package private(set) var listing = Listing(jobs: [], isComplete: false)
    /// The number of the selected job.
    package internal(set) var selection: Int?
    package internal(set) var details: Details?
    /// The numbers of the marked jobs, to which commands apply instead of to the selected job.
    package internal(set) var marks: Set<Int> = []
    /// The printers; nil before they have arrived.
    package internal(set) var printers: [PrinterView]?
    /// The name of the selected printer.
    package internal(set) var selectedPrinter: String?
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
    var hasLoaded = false
    /// The job that the user has changed, which keeps its row in the results of a search.
    var changed: Set<Int> = []
    /// The mode before a question, to which the screen returns.
    var modeBefore = Mode.list

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
            query.isEmpty || changed.contains(selection),
            !listing.jobs.contains(where: { $0.id == selection })
        {
            let job = details.flatMap { $0.job.id == selection ? $0.job : nil } ?? self.listing.jobs[index]
            listing.jobs.insert(job, at: min(index, listing.jobs.count))
        }
        // Jobs that appear or disappear above the list must not move the visible rows.
        let anchor = self.listing.jobs.indices.contains(top) ? self.listing.jobs[top].id : nil
        self.listing = listing
        hasLoaded = true
        marks.formIntersection(listing.jobs.map(\.id))
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
        marks.remove(id)
        if selection == id { selection = listing.jobs.first?.id }
        if details?.job.id == id { details = nil }
    }

    /// Shows the printers.
    package mutating func show(_ new: [PrinterView]) {
        printers = new
        if !new.contains(where: { $0.name == selectedPrinter }) {
            selectedPrinter = (new.first(where: \.isDefault) ?? new.first)?.name
        }
    }

    /// Shows the supported values of options in the form.
    package mutating func show(choices: [String: [String]]) {
        guard case .form(var form) = mode else { return }
        form.show(choices: choices)
        mode = .form(form)
    }

    /// Closes the form, or shows why the request of the form was refused.
    package mutating func endForm(problem: String?) {
        guard case .form(var form) = mode, form.isSending else { return }
        form.isSending = false
        form.problem = problem ?? ""
        mode = problem == nil ? modeBefore : .form(form)
    }

    /// Changes the size of the terminal.
    package mutating func resize(columns: Int, rows: Int) {
        size = (columns, rows)
        scrollToSelection()
    }

    // MARK: Selection

    mutating func forgetSelection() {
        (selection, details, changed, marks) = (nil, nil, [], [])
        hasLoaded = false
    }

    /// Whether the screen shows the printers.
    package var showsPrinters: Bool {
        switch mode {
        case .printers, .moveJobs: true
        case .form, .keys: modeBefore == .printers
        default: false
        }
    }

    package var selectedJob: JobView? { listing.jobs.first { $0.id == selection } }

    mutating func move(by step: Int) -> [Request] {
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

    mutating func scrollToSelection() {
        guard let index = listing.jobs.firstIndex(where: { $0.id == selection }) else { return top = 0 }
        if index < top { top = index }
        if index >= top + listRows { top = index - listRows + 1 }
        top = max(0, min(top, listing.jobs.count - listRows))
    }

    mutating func scrollDetails(by step: Int) {
        detailsTop = max(0, min(detailsTop + step, detailsLines.count - detailsRows))
    }
}
