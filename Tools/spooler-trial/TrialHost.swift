// Runs one host of a trial with several hosts.

import Foundation
import Glibc
import IPP
import PrintTestSupport
import SpoolerTrials

/// A printd of a shared queue, and its network to the database.
final class TrialHost: Sendable {
    let name: String
    let spooler: TrialSpooler
    /// One proxy for each server of the database.
    private let proxies: [InterruptibleProxy]

    init(_ name: String, folder: String, database: TrialDatabase) throws {
        self.name = name
        proxies = try database.servers.map { try InterruptibleProxy(to: $0.port) }
        spooler = try TrialSpooler(
            folder: "\(folder)/\(name)",
            arguments: ["--store", TrialDatabase.uri(proxies), "--host-name", name])
        try "{ keepJobs: 1000000 }".write(toFile: "\(spooler.spool)/printd.json5", atomically: false, encoding: .utf8)
    }

    func setNetwork(_ network: InterruptibleProxy.Network) { for proxy in proxies { proxy.set(network) } }

    /// Starts printd, and repeats the start while the database does not respond.
    func start() async throws {
        let end = ContinuousClock.now + .seconds(120)
        while true {
            do {
                return try await spooler.start()
            } catch let error as TrialSpooler.StartError {
                guard ContinuousClock.now < end else { throw error }
            }
            try await Task.sleep(for: .milliseconds(100))  // there is no notification when the database is available
        }
    }

    func kill() { spooler.stop(SIGKILL) }

    /// Sends a signal to printd.
    func signal(_ number: Int32) { if let pid = spooler.pid { Glibc.kill(pid, number) } }

    /// Whether printd runs.
    var isRunning: Bool { spooler.isRunning }

    func end() {
        for proxy in proxies { proxy.end() }
        TrialSpooler.endAll(of: spooler.folder)
    }

    /// Waits until printd responds to a request about its queue, or about a printer.
    func waitForResponse(about printer: String? = nil, within limit: Duration) async throws {
        let client = TrialClient(spooler.client(answerLimit: 10))
        defer { Task { await client.close() } }
        try await eventually("\(name) responds", within: limit, every: .milliseconds(100)) {
            let answer = try? await client.send(
                .getJobs, printer: printer, attributes: [Attribute("limit", .integer(1))])
            return answer?.status.isSuccess == true
        }
    }
}
