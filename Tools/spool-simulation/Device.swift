// A printer of a world: it takes jobs over a wire, and puts them on paper.

import PrintModel

/// A printer of a world: it takes jobs, puts them on paper page by page, and has its own troubles.
///
/// It knows nothing of spools. What comes over the wire names jobs by their number alone, as in IPP.
final class Device: @unchecked Sendable {
    // Unchecked: used on the loop's thread alone.

    /// A job at the printer.
    struct DeviceJob {
        var name: String
        var uuid: String?
        var state = JobState.pending
        var reasons: [JobStateReason] = [.jobIncoming]
        var message = ""
        /// What the document says; nil until it has come.
        var document: String?
        /// The sides that it asks for.
        var sides = 1...1
        var printed = 0
        /// Its place in `paper`, once the first page is out.
        var print: Int?
        var isStranger = false
    }

    /// A job as far as it came onto paper.
    struct Print {
        var name: String
        /// The marks of its documents.
        var document: String
        /// The sides that came out.
        var sides: [Int] = []
    }

    /// What the printer answers to a document.
    enum Reception { case taken, unknown, notPossible }

    let name: String
    private let world: World
    private let dice: Dice
    /// Whether it names its jobs with a UUID; one that does not keeps counting when it restarts.
    let givesUUIDs: Bool
    private let pageSeconds: Double
    private var jobs: [Int: DeviceJob] = [:]
    private var lastID = 0
    private var lastUUID = 0
    private var current: Int?
    /// How often it was switched on: what was to happen before a restart does not happen any more.
    private var era = 0
    /// Why it has stopped; nil while it prints.
    private(set) var stop: String?
    /// Until when nobody reaches it.
    var silentUntil = 0.0
    /// All that came out of it.
    private(set) var paper: [Print] = []
    /// The documents in the order in which they came, by job name.
    private(set) var arrivals: [String] = []

    init(name: String, world: World, dice: Dice) {
        self.name = name
        self.world = world
        self.dice = dice
        givesUUIDs = dice.chance(0.8)
        pageSeconds = dice.pick([0.05, 0.5, 2])
    }

    // MARK: - Over the wire

    func create(_ name: String) -> RemoteJob {
        lastID += 1
        var job = DeviceJob(name: name)
        if givesUUIDs {
            lastUUID += 1
            job.uuid = "urn:uuid:\(self.name)-\(lastUUID)"
        }
        jobs[lastID] = job
        let (id, era) = (lastID, era)
        world.loop.after(dice.pick([60, 240])) { [self] in
            guard era == self.era, jobs[id]?.document == nil, jobs[id]?.state == .pending else { return }
            end(id, .aborted, [.multipleOperationTimeOut], "no document came")
        }
        return RemoteJob(id: id, uuid: job.uuid)
    }

    func receive(_ document: String, for id: Int) -> Reception {
        guard let job = jobs[id] else { return .unknown }
        guard job.document == nil, job.state == .pending else { return .notPossible }
        let prepared = PreparedText(document)
        jobs[id]?.document = prepared.marks
        jobs[id]?.sides = prepared.sides
        jobs[id]?.reasons = []
        arrivals.append(job.name)
        world.note(.arrived, "\(job.name) as \(id) at \(name): \(document)")
        begin()
        return .taken
    }

    /// A part of the document came, then the wire broke.
    func receivePart(for id: Int) {
        guard let job = jobs[id], job.document == nil, job.state == .pending else { return }
        if dice.chance(0.5) {
            jobs[id]?.reasons = [.jobDataInsufficient]
        } else {
            end(id, .aborted, [.jobDataInsufficient], "the connection was lost")
        }
    }

    func status(_ id: Int) -> (uuid: String?, status: RemoteJobStatus)? {
        guard let job = jobs[id] else { return nil }
        return (
            job.uuid,
            RemoteJobStatus(
                state: job.state, reasons: job.reasons, message: job.message, impressionsCompleted: job.printed,
                sheetsCompleted: job.printed)
        )
    }

    /// The name of the job of that number.
    func jobName(_ id: Int) -> String? { jobs[id]?.name }

    func cancel(_ id: Int) {
        guard let job = jobs[id], !job.state.isTerminal else { return }
        end(id, .canceled, [.jobCanceledByUser])
    }

