// The reaction of the terminal Print Center to keys.

import SpoolerClient

extension QueueScreen {
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
        case .confirm(let requests):
            mode = modeBefore
            guard key == .character("y") || key == .character("Y") else { return [] }
            marks = []
            return requests
        case .move(let ids, let printer): return handleInMove(key, of: ids, to: printer)
        case .form(let form): return handleInForm(key, form)
        case .printers: return handleInPrinters(key)
        case .moveJobs(let source, let target): return handleInMoveJobs(key, from: source, to: target)
        case .why, .keys:
            mode = modeBefore
            modeBefore = .list
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
        case .character(" "):
            guard let selection else { return [] }
            if marks.remove(selection) == nil { marks.insert(selection) }
            return move(by: 1)
        case .character("*"):
            let all = Set(listing.jobs.map(\.id))
            marks = marks == all ? [] : all
        case .character("n"): return openForm(JobForm(printer: ""))
        case .character("P"):
            (mode, modeBefore) = (.printers, .list)
            return [.printers]
        case .tab:
            (section, limit, top) = (section == .queue ? .ended : .queue, Self.firstLimit, 0)
            forgetSelection()
            return [.list]
        case .escape where !marks.isEmpty: marks = []
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

    private mutating func handleInMove(_ key: CenterKey, of ids: [Int], to printer: String) -> [Request] {
        switch key {
        case .character(let character): mode = .move(ids, printer: printer + String(character))
        case .backspace: mode = .move(ids, printer: String(printer.dropLast()))
        case .escape: mode = modeBefore
        case .enter:
            mode = modeBefore
            guard !printer.isEmpty else { return [] }
            marks = []
            return ids.map { .move($0, printer: printer) }
        default: break
        }
        return []
    }

    private mutating func handleInForm(_ key: CenterKey, _ form: JobForm) -> [Request] {
        var form = form
        switch form.handle(key) {
        case .nothing: mode = .form(form)
        case .canceled: mode = modeBefore
        case .request(let request):
            mode = .form(form)
            return [request]
        }
        return []
    }

    private mutating func openForm(_ form: JobForm) -> [Request] {
        (modeBefore, mode) = (mode, .form(form))
        return [.choices(printer: form.printer)]
    }

    // MARK: Printers

    private mutating func handleInPrinters(_ key: CenterKey) -> [Request] {
        note = ""
        let names = printers?.map(\.name) ?? []
        let index = names.firstIndex { $0 == selectedPrinter } ?? 0
        func printer(_ new: Int) -> String? { names.isEmpty ? nil : names[min(max(0, new), names.count - 1)] }
        switch key {
        case .escape, .left, .character("q"): mode = .list
        case .up, .character("k"): selectedPrinter = printer(index - 1)
        case .down, .character("j"): selectedPrinter = printer(index + 1)
        case .home, .character("g"): selectedPrinter = names.first
        case .end, .character("G"): selectedPrinter = names.last
        case .character("?"): (modeBefore, mode) = (.printers, .keys)
        case .character(let command):
            guard let printer = printers?.first(where: { $0.name == selectedPrinter }) else { return [] }
            switch command {
            case "p": return [.control(printer.phase == .paused ? .resume : .pause, printer: printer.name)]
            case "a": return [.control(printer.isAccepting ? .reject : .accept, printer: printer.name)]
            case "d": return [.control(.makeDefault, printer: printer.name)]
            case "m": mode = .moveJobs(from: printer.name, to: "")
            case "n": return openForm(JobForm(printer: printer.name))
            default: break
            }
        default: break
        }
        return []
    }

    private mutating func handleInMoveJobs(_ key: CenterKey, from source: String, to target: String) -> [Request] {
        switch key {
        case .character(let character): mode = .moveJobs(from: source, to: target + String(character))
        case .backspace: mode = .moveJobs(from: source, to: String(target.dropLast()))
        case .escape: mode = .printers
        case .enter:
            mode = .printers
            return target.isEmpty ? [] : [.moveJobs(from: source, to: target)]
        default: break
        }
        return []
    }

    // MARK: Commands for jobs

    private mutating func ask(_ new: Mode) -> [Request] {
        (modeBefore, mode) = (mode, new)
        return []
    }

    /// The jobs to which a command applies: the marked jobs of the list, or the selected job.
    private var targets: [JobView] {
        if mode == .list, !marks.isEmpty { return listing.jobs.filter { marks.contains($0.id) } }
        return selectedJob.map { [$0] } ?? []
    }

    /// Handles the key of a command for the marked jobs or the selected job, and returns the requests to perform.
    private mutating func act(on key: CenterKey) -> [Request] {
        guard let job = selectedJob, case .character(let character) = key else { return [] }
        let targets = targets
        if "hxrmo".contains(character) { changed.formUnion(targets.map(\.id)) }
        switch character {
        case "h": return hold(targets)
        case "x":
            let open = targets.filter { !$0.hasEnded }
            guard !open.isEmpty else { return refuse(targets) { "is already \($0.state?.description ?? "ended")" } }
            return ask(.confirm(open.map { .cancel($0.id) }))
        case "r":
            let resumed = targets.filter(\.isSuspended).map { Request.resume($0.id) }
            let again = targets.filter(\.hasEnded).map { Request.reprint($0.id) }
            guard !resumed.isEmpty || !again.isEmpty else {
                return refuse(targets) { _ in "is neither suspended nor ended" }
            }
            guard !again.isEmpty else {
                marks = []
                return resumed
            }
            return ask(.confirm(resumed + again))
        case "m":
            let open = targets.filter { !$0.hasEnded }
            guard !open.isEmpty else { return refuse(targets) { _ in "has ended" } }
            return ask(.move(open.map(\.id), printer: ""))
        case "o":
            guard job.state == .pending || job.state == .pendingHeld else {
                return refuse([job]) {
                    "is \($0.state?.description ?? "not waiting"); only waiting jobs can be changed"
                }
            }
            guard let details, details.job.id == job.id else { return [.details(job.id)] }
            return openForm(JobForm(job: job, ticket: details.ticket))
        case "p": return [.pages(job.id)]
        default: return []
        }
    }

    /// Returns the requests that hold jobs, or that release the jobs if all of them are held.
    private mutating func hold(_ targets: [JobView]) -> [Request] {
        let open = targets.filter { !$0.hasEnded }
        guard !open.isEmpty else { return refuse(targets) { _ in "has ended" } }
        marks = []
        let isHeld = open.allSatisfy { $0.state == .pendingHeld }
        return open.filter { isHeld || $0.state != .pendingHeld }.map { isHeld ? .release($0.id) : .hold($0.id) }
    }

    private mutating func refuse(_ jobs: [JobView], because reason: (JobView) -> String) -> [Request] {
        note = jobs.first.map { "job \($0.id) \(reason($0))" } ?? ""
        if jobs.count > 1 { note += ", and so are the other marked jobs" }
        return []
    }

    private mutating func open(_ new: Mode) -> [Request] {
        guard let selection else { return [] }
        modeBefore = .list
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
}
