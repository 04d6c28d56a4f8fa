// Changes printers and moves jobs in a trial with several hosts.

import Foundation
import IPP
import IPPClient
import PrintModel
import SpoolerClient
import SpoolerTrials

/// An administrator who pauses and changes printers, moves jobs, and adds and removes printers, at random hosts while
/// clients submit jobs.
struct HostsAdministrator {
    private let world: HostsWorld
    private var random: SeededRandom
    private var changes = 0
    /// The time until which a request whose response was lost may still change a printer.
    private var uncertainUntil: [String: ContinuousClock.Instant] = [:]

    /// The maximum time until a request is answered.
    private static let timeout = Duration.seconds(120)
    /// The time after which a request without a response no longer changes anything.
    private static let uncertainty = Duration.seconds(40)

    init(in world: HostsWorld, random: SeededRandom) { (self.world, self.random) = (world, random) }

    /// Works until the clients must pause.
    mutating func work() async {
        while !world.clientsPause.load(ordering: .relaxed) {
            do {
                switch Int.random(in: 0..<4, using: &random) {
                case 0: try await changeBesidePause()
                case 1: try await addAndRemove()
                default: try await moveJob()
                }
            } catch {
                world.record { $0.problems.append("an administrator: \(error)") }
            }
            let pause = Duration.milliseconds(Int.random(in: 0...600, using: &random))
            try? await Task.sleep(for: pause)  // the load of the trial
        }
    }

    private mutating func randomHost() -> TrialHost { world.hosts.randomElement(using: &random) ?? world.hosts[0] }

    // MARK: - Updates

    /// Pauses a printer at one host while its description changes at another host, and checks both changes.
    private mutating func changeBesidePause() async throws {
        changes += 1
        let printer = HostsWorld.printerName(Int.random(in: 0..<HostsWorld.printerCount, using: &random))
        let info = "change \(changes)"
        let (first, second) = (randomHost(), randomHost())
        let isCertain = uncertainUntil[printer].map { $0 < .now } ?? true
        let requests = self
        async let pause = requests.insist(first) { try await $0.ask(.pausePrinter, printer: printer) }
        async let change = requests.insist(second) {
            try await $0.change(printer: printer, [Attribute("printer-info", .text(info))])
        }
        let answered = (try await pause, try await change)
        if isCertain, answered == (true, true), world.database.isSynchronous {
            let row = try await row("SELECT is_paused, info FROM printers WHERE name = '\(printer)'")
            world.record { journal in
                journal.count("pauses beside a change at another host")
                if row != "t|\(info)" {
                    journal.lostUpdates += 1
                    journal.problems.append("an update of \(printer) is lost: \(row)")
                }
            }
        }
        if answered != (true, true) { uncertainUntil[printer] = .now + Self.uncertainty }
        if try await !insist(randomHost(), { try await $0.ask(.resumePrinter, printer: printer) }) {
            uncertainUntil[printer] = .now + Self.uncertainty
        }
    }

    /// Returns the first row of a query, which is repeated while the database does not respond.
    private func row(_ sql: String) async throws -> String {
        let end = ContinuousClock.now + Self.timeout
        while true {
            do { return try await world.database.query(sql).first ?? "" } catch {
                guard ContinuousClock.now < end else { throw error }
            }
            try await Task.sleep(for: .milliseconds(100))  // there is no notification when the database is available
        }
    }

    // MARK: - Moves and removals

    /// Moves a waiting job, which a host may be starting at the same moment.
    private mutating func moveJob() async throws {
        let rows = try? await world.database.query(
            "SELECT id, printer FROM jobs WHERE state = 3 AND printer LIKE 'printer-%' ORDER BY random() LIMIT 1")
        let fields = rows?.first?.split(separator: "|") ?? []
        guard fields.count == 2, let id = Int(fields[0]) else { return }
        let others = (0..<HostsWorld.printerCount).map(HostsWorld.printerName).filter { $0 != fields[1] }
        guard let printer = others.randomElement(using: &random) else { return }
        let isMoved = await attempt(randomHost()) { try await $0.move(id, to: printer) }
        world.record { $0.count(isMoved == nil ? "jobs moved" : "jobs not moved") }
    }

    /// Adds a printer, and removes the printer at one host while another host accepts jobs for it.
    private mutating func addAndRemove() async throws {
        changes += 1
        let (name, document) = ("brief-\(changes)", world.documents.small)
        let uri = world.printers.randomElement(using: &random)?.uri ?? ""
        let (first, second) = (randomHost(), randomHost())
        _ = try await insist(first) { try await $0.change(printer: name, [Attribute("device-uri", .uri(uri))]) }
        let requests = self
        async let removal = requests.attempt(first) { try await $0.removePrinter(name) }
        for number in 0..<3 {
            let client = TrialClient(second.spooler.client(answerLimit: 5), user: "client0")
            let job = "\(name)-\(number)"
            let answer = try? await client.send(
                .printJob, printer: name,
                attributes: [
                    Attribute("job-name", .name(job)), Attribute("printq-submission-id", .name(job)),
                    Attribute("document-format", .mimeMediaType("application/pdf")),
                ], document: document)
            await client.close()
            guard let answer, answer.status.isSuccess, let id = answer[.job]?.integer("job-id").map(Int.init) else {
                continue
            }
            world.record { journal in
                journal.count("jobs accepted beside a removal")
                journal.acknowledged[job, default: []].insert(id)
            }
        }
        let isRemoved = await removal == nil
        world.record { $0.count(isRemoved ? "printers removed" : "printers not removed") }
    }

    // MARK: - Requests

    /// Sends a request once; returns the error.
    private func attempt(
        _ host: TrialHost, _ request: @Sendable (Spooler) async throws -> Void
    ) async -> (any Error)? {
        let client = TrialClient(host.spooler.client(answerLimit: 5))
        var failure: (any Error)?
        do { try await request(client.queue) } catch { failure = error }
        await client.close()
        return failure
    }

    /// Repeats a request at all hosts until a host accepts it; returns whether the first attempt was accepted.
    private func insist<Value: Sendable>(
        _ host: TrialHost, _ request: @escaping @Sendable (Spooler) async throws -> Value
    ) async throws -> Bool {
        let end = ContinuousClock.now + Self.timeout
        for number in 0... {
            let next = number == 0 ? host : world.hosts[number % world.hosts.count]
            guard let failure = await attempt(next, { _ = try await request($0) }) else { return number == 0 }
            guard ContinuousClock.now < end else { throw failure }
            try await Task.sleep(for: .milliseconds(100))  // there is no notification when a host responds again
        }
        return false
    }
}
