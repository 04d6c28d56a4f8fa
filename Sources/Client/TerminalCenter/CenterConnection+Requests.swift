// Carries out the requests of the terminal Print Center.

import Glibc
import IPP
import PrintModel
import PrintqOutput
import SpoolerClient

extension CenterConnection {
    func load(_ query: Query) async {
        let which: JobSelection = query.section == .queue ? .notCompleted : .completed
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

    func loadDetails(of id: Int) async {
        do throws(SpoolerClientError) {
            let group = try await spooler.job(id, JobDetails.attributeNames)
            let (details, now) = (JobDetails(group), UnixTime(time(nil)))
            let lines = details.text(now: now, hasEvents: false).split(separator: "\n").map(String.init)
            tell(
                .details(
                    .init(
                        job: JobView(group), lines: lines, events: details.events(now: now), ticket: details.ticket)))
        } catch {
            tell(error.code == .usage ? .removed(id) : .note(error.message))
        }
    }

    func loadPrinters() async {
        do throws(SpoolerClientError) {
            let answer = try await spooler.ask(.cupsGetPrinters, requested: PrinterView.attributeNames)
            tell(.printers(answer.groups(.printer).map(PrinterView.init)))
        } catch {
            tell(.note(error.message))
        }
    }

    /// Carries out requests, and tells the result: the failures too, of which the user would see only the last one.
    func carryOut(_ actions: [QueueScreen.Request]) async {
        var notes: [String] = []
        var failures: [String] = []
        for action in actions {
            do throws(SpoolerClientError) {
                if let note = try await carryOut(action) { notes.append(note) }
                if action.isOfForm { tell(.formEnded(problem: nil)) }
            } catch {
                if action.isOfForm { tell(.formEnded(problem: error.message)) } else { failures.append(error.message) }
            }
        }
        let done = notes.count > 1 ? ["\(notes.count) of \(actions.count) requests are carried out"] : notes
        let words = (done + failures).joined(separator: "; ")
        if !words.isEmpty { tell(.note(words)) }
        state.withLock { state in
            state.wantsDetails = state.selected != nil
            state.wantsPrinters = state.showsPrinters
        }
        waker.yield()
    }

    /// Carries out a request, and returns its result as a sentence; nil if the screen shows the result.
    private func carryOut(_ action: QueueScreen.Request) async throws(SpoolerClientError) -> String? {
        switch action {
        case .cancel(let id):
            try await spooler.ask(.cancelJob, job: id)
            return try await outcome(of: id)
        case .hold(let id):
            try await spooler.ask(.holdJob, job: id, attributes: HoldUntil.indefinite.attributes)
            return "job \(id) is held; press h to release the job"
        case .release(let id):
            try await spooler.ask(.releaseJob, job: id)
            return "job \(id) is released"
        case .resume(let id):
            try await spooler.resume(id, from: nil)
            return "job \(id) continues"
        case .reprint(let id):
            let new = try await spooler.reprint(JobReprint(job: id, id: Self.newID()))
            return "job \(id) is printed again as job \(new)"
        case .move(let id, let printer):
            try await spooler.move(id, to: printer)
            return "job \(id) is on \(printer) now"
        case .change(let id, let options):
            try await spooler.change(id, to: try Self.ticket(options), title: nil)
            return "the options of job \(id) are changed"
        case .submit(let path, let printer, let options):
            var submission = JobSubmission(documents: [try DocumentFile(path: Self.expanded(path))], id: Self.newID())
            submission.printer = printer.isEmpty ? nil : printer
            submission.ticket = try Self.ticket(options)
            return "job \(try await spooler.submit(submission)) is in the queue"
        case .choices(let printer):
            let names = ["sides-supported", "media-supported", "print-color-mode-supported"]
            let group = try await spooler.printer(printer.isEmpty ? nil : printer, names)
            var choices: [String: [String]] = [:]
            for name in names { choices[String(name.dropLast("-supported".count))] = group.keywords(name) }
            let printers = try await spooler.ask(.cupsGetPrinters, requested: ["printer-name"])
            choices["printer"] = printers.groups(.printer).compactMap { $0.string("printer-name") }
            tell(.choices(choices))
            return nil
        case .pages(let id):
            let job = JobView(try await spooler.job(id, JobView.followedNames))
            let written = job.outputFolder.map { PrintOutput(folder: $0).pagePaths } ?? []
            if !written.isEmpty {
                tell(.pages(id, JobPageImages(paths: written)))
            } else {
                tell(.pages(id, try await JobPageImages.drawn(of: id, at: place)))
            }
            return nil
        case .control(let control, let printer):
            try await spooler.ask(control.operation, printer: printer)
            return "\(printer) \(control.result)"
        case .moveJobs(let source, let target):
            try await spooler.move(to: target, fromPrinter: source)
            return "the waiting jobs of \(source) are on \(target) now"
        case .list, .details, .printers, .redraw, .quit: return nil
        }
    }

    private static func newID() -> String { "\(getpid())-\(UInt64.random(in: 0 ... .max))" }

    private static func ticket(_ options: [QueueScreen.OptionValue]) throws(SpoolerClientError) -> JobTicket {
        try JobTicket(options.map { OptionText(name: $0.name, value: $0.value) }, now: UnixTime(time(nil)))
    }

    /// Returns a path with the home folder of the user in place of `~`.
    private static func expanded(_ path: String) -> String {
        guard path.hasPrefix("~/"), let home = getenv("HOME").map({ String(cString: $0) }) else { return path }
        return home + path.dropFirst()
    }

    private func outcome(of id: Int) async throws(SpoolerClientError) -> String {
        let job = JobView(try await spooler.job(id, JobView.listedNames))
        return job.hasEnded ? "job \(id) is \(job.state?.description ?? "canceled")" : "job \(id) is being canceled"
    }
}

extension QueueScreen.Request {
    /// Whether a form waits for the result of the request.
    fileprivate var isOfForm: Bool {
        switch self {
        case .change, .submit: true
        default: false
        }
    }
}

extension QueueScreen.PrinterControl {
    fileprivate var operation: Operation {
        switch self {
        case .pause: .pausePrinter
        case .resume: .resumePrinter
        case .accept: .enablePrinter
        case .reject: .disablePrinter
        case .makeDefault: .cupsSetDefault
        }
    }

    fileprivate var result: String {
        switch self {
        case .pause: "is paused"
        case .resume: "is resumed"
        case .accept: "accepts jobs"
        case .reject: "rejects new jobs"
        case .makeDefault: "is the default printer"
        }
    }
}

extension JobView {
    /// Returns whether the name, the owner, the printer or the number of the job contains a text, ignoring case.
    fileprivate func matches(_ text: String) -> Bool {
        let text = text.lowercased()
        return [name, owner, printer, "\(id)"].contains { $0.lowercased().contains(text) }
    }
}
