// Simulates a spooler with printers, users and faults, determined by a seed.

import Glibc
import Logging
import PrintModel
import PrintSpool
import SimulatedDatabase
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
    let database: MemoryDatabase
    /// The database server that the hosts share; nil if one host has an SQLite database.
    private(set) var server: SimulatedDatabaseServer?
    let sharedTemper: SharedTemper
    /// The order of the queue.
    let order: QueueOrder
    private(set) var hosts: [SimulatedHost] = []
    let sabotage: Sabotage?
    let logger: Logger
    /// The printers, by device URI.
    private(set) var devices: [String: Device] = [:]
    let printerNames: [String]

    /// All processes that have not been checked for remaining tasks yet.
    var processes: [SpoolerProcess] = []
    /// The error of the wall clock, in seconds.
    var wallOffset = 0.0
    /// Whether faults can still occur.
    var isTroubled = true
    private(set) var violations: [String] = []
    private var lastName: UInt64 = 0
    private var commits = 0
    private var isOver = false

    /// The start of the monotonic clock of all hosts.
    private let start = ContinuousClock.now

    init(seed: UInt64, store: Store, database: MemoryDatabase, trace: Trace, sabotage: Sabotage?) throws {
        self.seed = seed
        self.trace = trace
        self.sabotage = sabotage
        dice = Dice(seed: seed, stream: 1)
        sharedTemper = SharedTemper(Dice(seed: seed, stream: 3))
        order = Dice(seed: seed, stream: 4).chance(0.3) ? .fair : .perPrinter
        var temper = Temper(dice)
        if store == .postgresql {
            temper.troubledSeconds = sharedTemper.troubledSeconds
            temper.ordersPerClient = sharedTemper.ordersPerClient
        }
        self.temper = temper
        loop = Loop(dice: Dice(seed: seed, stream: 2), disorder: temper.disorder)
        self.database = database
        // A crash of the server may always lose commits that were not forced.
        try database.clear(isForgetful: store == .postgresql ? sharedTemper.serverTrouble > 0 : temper.isForgetful)
        printerNames = (0..<temper.printers).map { "p\($0)" }
        let sayings = trace
        let loop = loop
        logger = Logger(
            label: "simulation",
            factory: { _ in Sayings(trace: sayings, loop: loop, logLevel: sayings.isSpoken ? .debug : .info) })
        for name in printerNames {
            devices["device:\(name)"] = Device(
                name: name, simulation: self, dice: Dice(seed: seed, stream: UInt64(devices.count + 10)))
        }
        if store == .postgresql {
            server = SimulatedDatabaseServer(
                database, clock: { [loop] in loop.now }, fault: sabotage?.serverFault,
                observe: { [unowned self] in observe($0) })
        }
        hosts = (0..<(server == nil ? 1 : sharedTemper.hosts)).map { SimulatedHost(name: "h\($0)", simulation: self) }
        loop.willStep = { [unowned self] in for host in hosts { host.fuse(.step) } }
    }

    /// Whether several hosts share a database server.
    var isShared: Bool { server != nil }

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

    /// The monotonic clock of the hosts.
    var uptime: ContinuousClock.Instant {
        sabotage == .outliveLeases ? start : start.advanced(by: .seconds(loop.now))
    }

    // MARK: - The database

    /// Cuts the power of the database's disk in a later step, because the database may be in the middle of a commit.
    func cutPowerOfDatabase() {
        loop.post { [self] in
            do { try database.cutPower() } catch { violate("the power cannot be cut: \(error)") }
        }
    }

    /// Counts a commit, before the client gets a response.
    func committed(by process: SpoolerProcess) {
        commits += 1
        if commits % 8 == 0 { loop.post { [self] in checkHands() } }
        if isShared { checkLeases() }
        process.host.fuse(.committed)
    }

    private func observe(_ observation: SimulatedDatabaseServer.Observation) {
        switch observation {
        case .staleWrite(let words): violate(words)
        case .refusedWrite: note(.leaseRefused)
        case .takeover(let jobs): note(jobs > 0 ? .takenOverPrinting : .takenOver)
        }
    }

    /// Checks that no two processes have a valid lease of the same printer, each from its own view.
    func checkLeases() {
        var drivers: [String: String] = [:]
        for host in hosts {
            for printer in host.process?.validLeases ?? [] {
                if let other = drivers[printer] {
                    violate("\(other) and \(host.name) have a valid lease of \(printer) at the same time")
                }
                drivers[printer] = host.name
            }
        }
    }
}

/// A log handler that writes the product's log to the trace.
private struct Sayings: LogHandler {
    let trace: Trace
    let loop: Loop
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        trace.say(at: loop.now, "printd: \(event.message) \(words(metadata.merging(event.metadata ?? [:]) { $1 }))")
    }

    private func words(_ metadata: Logger.Metadata) -> String {
        metadata.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }.joined(separator: " ")
    }
}
