// What faults do to a printer, and how they end.

package import PrintModel

/// A fault that has begun.
struct ActiveFault: Hashable, Sendable {
    var fault: Fault
    /// When it ends by itself; nil when someone must clear it.
    var endsAt: UnixTime?
    /// The other paper that it has put into trays, by their names.
    var paper: [String: Media] = [:]
}

extension SimulatedPrinter {
    /// Has a fault come, at once or when its moment does.
    package func plan(_ fault: Fault) {
        if let after = fault.start.after {
            delayed.append((fault, surroundings.now() + after))
            return seeTo()
        }
        faults.add(fault)
        noteEnd(ofAnswer: fault)
        for begun in faults.beginning() { begin(begun) }
        seeTo()
    }

    /// Ends faults and conditions of a name, or takes those back that have not begun; `all` means every one.
    ///
    /// - Returns: whether there were any.
    @discardableResult
    package func clear(_ name: String) -> Bool {
        let before = (conditions.count + active.count + faults.armed.count + delayed.count, isOff)
        let isHolding = release(heldBy: name)
        for word in name == "all" ? Set(clearableNames) : [name] {
            delayed.removeAll { $0.fault.name == word }
            conditions.removeAll { $0.reason == word }
            active.removeAll { $0.fault.name == word }
            faults.remove(word)
            if word == "crash", isOff { switchOn() }
        }
        seeTo()
        return isHolding || before != (conditions.count + active.count + faults.armed.count + delayed.count, isOff)
    }

    /// The words that `clear` takes now, in the order of the alphabet.
    package var clearableNames: [String] {
        let faults = faults.armed + delayed.map(\.fault) + heldFaults
        return Set(activeNames + faults.map(\.name) + conditions.map(\.reason)).sorted()
    }

    /// Ends a fault that has begun; one that is left to chance may begin again.
    package func mend(_ name: String) {
        active.removeAll { $0.fault.name == name }
        seeTo()
    }

    /// The faults that have begun and those to come, as `Fault(_:)` reads them.
    package var plannedFaults: (active: [String], armed: [String]) {
        let spent = heldFaults.filter { !faults.armed.contains($0) }
        return (
            active.map(\.fault.description) + spent.map(\.description),
            (faults.armed + delayed.map(\.fault)).map(\.description)
        )
    }

    /// How a request of an operation is met: by nobody, when there is no power, or else with the fault by which it is to be
    /// answered wrongly; nil when it is to be answered well.
    package func reception(of operation: String) -> (isSwitchedOff: Bool, fault: TriggeredFault?) {
        guard !isOff else { return (true, nil) }
        endDueAnswers()
        return (false, faults.answer(to: operation).map(meet))
    }

    /// How a handshake of TLS is to go wrong; nil when it is to go well.
    package func handshakeFault() -> TriggeredFault? {
        endDueAnswers()
        return faults.handshake().map(meet)
    }

    /// Ends the wrong answers whose time is over, and has those come whose moment has.
    func endDueAnswers() {
        armDueFaults()
        let now = surroundings.now()
        for (fault, end) in answerEnds where end <= now { faults.remove(fault.name) }
        answerEnds.removeAll { $0.end <= now }
    }

    /// Notes until when clients are answered wrongly.
    func noteEnd(ofAnswer fault: Fault) {
        guard let seconds = fault.secondsOfAnswers else { return }
        answerEnds.append((fault, surroundings.now() + seconds))
    }

    // MARK: - Power

    /// Switches the printer off at the next side: it prints nothing and answers nobody until it is switched on.
    package func switchOff() {
        isOff = true
        backAt = nil
        seeTo()
    }

    /// Whether it has no power.
    package var isSwitchedOff: Bool { isOff }

    /// Waits until it prints nothing any more.
    package func untilResting() async {
        let events = events()
        if current == nil { return }
        for await event in events where event == .printerChanged && current == nil { return }
    }

    /// Switches the printer on; what it finds then is what a printer finds whose power was cut.
    package func switchOn() {
        guard isOff else { return }
        isOff = false
        backAt = nil
        guard current == nil else { return ring() }  // it was not off for as long as a side takes
        do throws(SimulatorError) {
            try readMemory()
        } catch {
            conditions.append(.spoolAreaFull(error.message))
        }
        seeTo()
    }

    // MARK: - Steps

    /// Begins the faults that come before a job's next side with something on it is printed.
    func meetFaults(ofJob id: Int) {
        armDueFaults()
        guard let job = jobs[id] else { return }
        for fault in faults.beginning(atJob: id, side: job.impressionsCompleted + 1) { begin(fault) }
    }

    /// Has the faults come whose moment has.
    private func armDueFaults() {
        let now = surroundings.now()
        let due = delayed.filter { $0.at <= now }
        guard !due.isEmpty else { return }
        delayed.removeAll { $0.at <= now }
        for (fault, _) in due {
            var fault = fault
            fault.start.after = nil
            faults.add(fault)
            noteEnd(ofAnswer: fault)
        }
        for fault in faults.beginning() { begin(fault) }
    }

    /// Ends the faults whose time is over, lets those begin whose moment has come, and switches the printer on when its time has come.
    func endDueFaults() {
        armDueFaults()
        let now = surroundings.now()
        if active.contains(where: { $0.isOver(at: now) }) {
            active.removeAll { $0.isOver(at: now) }
            tell(.printerChanged)
            ring()
        }
        if isOff, let backAt, backAt <= now { switchOn() }
    }

    /// When something ends or begins by itself; nil when nothing does.
    var nextEnd: UnixTime? {
        (active.compactMap(\.endsAt) + delayed.map(\.at) + (isOff ? [backAt].compactMap { $0 } : [])).min()
    }

