// Replaces printd repeatedly while clients submit jobs.

import Foundation
import IPP
import IPPClient
import PrintModel
import SpoolerClient
import SpoolerTrials
import Synchronization

/// A trial that upgrades printd under load: clients submit without a pause while printd is ended with SIGTERM and
/// started again.
///
/// The trial holds the socket of printd, as systemd does. Therefore each submission succeeds at the first attempt. Each
/// accepted job must be printed exactly once.
struct UpgradeTrial {
    private static let printers = ["color-laser", "mono-laser", "inkjet"]
    private static let lanes = 4

    /// The counts that all clients share.
    private struct Counts {
        var accepted: [Int: String] = [:]
        var refusedConnections = 0
        var lostAnswers = 0
        var failures: [String] = []
        var isOver = false
    }

    private final class World: Sendable {
        let counts = Mutex(Counts())
        let documents = TrialDocuments()
    }

    private let options: TrialOptions
    private let spooler: TrialSpooler
    private let world = World()

    /// Runs the trial: each round replaces printd once.
    static func run(_ options: TrialOptions, folder: String) async throws -> UpgradeReport {
        let spooler = try TrialSpooler(folder: folder, arguments: ["--simulator-speed", "instant"], holdsSocket: true)
        return try await UpgradeTrial(options: options, spooler: spooler).run()
    }

    private func run() async throws -> UpgradeReport {
        try "{ keepJobs: 1000000 }".write(toFile: "\(spooler.spool)/printd.json5", atomically: false, encoding: .utf8)
        try await spooler.start()
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 1...Self.lanes { group.addTask { try await submit(lane: lane) } }
            for round in 1...options.rounds {
                try await waitForJobs(round * 10)
                spooler.stop()
                try await spooler.start()
            }
            try await waitForJobs(options.rounds * 10 + 10)
            world.counts.withLock { $0.isOver = true }
            try await group.waitForAll()
        }
        let client = TrialClient(spooler.client())
        try await client.queue.eventually("all jobs have ended", within: .seconds(300)) {
            try await client.jobs(.notCompleted).isEmpty
        }
        let jobs = try await client.jobs(.all)
        await client.close()
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let counts = world.counts.withLock { $0 }
        return UpgradeReport(
            replacements: options.rounds, seconds: seconds, accepted: counts.accepted.count,
            printed: jobs.count { $0.state == .completed && $0.impressions == 1 },
            printouts: printouts.values.reduce(0, +), refusedConnections: counts.refusedConnections,
            lostAnswers: counts.lostAnswers, problems: counts.failures + problems(jobs, counts.accepted))
    }

    /// Waits until the clients have submitted a number of jobs.
    private func waitForJobs(_ count: Int) async throws {
        let client = TrialClient(spooler.client())
        try await client.queue.eventually("\(count) jobs are accepted", within: .seconds(120)) {
            world.counts.withLock { $0.accepted.count } >= count
        }
        await client.close()
    }

    // MARK: - Clients

    /// Submits jobs until the trial ends.
    ///
    /// Each job has a separate connection, as with `printq submit`.
    private func submit(lane: Int) async throws {
        var number = 0
        while !world.counts.withLock({ $0.isOver }) {
            number += 1
            let name = "job \(lane)-\(number)"
            let client = TrialClient(spooler.client(), user: "lane\(lane)")
            do throws(any Error) {
                let id = try await submit(name, with: client)
                world.counts.withLock { $0.accepted[id] = name }
            } catch let failure {
                world.counts.withLock {
                    let error = failure as? IPPClientError
                    if error?.code == .unreachable { $0.refusedConnections += 1 }
                    if error?.mayHaveBeenReceived == true { $0.lostAnswers += 1 }
                    $0.failures.append("\(name) was not accepted: \(failure)")
                }
            }
            await client.close()
        }
    }

    /// Submits a job once, and returns its number.
    private func submit(_ name: String, with client: TrialClient) async throws -> Int {
        let answer = try await client.send(
            .printJob, printer: Self.printers[abs(name.hashValue) % Self.printers.count],
            attributes: [
                Attribute("job-name", .name(name)), Attribute("document-format", .mimeMediaType("application/pdf")),
            ],
            document: world.documents.small)
        guard answer.status.isSuccess else { throw SpoolerClientError(refusal: answer) }
        return try Spooler.jobID(answer)
    }

    // MARK: - Comparing

    /// The number of printouts of each job name, from the folders of the simulated printers.
    ///
    /// A printer's job without a printed side is not a printout: printd was replaced before it sent the document.
    private var printouts: [String: Int] {
        let printed = Evidence(spool: spooler.spool).printed.filter { $0.impressions > 0 }
        return Dictionary(printed.map { ($0.name, 1) }, uniquingKeysWith: +)
    }

    private func problems(_ jobs: [Evidence.QueuedJob], _ accepted: [Int: String]) -> [String] {
        let byID = Dictionary(uniqueKeysWithValues: jobs.map { ($0.id, $0) })
        let printouts = printouts
        var problems: [String] = []
        for (id, name) in accepted.sorted(by: { $0.key < $1.key }) {
            guard let job = byID[id], job.name == name else {
                problems.append("\(name) was accepted as job \(id), which is missing")
                continue
            }
            if job.state != .completed { problems.append("job \(id) is \(job.state): \(job.message)") }
            if printouts[name] != 1 { problems.append("job \(id) was printed \(printouts[name] ?? 0) times") }
        }
        for job in jobs where accepted[job.id] == nil { problems.append("job \(job.id) was never accepted") }
        return problems
    }
}

/// The result of an upgrade trial.
struct UpgradeReport: TrialReport {
    /// The number of replacements of printd.
    var replacements: Int
    var seconds: Double
    /// The number of accepted jobs.
    var accepted: Int
    /// The number of completed jobs.
    var printed: Int
    /// The number of printouts of the simulated printers.
    var printouts: Int
    /// The number of connections that were refused; each is a problem.
    var refusedConnections: Int
    /// The number of requests without a response; each is a problem.
    var lostAnswers: Int
    var problems: [String]

    var text: String {
        """
        \(replacements) replacements of printd in \(Int(seconds)) s
        accepted \(accepted), printed \(printed), printouts \(printouts)
        refused connections \(refusedConnections), lost answers \(lostAnswers)
        """
    }
}
