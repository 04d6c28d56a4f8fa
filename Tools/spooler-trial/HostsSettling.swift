// Waits until the jobs of a shared queue have ended.

import Foundation
import PrintModel
import PrintTestSupport
import SpoolerTrials

/// The end of a group of rounds, when all hosts work again.
struct HostsSettling {
    let world: HostsWorld
    /// The maximum time without a change of a job.
    private static let timeout = Duration.seconds(100)

    /// The error for jobs that do not end.
    struct Unsettled: Error, CustomStringConvertible {
        var description: String
        /// The number of these jobs.
        var jobs = 0
    }

    /// Waits until all hosts respond, and all jobs have ended or are suspended.
    func settle() async throws {
        for host in world.hosts { try await host.waitForResponse(within: .seconds(60)) }
        var last: [String] = []
        var end = ContinuousClock.now + Self.timeout
        // A client of one host would depend on that host, so this polls the database.
        try await eventually("all jobs have ended", within: .seconds(3600), every: .milliseconds(250)) {
            let open = try await world.database.query(
                "SELECT id, state, printer, reasons, message FROM jobs WHERE state < 7 AND \(Self.isNotSuspended)")
            if open.isEmpty { return true }
            try await resumePrinters()
            if open != last { (last, end) = (open, .now + Self.timeout) }
            guard ContinuousClock.now < end else {
                throw Unsettled(description: "jobs have not ended: \(open)", jobs: open.count)
            }
            return false
        }
    }

    /// Resumes the printers that a late request of the administrator has paused.
    private func resumePrinters() async throws {
        for name in try await world.database.query("SELECT name FROM printers WHERE is_paused") {
            try await request { _ = try await $0.insist(.resumePrinter, printer: name) }
        }
    }

    /// Removes the printers that the administrator has added, and whose jobs have ended.
    func removeBriefPrinters() async throws {
        for name in try await world.database.query("SELECT name FROM printers WHERE name LIKE 'brief-%'") {
            try await request { _ = try await $0.insist(.cupsDeletePrinter, printer: name) }
        }
    }

    private func request(_ body: (TrialClient) async throws -> Void) async throws {
        let client = TrialClient(world.hosts[0].spooler.client())
        try await body(client)
        await client.close()
    }

    private static let isNotSuspended = "reasons NOT LIKE '%job-suspended%'"

    /// Returns all jobs of the queue and its history.
    func queue() async throws -> [HostsVerdict.QueuedJob] {
        let rows = try await world.database.query(
            """
            SELECT json_build_object('id', id, 'name', name, 'state', state, 'reasons', reasons, 'message', message)
            FROM jobs
            """)
        return try rows.map { try JSONDecoder().decode(HostsVerdict.QueuedJob.self, from: Data($0.utf8)) }
    }

    /// Cancels the suspended jobs, as a person does who has found their sheets.
    func cancelSuspended() async throws {
        let ids = try await world.database.query("SELECT id FROM jobs WHERE state < 7").compactMap { Int($0) }
        guard !ids.isEmpty else { return }
        try await request { client in for id in ids { _ = try await client.insist(.cancelJob, job: id) } }
    }
}