    /// What stops the printer because of faults.
    var faultStops: [StopCondition] {
        active.compactMap { item in
            guard case .stop(let reason) = item.fault.kind else { return nil }
            return StopCondition(reason: reason, message: Fault.stops[reason] ?? reason)
        }
    }

    /// What the printer says because of faults, and goes on.
    var faultWarnings: [String] {
        active.compactMap { if case .warning(let reason) = $0.fault.kind { "\(reason)-warning" } else { nil } }
    }

    /// How long a side takes.
    var sideInterval: Duration {
        let slowness = active.compactMap { if case .slow(let factor) = $0.fault.kind { factor } else { nil } }.max()
        guard let slowness else { return description.speed.interval(pagesPerMinute: description.pagesPerMinute) }
        return .seconds(60 * slowness / Double(description.pagesPerMinute))
    }

    /// Lets the trays hold what faults have put into them.
    func putWrongPaperIn() {
        memory.stock.wrongMedia = active.reduce(into: [:]) { $0.merge($1.paper) { $1 } }
    }

    /// Another size for each tray that has the paper of the job being printed, or else the usual one.
    private func wrongPaper(_ media: Media?) -> [String: Media] {
        let options = current.flatMap { jobs[$0.job]?.options }
        let paper = options?.paper ?? PrintPaper(media: description.defaultMedia)
        let trays = memory.stock.trays(with: paper, options?.mediaSource, of: description)
        return Dictionary(
            trays.map { ($0.name, media ?? otherSize(than: memory.stock.opened($0), for: paper)) },
            uniquingKeysWith: { first, _ in first })
    }

    private func otherSize(than tray: SimulatedPrinterDescription.Tray, for paper: PrintPaper) -> Media {
        if let width = tray.rollWidth {
            return .custom(width: Length(hundredths: max(width.hundredths * 3 / 4, 1)), height: width)
        }
        return description.papers.map(\.media).first { !$0.hasSameSize(as: tray.media ?? paper.media) }
            ?? (paper.media.hasSameSize(as: .a4) ? .letter : .a4)
    }

    /// Faults about paper end when paper is loaded, those about supplies when one is replaced.
    func endFaults(_ names: Set<String>) { active.removeAll { names.contains($0.fault.name) } }

    private var activeNames: [String] { active.map(\.fault.name) + (isOff ? ["crash"] : []) }

    /// A fault begins.
    func begin(_ fault: Fault) {
        let now = surroundings.now()
        var end: UnixTime?
        if case .seconds(let seconds) = fault.end { end = now + seconds }
        if fault.kind == .crash {
            isOff = true
            backAt = end
        } else {
            active.removeAll { $0.fault.name == fault.name }
            let paper: [String: Media] = if case .wrongSize(let media) = fault.kind { wrongPaper(media) } else { [:] }
            active.append(ActiveFault(fault: fault, endsAt: end, paper: paper))
            tell(.printerChanged)
        }
    }
}

extension ActiveFault {
    fileprivate func isOver(at now: UnixTime) -> Bool { endsAt.map { $0 <= now } ?? false }
}

// MARK: - Held requests

extension SimulatedPrinter {
    /// Keeps a job from being printed until it is released, or until its moment comes (IPP Hold-Job).
    ///
    /// - Throws: `noSuchJob`; `notPossible` once the printer has taken it up.
    package func holdJob(_ id: Int, until hold: HoldUntil) throws(SimulatorError) {
        try alter(id) { job throws(SimulatorError) in try job.keep(until: hold) }
    }

    /// Lets a held job be printed (IPP Release-Job).
    ///
    /// - Throws: `noSuchJob`; `notPossible` when it has ended.
    package func releaseJob(_ id: Int) throws(SimulatorError) {
        try alter(id) { job throws(SimulatorError) in try job.release() }
    }

    /// Changes what a waiting job asks for (IPP Set-Job-Attributes).
    ///
    /// - Throws: `noSuchJob`; `notPossible` once the printer has taken it up.
    package func changeJob(_ id: Int, to request: SimulatedJobRequest) throws(SimulatorError) {
        let printer = description
        try alter(id) { job throws(SimulatorError) in try job.ask(request, of: printer) }
        note(jobs[id]?.event("job-config-changed"))
    }

    /// Forgets the jobs that have ended, and those that do from here on, up to the newest (IPP Purge-Jobs); their folders
    /// stay.
    package func purgeJobs() {
        memory.purgedThrough = memory.nextJobID - 1
        for id in history { jobs[id] = nil }
        history = []
        remember()
    }

    /// When the next held job is to be released; nil when none is.
    var nextRelease: UnixTime? { unfinishedJobs.compactMap(\.releaseTime).min() }

    /// Releases the held jobs whose moment has come.
    func releaseDueJobs() {
        let now = surroundings.now()
        for job in unfinishedJobs where job.releaseTime.map({ $0 <= now }) ?? false { try? releaseJob(job.id) }
    }

    private func alter(
        _ id: Int, _ body: (inout SimulatedJob) throws(SimulatorError) -> Void
    ) throws(SimulatorError) {
        guard var job = jobs[id] else { throw .noSuchJob(id, at: description.name) }
        try body(&job)
        guard job != jobs[id] else { return }
        // A job in the printer's hands is written as it goes on.
        if current?.job != id { try folder.write(JobReport(job: job, printer: description.name)) }
        change(job)
        ring()
    }
}

extension SimulatedJob {
    /// The moment at which it is released by itself; nil when it waits for none.
    fileprivate var releaseTime: UnixTime? {
        guard isHeld, case .time(let moment) = hold else { return nil }
        return moment
    }
}
