// Runs one fault of a trial with several hosts.

import Foundation
import Glibc
import PrintTestSupport
import SpoolerTrials

/// One fault from its delay until its end.
struct HostsFaultRun: Sendable {
    let world: HostsWorld
    let planned: HostsFault.Planned
    /// Whether no other fault happens at the same time.
    var isAlone = false

    func run() async throws {
        try await Task.sleep(for: .milliseconds(planned.delay))  // a random moment
        if let host = planned.host.map({ world.hosts[$0] }) {
            try await run(at: host)
        } else if planned.fault == .databaseKilled {
            try await world.database.restart(after: planned.duration)
        } else {
            try await world.database.failOver(after: planned.duration)
        }
        world.record { [planned] in $0.faults[planned.fault, default: 0] += 1 }
    }

    private func run(at host: TrialHost) async throws {
        switch planned.fault {
        case .hostKilled:
            host.kill()
            try await last()
            try await host.start()
        case .hostReplaced: try await replace(host)
        case .hostPaused, .hostStopped:
            host.signal(SIGSTOP)
            try await last()
            host.signal(SIGCONT)
        case .networkStalled, .networkStalledBeyondLease: try await interrupt(host, .stalled)
        case .networkClosed, .networkClosedBeyondLease: try await interrupt(host, .closed)
        case .databaseKilled, .databaseFailover: break
        }
    }

    private func interrupt(_ host: TrialHost, _ network: InterruptibleProxy.Network) async throws {
        host.setNetwork(network)
        try await last()
        host.setNetwork(.open)
    }

    /// Waits for the duration of the fault.
    private func last() async throws { try await Task.sleep(for: .milliseconds(planned.duration)) }

    // MARK: - Takeover

    /// Kills a host, waits until other hosts drive its printers, and starts the host again.
    private func replace(_ host: TrialHost) async throws {
        let printers = (try? await drivenPrinters(of: host)) ?? []
        host.kill()
        let death = Date().timeIntervalSince1970
        if !printers.isEmpty {
            let last = try await waitForTakeover(of: printers, from: host)
            world.record { [isAlone] journal in
                if isAlone {
                    journal.takeovers.append(max(0, last - death))
                } else {
                    journal.disturbedTakeovers.append(max(0, last - death))
                }
            }
        }
        try await host.start()
    }

    private func drivenPrinters(of host: TrialHost) async throws -> [String] {
        try await world.database.query(
            "SELECT printer FROM leases WHERE host = '\(host.name)' AND printer LIKE 'printer%' AND lease_until > now()"
        )
    }

    /// Waits until other hosts drive printers; returns the time of the last takeover, in seconds since 1970.
    private func waitForTakeover(of printers: [String], from host: TrialHost) async throws -> Double {
        let names = printers.map { "'\($0)'" }.joined(separator: ", ")
        var last = 0.0
        // The database sends no notification about leases.
        try await eventually("\(printers) of \(host.name) are driven", within: .seconds(60), every: .milliseconds(250))
        {
            let rows = try? await world.database.query(
                """
                SELECT count(*), max(extract(epoch FROM since)) FROM leases
                WHERE printer IN (\(names)) AND host <> '\(host.name)' AND lease_until >= clock_timestamp()
                """)
            let fields = rows?.first?.split(separator: "|") ?? []
            guard fields.first == "\(printers.count)", let time = fields.last.flatMap({ Double($0) }) else {
                return false
            }
            last = time
            return true
        }
        return last
    }
}
