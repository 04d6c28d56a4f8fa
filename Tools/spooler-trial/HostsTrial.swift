// Kills, stops and disconnects the hosts of a shared queue and its database while clients submit jobs and an
// administrator changes printers.

import Foundation
import IPP
import PrintTestSupport
import SpoolerTrials
import Synchronization

/// A trial with several hosts, independent printers, and a PostgreSQL server with a standby.
///
/// A round is one fault with its end. Rounds of different hosts and of the database overlap. After a group of rounds,
/// the trial ends all faults, and measures the takeover of the printers of a killed host. Then it waits until all jobs
/// have ended, and compares the acknowledged jobs with the queue and with the printers' logs.
struct HostsTrial {
    private let options: TrialOptions
    private let world: HostsWorld
    private var random: SeededRandom
    private var verdict: HostsVerdict
    private var clients: [HostsClient] = []
    private var administrator: HostsAdministrator

    /// The number of rounds between two comparisons.
    private static let groupSize = 24
    private static let clientCount = 3

    /// Runs the trial.
    static func run(_ options: TrialOptions, folder: String) async throws -> HostsReport {
        let world = try await HostsWorld(folder: folder, isSynchronous: options.isSynchronous)
        defer { world.end() }
        var trial = HostsTrial(options, world)
        return try await trial.run()
    }

    private init(_ options: TrialOptions, _ world: HostsWorld) {
        (self.options, self.world) = (options, world)
        verdict = HostsVerdict(isSynchronous: options.isSynchronous)
        random = SeededRandom(seed: options.seed)
        administrator = HostsAdministrator(in: world, random: SeededRandom(seed: random.next()))
        for number in 1...Self.clientCount {
            clients.append(HostsClient(number, in: world, random: SeededRandom(seed: random.next())))
        }
    }

    private mutating func run() async throws -> HostsReport {
        let commit = await HostsReport.commit()
        let start = ContinuousClock.now
        try await world.start()
        var rounds = 0
        while rounds < options.rounds, world.recorded.problems.isEmpty, verdict.problems.isEmpty {
            let count = min(Self.groupSize, options.rounds - rounds)
            do {
                try await runGroup((0..<count).map { _ in HostsFault.random(hosts: world.hosts.count, using: &random) })
                try await measureTakeover()
                try await compare()
            } catch {
                world.record { journal in
                    journal.stuck += (error as? HostsSettling.Unsettled)?.jobs ?? 0
                    journal.problems.append("\(error)")
                }
            }
            rounds += count
            SpoolerTrial.say("\(rounds) rounds, \(world.recorded.acknowledged.count) jobs")
        }
        return HostsReport(
            options, commit: commit, seconds: (ContinuousClock.now - start) / .seconds(1), world.recorded, verdict)
    }

    // MARK: - Rounds

    /// Runs faults while clients submit jobs; the faults of one host or of the database follow each other.
    private mutating func runGroup(_ faults: [HostsFault.Planned]) async throws {
        let lanes = Dictionary(grouping: faults, by: \.host).values
        try await whileSubmitting { [world] in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for lane in lanes {
                    group.addTask {
                        for planned in lane { try await HostsFaultRun(world: world, planned: planned).run() }
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    /// Runs `body` while the clients submit jobs.
    private mutating func whileSubmitting(_ body: @escaping @Sendable () async throws -> Void) async throws {
        world.clientsPause.store(false, ordering: .relaxed)
        let tasks = clients.map { client in
            Task {
                var client = client
                await client.submitJobs()
                return client
            }
        }
        let administration = Task { [administrator] in
            var administrator = administrator
            await administrator.work()
            return administrator
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        world.clientsPause.store(true, ordering: .relaxed)
        clients = []
        for task in tasks { clients.append(await task.value) }
        administrator = await administration.value
        try result.get()
    }

    // MARK: - Comparing

    /// Waits until all jobs have ended or are suspended, and compares the acknowledged jobs with the printouts.
    private mutating func compare() async throws {
        for host in world.hosts where !host.isRunning {
            throw HostsSettling.Unsettled(description: "\(host.name) has ended by itself; see \(host.spooler.log)")
        }
        let settling = HostsSettling(world: world)
        try await settling.settle()
        for printer in world.printers { verdict.readLog(printer.log) }
        verdict.judge(world.recorded.acknowledged, queue: try await settling.queue())
        try await settling.cancelSuspended()
        try await settling.removeBriefPrinters()
    }

    // MARK: - Takeover

    /// Kills a host while all other programs work, and measures the takeover of its printers.
    private mutating func measureTakeover() async throws {
        for host in world.hosts { try await host.waitForResponse(within: .seconds(60)) }
        let drivers = try await world.database.query(
            "SELECT DISTINCT host FROM leases WHERE printer LIKE 'printer-%' AND lease_until > now() ORDER BY host")
        let name = drivers.randomElement(using: &random)
        let host = world.hosts.firstIndex { $0.name == name } ?? 0
        try await whileSubmitting { [world] in
            let planned = HostsFault.Planned(fault: .hostReplaced, host: host, delay: 0, duration: 0)
            try await HostsFaultRun(world: world, planned: planned, isAlone: true).run()
        }
    }
}
