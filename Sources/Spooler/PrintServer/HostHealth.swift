// Checks the hosts and the database of a shared queue, for `printq doctor`.

import FoundationEssentials
package import PrintModel
package import PrintSpool

/// The health checks of a queue that several hosts share.
package struct HostHealth: Sendable {
    private let spool: Spool

    package init(spool: Spool) { self.spool = spool }

    /// The minimum clock difference, in seconds, for which a warning is reported.
    ///
    /// Leases use only the clock of the database. The times of jobs and events come from the hosts.
    static let largeDifference = 2.0

    /// Runs the checks; returns no findings if the queue is not shared.
    package func findings() async -> [HealthFinding] {
        do throws(SpoolError) {
            guard let server = try await spool.databaseServer() else { return [] }
            let list = try await spool.hostList()
            return Self.findings(server) + spool.databaseWarnings + Self.findings(list, own: spool.hostName)
        } catch {
            return [Self.finding(of: error)]
        }
    }

    /// Returns the finding about a database that cannot be used.
    package static func finding(of error: SpoolError) -> HealthFinding {
        HealthFinding(
            .spool, "database-server", .error, "the shared database does not respond: \(error.message)",
            advice: "check the database server and the network")
    }

    // MARK: - Database

    static func findings(_ server: DatabaseServer) -> [HealthFinding] {
        let milliseconds = Int((server.roundTrip * 1000).rounded())
        return [
            HealthFinding(
                .spool, "database-server", .ok,
                "the database server is PostgreSQL \(server.version), and responded in \(milliseconds) ms"),
            clock(server), standby(server),
        ] + (server.oldestSession.map { [old($0)] } ?? [])
    }

    /// Returns the warning about a session that keeps old versions of rows, which slow down every host.
    private static func old(_ session: DatabaseServer.OldSession) -> HealthFinding {
        let program = session.application.isEmpty ? "" : " (\(session.application))"
        let since = session.since.map { " since \(Date(timeIntervalSince1970: $0).formatted(.iso8601))" } ?? ""
        return HealthFinding(
            .spool, "database-session", .warning,
            "the database session \(session.process) of \(session.user)\(program) has an open transaction\(since), which "
                + "prevents that the server removes old versions of rows: all hosts become slower",
            advice: "end the transaction, or the session with 'SELECT pg_terminate_backend(\(session.process))'")
    }

    private static func clock(_ server: DatabaseServer) -> HealthFinding {
        let amount = Int((abs(server.clockDifference) * 1000).rounded())
        let direction = server.clockDifference > 0 ? "ahead of" : "behind"
        guard abs(server.clockDifference) >= largeDifference else {
            return HealthFinding(
                .spool, "database-clock", .ok,
                "the clocks of this host and of the database server differ by \(amount) ms")
        }
        return HealthFinding(
            .spool, "database-clock", .warning,
            "the clock of the database server is \(amount) ms \(direction) the clock of this host",
            advice: "synchronize both clocks with NTP")
    }

    private static func standby(_ server: DatabaseServer) -> HealthFinding {
        guard server.commitsAreDurable else {
            return HealthFinding(
                .spool, "database-standby", .warning,
                "a crash of the database server can lose accepted jobs, because synchronous_commit is off",
                advice: "set synchronous_commit to on")
        }
        guard server.hasSynchronousStandby else {
            return HealthFinding(
                .spool, "database-standby", .ok,
                "the database server has no synchronous standby: a failover to a standby can lose the last jobs")
        }
        let required = "the database server requires a synchronous standby (\(server.synchronousStandbys))"
        guard server.connectedSynchronousStandbys != 0 else {
            return HealthFinding(
                .spool, "database-standby", .error, "\(required), but no such standby is connected: jobs must wait",
                advice: "start the standby, or change synchronous_standby_names")
        }
        return HealthFinding(
            .spool, "database-standby", .ok,
            required + (server.connectedSynchronousStandbys.map { ", and \($0) connected" } ?? ""))
    }

    // MARK: - Hosts

    /// Returns the findings about the hosts, and about the printers that no host drives.
    ///
    /// - Parameter own: The name of this host.
    static func findings(_ list: HostList, own: String?) -> [HealthFinding] {
        let alive = list.hosts.filter(\.isAlive).map(\.name)
        var findings = [
            HealthFinding(
                .spool, "hosts", .ok,
                "\(alive.count) of \(list.hosts.count) hosts are alive: \(alive.joined(separator: ", "))"
                    + (own.map { "; this host is \($0)" } ?? ""))
        ]
        for host in list.hosts where host.state == .lost {
            findings.append(
                HealthFinding(
                    .spool, "host-lost", .warning, "host \(host.name) is lost",
                    advice: "start its printd, or remove the host with 'printq hosts remove \(host.name)'"))
        }
        for host in list.hosts where host.state == .draining {
            findings.append(
                HealthFinding(
                    .spool, "host-draining", .warning, "host \(host.name) is draining",
                    advice: "'printq hosts resume \(host.name)' ends the draining"))
        }
        return findings + list.placements.compactMap { printer(of: $0, in: list) }
    }

    private static func printer(of placement: PrinterPlacement, in list: HostList) -> HealthFinding? {
        let driver = list.driver(of: placement.printer)
        switch driver {
        case .host, .changing: return nil
        case .draining, .noHost:
            let text = driver.explanation(of: placement.printer).dropLast()
            return HealthFinding(
                .printers, "printer-host", .error, text.prefix(1).lowercased() + text.dropFirst(),
                printer: placement.printer)
        }
    }
}