    var status: PrinterStatus {
        if let stop { return PrinterStatus(state: .stopped, reasons: ["media-empty-error"], message: stop) }
        return PrinterStatus(state: current == nil ? .idle : .processing)
    }

    // MARK: - Paper

    private func begin() {
        guard current == nil, stop == nil,
            let next = jobs.keys.sorted().first(where: { jobs[$0]?.state == .pending && jobs[$0]?.document != nil })
        else { return }
        current = next
        jobs[next]?.state = .processing
        jobs[next]?.reasons = [.jobPrinting]
        nextPage(of: next)
    }

    private func nextPage(of id: Int) {
        let era = era
        world.loop.after(pageSeconds) { [self] in
            guard era == self.era, current == id, stop == nil, let job = jobs[id] else { return }
            let place = job.print ?? paper.count
            if job.print == nil {
                paper.append(Print(name: job.name, document: job.document ?? ""))
                jobs[id]?.print = place
            }
            let side = job.sides.lowerBound + job.printed
            paper[place].sides.append(side)
            jobs[id]?.printed += 1
            world.note(.page, "\(side) of \(job.name) at \(name)")
            guard side == job.sides.upperBound else { return nextPage(of: id) }
            world.note(.printed, "\(job.name) at \(name)")
            end(id, .completed, [.jobCompletedSuccessfully])
        }
    }

    private func end(_ id: Int, _ state: JobState, _ reasons: [JobStateReason], _ message: String = "") {
        jobs[id]?.state = state
        jobs[id]?.reasons = reasons
        jobs[id]?.message = message
        if current == id { current = nil }
        begin()
    }
}

// MARK: - Troubles

extension Device {
    /// Out of paper, in mid-job if there is one.
    func halt() {
        guard stop == nil else { return }
        stop = "Out of paper"
        world.note(.stopped, name)
        if let current {
            jobs[current]?.state = .processingStopped
            jobs[current]?.reasons = [.printerStopped]
        }
    }

    /// Paper is there again.
    func goOn() {
        guard stop != nil else { return }
        stop = nil
        guard let current else { return begin() }
        jobs[current]?.state = .processing
        jobs[current]?.reasons = [.jobPrinting]
        nextPage(of: current)
    }

    /// Someone ends its job at the panel, or it gives the job up.
    func endCurrent() {
        guard let current, let job = jobs[current] else { return }
        world.note(.device, "\(job.name) at \(name)")
        switch dice.number(0...5) {
        case 0, 1:
            world.ledger.blame(.canceledAtDevice, name: job.name)
            end(current, .canceled, [.jobCanceledAtDevice], "canceled at the panel")
        case 2:
            world.ledger.blame(.unreadable, name: job.name)
            end(current, .aborted, [.documentFormatError], "cannot be read")
        default:
            world.note(.gaveUp, "\(job.name) at \(name), after \(job.printed)")
            switch world.afterInterruption(of: name) {
            case .abort: world.ledger.blame(.abortedAtDevice, name: job.name)
            case .continue: world.ledger.note(job.name) { $0.continuations += 1 }
            case .ask: break
            }
            end(current, .aborted, [.abortedBySystem], "a fault of the printer")
        }
    }

    /// Switched off and on: it forgets its jobs, and perhaps where its numbers were.
    func restart() {
        era += 1
        current = nil
        stop = nil
        world.note(.forgot, name)
        for id in jobs.keys.sorted() {
            guard let job = jobs[id], !job.isStranger else { continue }
            world.ledger.blame(.forgotten, name: job.name)
        }
        jobs = [:]
        if givesUUIDs && dice.chance(0.5) {
            world.note(.restartedIDs, name)
            lastID = 0
        }
    }

    /// It forgets jobs that have ended, as printers with little memory do.
    func forgetEnded() {
        world.note(.forgot, "ended jobs of \(name)")
        for id in jobs.keys.sorted() {
            guard let job = jobs[id], job.state.isTerminal else { continue }
            if !job.isStranger { world.ledger.blame(.forgotten, name: job.name) }
            jobs[id] = nil
        }
    }

    /// Somebody else prints on it.
    func takeStranger() {
        let remote = create("stranger")
        jobs[remote.id]?.isStranger = true
        world.note(.stranger, name)
        _ = receive("0@stranger", for: remote.id)
    }
}
