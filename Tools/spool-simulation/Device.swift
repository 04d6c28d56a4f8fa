// Simulates a printer that receives jobs and prints them.

import PrintModel

/// A simulated printer, which receives jobs, prints them page by page, and has faults.
///
/// The printer does not depend on the spool. Requests identify jobs only by their numbers, as in IPP.
final class Device: @unchecked Sendable {
    // Unchecked, because the class is only used on the loop's thread.

    /// A job at the printer.
    struct DeviceJob {
        var name: String
        var uuid: String?
        var state = JobState.pending
        var reasons: [JobStateReason] = [.jobIncoming]
        var message = ""
        /// The content of the document; nil until the document has arrived.
        var document: String?
        /// The sides to print.
        var sides = 1...1
        var printed = 0
        /// The index in `paper` after the first page is printed.
        var print: Int?
        var isStranger = false
    }

    /// The printed part of a job.
    struct Print {
        var name: String
        /// The marks of the job's documents.
        var document: String
        /// The printed sides.
        var sides: [Int] = []
    }

    /// The printer's response to a document.
    enum Reception { case taken, unknown, notPossible }

    let name: String
    private let simulation: Simulation
    private let dice: Dice
    /// Whether the printer assigns UUIDs to jobs.
    ///
    /// A printer without UUIDs continues its job numbers after a restart.
    let givesUUIDs: Bool
    private let pageSeconds: Double
    private var jobs: [Int: DeviceJob] = [:]
    private var lastID = 0
    private var lastUUID = 0
    private var current: Int?
    /// The number of starts.
    ///
    /// Events that were scheduled before a restart are ignored.
    private var era = 0
    /// The reason why the printer has stopped; nil while it prints.
    private(set) var stop: String?
    /// The time until which the printer is unreachable.
    var silentUntil = 0.0
    /// All printed jobs.
    private(set) var paper: [Print] = []
    /// The documents in order of arrival, by job name.
    private(set) var arrivals: [String] = []

    init(name: String, simulation: Simulation, dice: Dice) {
        self.name = name
        self.simulation = simulation
        self.dice = dice
        givesUUIDs = dice.chance(0.8)
        pageSeconds = dice.pick([0.05, 0.5, 2])
    }

    // MARK: - Requests

    func create(_ name: String) -> RemoteJob {
        lastID += 1
        var job = DeviceJob(name: name)
        if givesUUIDs {
            lastUUID += 1
            job.uuid = "urn:uuid:\(self.name)-\(lastUUID)"
        }
        jobs[lastID] = job
        let (id, era) = (lastID, era)
        simulation.loop.after(dice.pick([60, 240])) { [self] in
            guard era == self.era, jobs[id]?.document == nil, jobs[id]?.state == .pending else { return }
            end(id, .aborted, [.multipleOperationTimeOut], "no document was received in time")
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
        simulation.note(.arrived, "\(job.name) as \(id) at \(name): \(document)")
        begin()
        return .taken
    }

    /// Receives a part of a document before the connection breaks.
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

    /// Returns the name of the job with a number.
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
        simulation.loop.after(pageSeconds) { [self] in
            guard era == self.era, current == id, stop == nil, let job = jobs[id] else { return }
            let place = job.print ?? paper.count
            if job.print == nil {
                paper.append(Print(name: job.name, document: job.document ?? ""))
                jobs[id]?.print = place
            }
            let side = job.sides.lowerBound + job.printed
            paper[place].sides.append(side)
            jobs[id]?.printed += 1
            simulation.note(.page, "\(side) of \(job.name) at \(name)")
            guard side == job.sides.upperBound else { return nextPage(of: id) }
            simulation.note(.printed, "\(job.name) at \(name)")
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

// MARK: - Faults

extension Device {
    /// Stops the printer because of missing paper, possibly during a job.
    func halt() {
        guard stop == nil else { return }
        stop = "Out of paper"
        simulation.note(.stopped, name)
        if let current {
            jobs[current]?.state = .processingStopped
            jobs[current]?.reasons = [.printerStopped]
        }
    }

    /// Adds paper and continues.
    func goOn() {
        guard stop != nil else { return }
        stop = nil
        guard let current else { return begin() }
        jobs[current]?.state = .processing
        jobs[current]?.reasons = [.jobPrinting]
        nextPage(of: current)
    }

    /// Ends the current job: a user cancels it at the panel, or the printer aborts it.
    func endCurrent() {
        guard let current, let job = jobs[current] else { return }
        simulation.note(.device, "\(job.name) at \(name)")
        switch dice.number(0...5) {
        case 0, 1:
            simulation.ledger.blame(.canceledAtDevice, name: job.name)
            end(current, .canceled, [.jobCanceledAtDevice], "canceled at the printer's panel")
        case 2:
            simulation.ledger.blame(.unreadable, name: job.name)
            end(current, .aborted, [.documentFormatError], "cannot be read")
        default:
            simulation.note(.gaveUp, "\(job.name) at \(name), after \(job.printed)")
            switch simulation.afterInterruption(of: name) {
            case .abort: simulation.ledger.blame(.abortedAtDevice, name: job.name)
            case .continue: simulation.ledger.note(job.name) { $0.continuations += 1 }
            case .ask: break
            }
            end(current, .aborted, [.abortedBySystem], "the printer has failed")
        }
    }

    /// Restarts the printer.
    ///
    /// It loses its jobs, and possibly its next job number.
    func restart() {
        era += 1
        current = nil
        stop = nil
        simulation.note(.forgot, name)
        for id in jobs.keys.sorted() {
            guard let job = jobs[id], !job.isStranger else { continue }
            simulation.ledger.blame(.forgotten, name: job.name)
        }
        jobs = [:]
        if givesUUIDs && dice.chance(0.5) {
            simulation.note(.restartedIDs, name)
            lastID = 0
        }
    }

    /// Removes ended jobs, like printers with little memory do.
    func forgetEnded() {
        simulation.note(.forgot, "ended jobs of \(name)")
        for id in jobs.keys.sorted() {
            guard let job = jobs[id], job.state.isTerminal else { continue }
            if !job.isStranger { simulation.ledger.blame(.forgotten, name: job.name) }
            jobs[id] = nil
        }
    }

    /// Receives a job from another sender.
    func takeStranger() {
        let remote = create("stranger")
        jobs[remote.id]?.isStranger = true
        simulation.note(.stranger, name)
        _ = receive("0@stranger", for: remote.id)
    }
}
