// Kills printd, printsim and workers repeatedly while clients submit, cancel and hold jobs.

import Foundation
import PrintModel
import ProcessLaunch
import SpoolerClient
import PrintTestSupport
import SpoolerTrials
import Synchronization

/// A sequence of rounds with crashes on one spool.
///
/// In each round several clients work concurrently. At a random moment programs are killed, and printd is started
/// again. After a number of rounds, the trial waits until all jobs have ended. It then compares the responses to the
/// clients with the evidence.
struct CrashTrial {
    /// The state that all rounds share.
    final class World: Sendable {
        let spooler: TrialSpooler
        let documents: TrialDocuments
        private let journal = Mutex(Journal())
        private let counts = Mutex<[String: Int]>([:])

        init(_ spooler: TrialSpooler) {
            self.spooler = spooler
            documents = TrialDocuments()
        }

        /// All journal entries so far.
        var written: Journal { journal.withLock { $0 } }
        /// All counts so far.
        var counted: [String: Int] { counts.withLock { $0 } }

        func note(_ entry: Journal.Entry) {
            journal.withLock { $0.append(entry, at: Date().timeIntervalSince1970) }
        }

        /// Runs an operation and adds its duration to the counts.
        func timing<Value: Sendable>(_ what: String, _ body: () async throws -> Value) async throws -> Value {
            let start = ContinuousClock.now
            defer { count("ms \(what)", Int((ContinuousClock.now - start) / .milliseconds(1))) }
            return try await body()
        }

        func count(_ what: String, _ number: Int = 1) { counts.withLock { $0[what, default: 0] += number } }
    }

    static let printers = ["color-laser", "mono-laser", "inkjet"]

    private let options: TrialOptions
    private let world: World
    private let clients: [CrashClient]
    private var random: SeededRandom
    private var verdicts: [Verdict] = []

    private init(_ options: TrialOptions, folder: String) throws {
        self.options = options
        // At this speed, printers are often killed in the middle of a page.
        world = World(try TrialSpooler(folder: folder, arguments: ["--simulator-speed", "x40"]))
        random = SeededRandom(seed: options.seed)
        // Keep all jobs until they are compared.
        try "{ keepJobs: 1000000 }".write(
            toFile: "\(world.spooler.spool)/printd.json5", atomically: false, encoding: .utf8)
        clients = (1...3).map { [world, options] number in
            CrashClient(number, in: world, random: SeededRandom(seed: options.seed &* 31 &+ UInt64(number)))
        }
    }

    /// Runs all rounds, or stops at the first round that fails.
    static func run(_ options: TrialOptions, folder: String) async throws -> CrashReport {
        var trial = try CrashTrial(options, folder: folder)
        return try await trial.run()
    }

    private mutating func run() async throws -> CrashReport {
        let start = ContinuousClock.now
        try await world.spooler.start()
        var plan: [Set<Journal.Victim>] = []
        var rounds = 0
        while rounds < options.rounds, verdicts.last?.violations.isEmpty ?? true {
            if plan.isEmpty { plan = Self.combinations.shuffled(using: &random) }
            try await round(killing: plan.removeLast())
            rounds += 1
            if rounds % 10 == 0 || rounds == options.rounds { try await compare() }
        }
        let seconds = Double((ContinuousClock.now - start).components.seconds)
        for client in clients { await client.close() }
        return CrashReport(
            rounds: rounds, seconds: seconds, seed: options.seed, journal: world.written, counts: world.counted,
            verdict: verdicts.last)
    }

    /// All combinations of programs to kill, so that all combinations are equally frequent.
    private static let combinations: [Set<Journal.Victim>] = (1..<8).map { bits in
        Set(
            [Journal.Victim.printd, .printsim, .workers].enumerated().filter { bits >> $0.offset & 1 == 1 }.map(
                \.element))
    }

    // MARK: - A round

    private mutating func round(killing victims: Set<Journal.Victim>) async throws {
        try await world.timing("until there was room") { try await untilRoom() }
        let moment = Moment.random(using: &random)
        let pause = Duration.milliseconds(Int.random(in: 0...20, using: &random))
        let again = Int.random(in: 0..<4, using: &random) == 0
        let startUp = Duration.milliseconds(Int.random(in: 0...150, using: &random))
        try await withThrowingTaskGroup(of: Void.self) { [world, clients] group in
            for client in clients { group.addTask { try await client.act(times: 3) } }
            if try await moment.comes(in: world, within: .milliseconds(600)) { world.count("moment \(moment.name)") }
            try await Task.sleep(for: pause)  // a random moment
            world.count("rounds killing " + victims.sorted().map(\.rawValue).joined(separator: "+"))
            try await Self.kill(victims, in: world)
            if victims.contains(.printd) {
                if again {
                    // Kill printd again while it is starting.
                    let process = try world.spooler.launch()
                    defer { _ = process.readLine(deadline: 0) }
                    try await Task.sleep(for: startUp)  // a random moment
                    world.count("rounds killing printd again as it starts")
                    try await Self.kill([.printd], in: world)
                }
                try await world.timing("until printd listened") { try await world.spooler.start() }
            }
            try await world.timing("until clients had their answers") { try await group.waitForAll() }
        }
    }

    private static func kill(_ victims: Set<Journal.Victim>, in world: World) async throws {
        world.note(.killed(victims))
        for (victim, number) in try await world.spooler.kill(victims) { world.count("killed \(victim)", number) }
    }

    /// Waits while too many jobs are active, so that each round prints its own jobs.
    private func untilRoom() async throws {
        let client = TrialClient(world.spooler.client())
        func isFull() async throws -> Bool {
            try await client.jobs(.notCompleted).count { $0.state != .pendingHeld } > 15
        }
        if try await isFull() {
            for printer in Self.printers { _ = try await client.insist(.resumePrinter, printer: printer) }
        }
        do {
            try await client.queue.eventually("there is room", within: .seconds(30)) { try await !isFull() }
        } catch is NeverSo {}
        await client.close()
    }

    // MARK: - Comparing

    private mutating func compare() async throws {
        let client = TrialClient(world.spooler.client())
        try await world.timing("until all had come to rest") {
            try await Settling(world: world, client: client).settle()
        }
        var evidence = Evidence(spool: world.spooler.spool)
        evidence.queue = try await client.jobs(.all)
        await client.close()
        evidence.strays = world.spooler.strays.map(\.description)
        let verdict = Verdict(world.written, evidence)
        verdicts.append(verdict)
    }
}
