// A small world of a spooler, printers, people and bad luck, made from a seed.

import Glibc
import Logging
import PrintModel
import PrintSpool
import SimulatedDisk

/// A small world of a spooler, printers, people and bad luck, made from a seed.
///
/// Everything in it happens on its loop, one step after another, so the same seed is the same story.
final class World: @unchecked Sendable {
    // Unchecked: used on the loop's thread alone.

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
    /// The printers by their device URIs.
    private(set) var devices: [String: Device] = [:]
    let printerNames: [String]

    /// The process that runs now; nil between a death and the next start.
    var process: SpoolerProcess?
    /// All processes there were, until they are found to have left nothing running.
    var processes: [SpoolerProcess] = []
    /// How far the clock on the wall is off.
    var wallOffset = 0.0
    /// Whether troubles still come.
    var isTroubled = true
    /// Which calls of the disk fail now, and how often of 1.
    var diskTrouble: (failure: MemoryDatabase.CommitFailure, probability: Double)?
    /// What the process will die at, and after how many of them.
    var fuseAt: (point: FusePoint, count: Int)?
    private(set) var violations: [String] = []
    private var lastName: UInt64 = 0
    private var commits = 0
    private var isOver = false

    /// Points at which a process can be killed.
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
        logger = Logger(label: "world", factory: { _ in Sayings(trace: sayings, loop: loop) })
        for name in printerNames {
            devices["device:\(name)"] = Device(
                name: name, world: self, dice: Dice(seed: seed, stream: UInt64(devices.count + 10)))
        }
        loop.willStep = { [unowned self] in fuse(.step) }
    }

    /// The greatest number of steps a world may take, and of seconds of its calm.
    private static let mostSteps = 400_000

    /// Lives through it, and says what was wrong.
    func run() -> [String] {
        let life = Task(executorPreference: loop) { [self] in
            await live()
            isOver = true
        }
        switch loop.run(steps: Self.mostSteps, until: { isOver }) {
        case .done: break
        case .idle: violate("everything waits for something that never comes")
        case .exhausted: violate("it goes on for ever: \(Self.mostSteps) steps, \(loop.now) seconds")
        }
        life.cancel()
        trace.mix(UInt64(loop.steps))
        for violation in violations { trace.mix(UInt64(violation.utf8.count)) }
        loop.willStep = {}
        devices = [:]
        return violations
    }

    /// What the clock on the wall shows.
    var wallTime: UnixTime { 1_000_000_000 + loop.now + wallOffset }

    /// How often a request to a printer goes wrong.
    var linkTrouble: Double { isTroubled ? temper.linkTrouble : 0 }

    /// How often a worker fails.
    var workerTrouble: Double { isTroubled ? temper.workerTrouble : 0 }

    /// A name that nothing else has.
    func makeName() -> String {
        lastName += 1
        let digits = String(lastName, radix: 16)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    func note(_ happening: Happening, _ words: @autoclosure () -> String = "") {
        trace.note(happening, at: loop.now, words())
    }

    /// Notes that something is as it must not be.
    func violate(_ words: String) {
        guard violations.count < 20 else { return }
        violations.append(words)
        trace.say(at: loop.now, "VIOLATED: \(words)")
    }

    // MARK: - The process

    /// Starts a process; one that cannot start is started again in a while, as service managers do.
    func boot() {
        guard process == nil else { return }
        let process = SpoolerProcess(number: processes.count, world: self)
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

    /// Kills the process, perhaps with the power; another one starts in a while.
    func kill(_ how: Happening) {
        guard let process else { return }
        note(how)
        process.die()
        self.process = nil
        if dice.chance(temper.powerCuts) {
            note(.powerCut)
            disk.cutPower { dice.chance(0.5) }
            // A step later, for the database may be in the middle of a commit.
            loop.post { [self] in
                do { try database.cutPower() } catch { violate("the power cannot be cut: \(error)") }
            }
        }
        loop.after(dice.seconds(0.01...20)) { [self] in
            sabotage?.beforeBoot(of: self)
            boot()
        }
    }

    /// Burns the fuse down, if it is one for this point; at its end the process is killed.
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

    /// The `errno` with which a file call fails.
    func fault(at call: String, _ path: String) -> Int32? {
        fuse(.fileCall)
        if sabotage == .forgetSync && call == "fsync" { return 0 }
        guard isTroubled, let trouble = diskTrouble, dice.chance(trouble.probability) else { return nil }
        note(.failedFileCall, "\(call) \(path)")
        return trouble.failure.errno
    }

    /// Why a commit fails.
    func commitFailure() -> MemoryDatabase.CommitFailure? {
        guard isTroubled, let trouble = diskTrouble, dice.chance(trouble.probability) else { return nil }
        note(.refusedCommit)
        return trouble.failure
    }

    /// Something was committed, and nobody was told yet.
    func committed(by process: SpoolerProcess) {
        commits += 1
        if commits % 8 == 0 { loop.post { [self] in checkHands() } }
        fuse(.committed)
    }
}

/// The product's log, in the trace.
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
    /// What a file call says of the same trouble.
    fileprivate var errno: Int32 {
        switch self {
        case .full: ENOSPC
        case .inputOutput, .dead: EIO
        }
    }
}
