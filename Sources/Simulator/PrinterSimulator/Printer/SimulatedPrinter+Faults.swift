// Applies faults to a printer, and ends them.

package import PrintModel

struct ActiveFault: Hashable, Sendable {
    var fault: Fault
    var startedAt: UnixTime
    /// The time when the fault ends; nil if a command must clear the fault.
    var endsAt: UnixTime?
    /// The paper sizes that the fault has put into trays, by tray name.
    var paper: [String: Media] = [:]
}

extension SimulatedPrinter {
    /// Starts a fault immediately, or when its start condition is met.
    package func plan(_ fault: Fault) {
        if let after = fault.start.after {
            delayed.append((fault, environment.now() + after))
            return stateChanged()
        }
        faults.add(fault)
        noteEnd(ofAnswer: fault)
        for begun in faults.beginning() { begin(begun) }
        stateChanged()
    }

    /// The name `all` clears every fault and condition.
    ///
    /// - Returns: Whether a fault or condition was cleared.
    @discardableResult
    package func clear(_ name: String) -> Bool {
        let before = (conditions.count + active.count + faults.armed.count + delayed.count, isOff)
        let isHolding = release(heldBy: name)
        for word in name == "all" ? Set(clearableNames) : [name] {
            delayed.removeAll { $0.fault.name == word }
            conditions.removeAll { $0.reason == word }
            active.removeAll { $0.fault.name == word }
            faults.remove(word)
            answerEnds.removeAll { $0.fault.name == word }
            if word == "crash", isOff { switchOn() }
        }
        stateChanged()
        return isHolding || before != (conditions.count + active.count + faults.armed.count + delayed.count, isOff)
    }

    /// The names that `clear` currently accepts, in alphabetical order.
    package var clearableNames: [String] {
        let faults = faults.armed + delayed.map(\.fault) + heldFaults
        return Set(activeNames + faults.map(\.name) + conditions.map(\.reason)).sorted()
    }

    /// The started and the pending faults, in the syntax of `Fault(_:)`.
    package var plannedFaults: (active: [String], armed: [String]) {
        let reports = faultReports
        func texts(_ isActive: Bool) -> [String] {
            reports.filter { $0.isActive == isActive }.map(\.fault.description)
        }
        return (texts(true), texts(false))
    }

    /// The started and the pending faults, with their start and end times.
    ///
    /// A response fault starts with the first affected request. The start time of a response fault is not recorded.
    package var faultReports: [FaultReport] {
        let spent = heldFaults.filter { !faults.armed.contains($0) }
        return active.map {
            FaultReport(fault: $0.fault, isActive: true, startedAt: $0.startedAt, endsAt: $0.endsAt)
        }
            + spent.map { FaultReport(fault: $0, isActive: true) }
            + faults.armed.map { FaultReport(fault: $0, isActive: false) }
            + delayed.map { FaultReport(fault: $0.fault, isActive: false, startsAt: $0.at) }
    }

    /// The fault is nil if no fault affects the response.
    package func reception(of operation: String) -> (isSwitchedOff: Bool, fault: TriggeredFault?) {
        guard !isOff else { return (true, nil) }
        endDueAnswers()
        return (false, faults.answer(to: operation).map(meet))
    }

    package func handshakeFault() -> TriggeredFault? {
        endDueAnswers()
        return faults.handshake().map(meet)
    }

    func endDueAnswers() {
        armDueFaults()
        let now = environment.now()
        for (fault, end) in answerEnds where end <= now { faults.remove(fault) }
        answerEnds.removeAll { $0.end <= now }
    }

    func noteEnd(ofAnswer fault: Fault) {
        guard let seconds = fault.secondsOfAnswers else { return }
        answerEnds.append((fault, environment.now() + seconds))
    }

    // MARK: - Power

    /// Switches the printer off; a side that is being printed is completed.
    ///
    /// Until the printer is switched on, the printer prints no jobs and sends no responses.
    package func switchOff() {
        isOff = true
        backAt = nil
        stateChanged()
    }

    package var isSwitchedOff: Bool { isOff }

    package func untilResting() async {
        let events = events()
        if current == nil { return }
        for await event in events where event == .printerChanged && current == nil { return }
    }

    /// The printer restores its stored state, as after a power failure.
    package func switchOn() {
        guard isOff else { return }
        isOff = false
        backAt = nil
        guard current == nil else { return wake() }  // it was off for less time than a side takes
        do throws(SimulatorError) {
            try readMemory()
        } catch {
            conditions.append(.spoolAreaFull(error.message))
        }
        stateChanged()
    }

    // MARK: - Start and end of faults

    /// Starts the faults that are due before the next side of a job.
    ///
    /// Blank backs are not counted as sides.
    func meetFaults(ofJob id: Int) {
        armDueFaults()
        guard let job = jobs[id] else { return }
        for fault in faults.beginning(atJob: id, side: job.impressionsCompleted + 1) { begin(fault) }
    }

