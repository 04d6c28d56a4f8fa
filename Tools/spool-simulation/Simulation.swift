// Simulates a spooler with printers, users and faults, determined by a seed.

import Glibc
import Logging
import PrintModel
import PrintSpool
import SimulatedDisk

/// A simulation of a spooler with printers, users and faults, determined by a seed.
///
/// All code runs on the loop, one step after another, so equal seeds produce equal events.
final class Simulation: @unchecked Sendable {
    // Unchecked, because the class is only used on the loop's thread.

    /// The spool's folder on the simulated disk.
    static let folder = "/spool"

    let seed: UInt64
    let dice: Dice
    let temper: Temper
    let loop: Loop
    let trace: Trace
    let ledger = Ledger()
    let disk = SimulatedDisk()
    let database: MemoryDatabase
    let sabotage: Sabotage?
    let logger: Logger
    /// The printers, by device URI.
    private(set) var devices: [String: Device] = [:]
    let printerNames: [String]

    /// The running process; nil between a crash and the next start.
    var process: SpoolerProcess?
    /// All processes that have not been checked for remaining tasks yet.
    var processes: [SpoolerProcess] = []
    /// The error of the wall clock, in seconds.
    var wallOffset = 0.0
    /// Whether faults can still occur.
    var isTroubled = true
    /// The failure of disk calls, and its probability.
    var diskTrouble: (failure: MemoryDatabase.CommitFailure, probability: Double)?
    /// The type of step at which the process will be killed, and the number of such steps before that.
    var fuseAt: (point: FusePoint, count: Int)?
    private(set) var violations: [String] = []
    private var lastName: UInt64 = 0
    private var commits = 0
    private var isOver = false

    /// The types of steps at which a process can be killed.
    enum FusePoint { case step, commit, committed, fileCall, request }

    init(seed: UInt64, database: MemoryDatabase, trace: Trace, sabotage: Sabotage?) throws {
        self.seed = seed
        self.trace = trace
        self.sabotage = sabotage
        dice = Dice(seed: seed, stream: 1)
        temper = Temper(dice)
        loop = Loop(dice: Dice(seed: seed, stream: 2), disorder: temper.disorder)
        self.database = database
        try database.clear(isForgetful: temper.isForgetful)
        printerNames = (0..<temper.printers).map { "p\($0)" }
        let sayings = trace
        let loop = loop
        logger = Logger(label: "simulation", factory: { _ in Sayings(trace: sayings, loop: loop) })
        for name in printerNames {
            devices["device:\(name)"] = Device(
                name: name, simulation: self, dice: Dice(seed: seed, stream: UInt64(devices.count + 10)))
        }
        loop.willStep = { [unowned self] in fuse(.step) }
    }

    /// The maximum number of steps in a simulation.
    private static let mostSteps = 400_000

    /// Runs the simulation and returns the violations.
    func run() -> [String] {
        let life = Task(executorPreference: loop) { [self] in
            await live()
            isOver = true
        }
        switch loop.run(steps: Self.mostSteps, until: { isOver }) {
        case .done: break
        case .idle: violate("deadlock: no task can run")
        case .exhausted: violate("no end after \(Self.mostSteps) steps and \(loop.now) seconds")
        }
        life.cancel()
        trace.mix(UInt64(loop.steps))
        for violation in violations { trace.mix(UInt64(violation.utf8.count)) }
        loop.willStep = {}
        devices = [:]
        return violations
    }

    /// The wall-clock time.
    var wallTime: UnixTime { 1_000_000_000 + loop.now + wallOffset }

    /// The probability that a request to a printer fails.
    var linkTrouble: Double { isTroubled ? temper.linkTrouble : 0 }

    /// The probability that a worker fails.
    var workerTrouble: Double { isTroubled ? temper.workerTrouble : 0 }

    /// Returns a unique name.
    func makeName() -> String {
        lastName += 1
        let digits = String(lastName, radix: 16)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    func note(_ happening: Happening, _ words: @autoclosure () -> String = "") {
        trace.note(happening, at: loop.now, words())
    }

    /// Records a violation.
    func violate(_ words: String) {
        guard violations.count < 20 else { return }
        violations.append(words)
        trace.say(at: loop.now, "VIOLATED: \(words)")
    }

    // MARK: - The process

    /// Starts a process.
    ///
    /// If the start fails, repeats the start after a delay, as service managers do.
    func boot() {
        guard process == nil else { return }
        let process = SpoolerProcess(number: processes.count, simulation: self)
        self.process = process
        processes.append(process)
        do {
            try process.start()
            guard process.isAlive else { return }
            note(.boot)
        } catch {
            note(.bootFailed, "\(error)")
            process.die()
            self.process = nil
            loop.after(1) { [self] in boot() }
        }
    }

    /// Kills the process, possibly by a power cut; another process starts after a delay.
    func kill(_ how: Happening) {
        guard let process else { return }
        note(how)
        process.die()
        self.process = nil
        if dice.chance(temper.powerCuts) {
            note(.powerCut)
            disk.cutPower { dice.chance(0.5) }
            // Cut the power in a later step, because the database may be in the middle of a commit.
            loop.post { [self] in
                do { try database.cutPower() } catch { violate("the power cannot be cut: \(error)") }
            }
        }
        loop.after(dice.seconds(0.01...20)) { [self] in
            sabotage?.beforeBoot(of: self)
            boot()
        }
    }

    /// Counts a step of a type, and kills the process when the count of the fuse is reached.
    func fuse(_ point: FusePoint) {
        guard let fuse = fuseAt, fuse.point == point, process != nil else { return }
        guard fuse.count <= 0 else {
            fuseAt = (point, fuse.count - 1)
            return
        }
        fuseAt = nil
        switch point {
        case .step: kill(.killed)
        case .commit: kill(.killedBeforeCommit)
        case .committed: kill(.killedAfterCommit)
        case .fileCall: kill(.killedAtFileCall)
        case .request: kill(.killedAtRequest)
        }
    }

    // MARK: - The disk

    /// Returns the `errno` with which a file call fails; nil if the call succeeds.
    func fault(at call: String, _ path: String) -> Int32? {
        fuse(.fileCall)
        if sabotage == .forgetSync && call == "fsync" { return 0 }
        guard isTroubled, let trouble = diskTrouble, dice.chance(trouble.probability) else { return nil }
        note(.failedFileCall, "\(call) \(path)")
        return trouble.failure.errno
    }

    /// Returns the error with which a commit fails; nil if the commit succeeds.
    func commitFailure() -> MemoryDatabase.CommitFailure? {
        guard isTroubled, let trouble = diskTrouble, dice.chance(trouble.probability) else { return nil }
        note(.refusedCommit)
        return trouble.failure
    }

    /// Counts a commit, before the client gets a response.
    func committed(by process: SpoolerProcess) {
        commits += 1
        if commits % 8 == 0 { loop.post { [self] in checkHands() } }
        fuse(.committed)
    }
}

/// A log handler that writes the product's log to the trace.
private struct Sayings: LogHandler {
    let trace: Trace
    let loop: Loop
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        trace.say(
            at: loop.now,
            "printd: \(event.message) \((event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " "))"
        )
    }
}

extension MemoryDatabase.CommitFailure {
    /// The `errno` of a file call for the same fault.
    fileprivate var errno: Int32 {
        switch self {
        case .full: ENOSPC
        case .inputOutput, .dead: EIO
        }
    }
}