    /// A fault with another start condition starts when that condition is met, any other fault immediately.
    private func armDueFaults() {
        let now = environment.now()
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

    func endDueFaults() {
        armDueFaults()
        let now = environment.now()
        if active.contains(where: { $0.isOver(at: now) }) {
            active.removeAll { $0.isOver(at: now) }
            tell(.printerChanged)
            wake()
        }
        if isOff, let backAt, backAt <= now { switchOn() }
    }

    /// The next time at which a delayed fault can start, a started fault ends, or the power returns; nil if no such
    /// time is planned.
    var nextEnd: UnixTime? {
        (active.compactMap(\.endsAt) + delayed.map(\.at) + (isOff ? [backAt].compactMap { $0 } : [])).min()
    }

    var faultStops: [StopCondition] {
        active.compactMap { item in
            guard case .stop(let reason) = item.fault.kind else { return nil }
            return StopCondition(reason: reason, message: Fault.stops[reason] ?? reason)
        }
    }

    var faultWarnings: [String] {
        active.compactMap { if case .warning(let reason) = $0.fault.kind { "\(reason)-warning" } else { nil } }
    }

    var sideInterval: Duration {
        let slowness = active.compactMap { if case .slow(let factor) = $0.fault.kind { factor } else { nil } }.max()
        guard let slowness else { return description.speed.interval(pagesPerMinute: description.pagesPerMinute) }
        return .seconds(60 * slowness / Double(description.pagesPerMinute))
    }

    func putWrongPaperIn() {
        memory.stock.wrongMedia = active.reduce(into: [:]) { $0.merge($1.paper) { $1 } }
    }

    /// Without a job, the default paper is used.
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

    /// A fault with a probability can start again.
    package func endFaults(_ names: Set<String>) {
        active.removeAll { names.contains($0.fault.name) }
        stateChanged()
    }

    private var activeNames: [String] { active.map(\.fault.name) + (isOff ? ["crash"] : []) }

    /// Starts a fault that affects the printer itself, and not the responses to clients.
    func begin(_ fault: Fault) {
        let now = environment.now()
        var end: UnixTime?
        if case .seconds(let seconds) = fault.end { end = now + seconds }
        if fault.kind == .crash {
            isOff = true
            backAt = end
        } else {
            active.removeAll { $0.fault.name == fault.name }
            let paper: [String: Media] = if case .wrongSize(let media) = fault.kind { wrongPaper(media) } else { [:] }
            active.append(ActiveFault(fault: fault, startedAt: now, endsAt: end, paper: paper))
            tell(.printerChanged)
        }
    }
}

extension ActiveFault {
    fileprivate func isOver(at now: UnixTime) -> Bool { endsAt.map { $0 <= now } ?? false }
}

// MARK: - Held jobs

extension SimulatedPrinter {
    /// Puts a job on hold until a client releases the job or the hold time has passed (IPP Hold-Job).
    ///
    /// - Throws: `noSuchJob`; `notPossible` when the printer has started the job.
    package func holdJob(_ id: Int, until hold: HoldUntil) throws(SimulatorError) {
        try alter(id) { job throws(SimulatorError) in try job.keep(until: hold) }
    }

    /// Releases a held job (IPP Release-Job).
    ///
    /// - Throws: `noSuchJob`; `notPossible` when the job has ended.
    package func releaseJob(_ id: Int) throws(SimulatorError) {
        try alter(id) { job throws(SimulatorError) in try job.release() }
    }

    /// Changes the options of a waiting job (IPP Set-Job-Attributes).
    ///
    /// - Throws: `noSuchJob`; `notPossible` when the printer has started the job.
    package func changeJob(_ id: Int, to request: SimulatedJobRequest) throws(SimulatorError) {
        let printer = description
        try alter(id) { job throws(SimulatorError) in try job.ask(request, of: printer) }
        note(jobs[id]?.event("job-config-changed"))
    }

    /// Removes the ended jobs from the history (IPP Purge-Jobs).
    ///
    /// A job that is unfinished at the time of the call is removed when the job ends. The job folders are not deleted.
    package func purgeJobs() {
        memory.purgedThrough = memory.nextJobID - 1
        for id in history { jobs[id] = nil }
        history = []
        remember()
    }

    /// The time when the next held job is released; nil if no job has a hold time.
    var nextRelease: UnixTime? { unfinishedJobs.compactMap(\.releaseTime).min() }

    func releaseDueJobs() {
        let now = environment.now()
        for job in unfinishedJobs where job.releaseTime.map({ $0 <= now }) ?? false { try? releaseJob(job.id) }
    }

    private func alter(
        _ id: Int, _ body: (inout SimulatedJob) throws(SimulatorError) -> Void
    ) throws(SimulatorError) {
        guard var job = jobs[id] else { throw .noSuchJob(id, at: description.name) }
        try body(&job)
        guard job != jobs[id] else { return }
        // The report of the current job is written when the job continues.
        if current?.job != id { try folder.write(JobReport(job: job, printer: description.name)) }
        change(job)
        wake()
    }
}

extension SimulatedJob {
    fileprivate var releaseTime: UnixTime? {
        guard isHeld, case .time(let moment) = hold else { return nil }
        return moment
    }
}
