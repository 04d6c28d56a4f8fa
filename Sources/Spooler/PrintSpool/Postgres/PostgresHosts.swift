// Keeps the hosts and their leases in PostgreSQL.

import PostgresClient
import PrintModel

/// The hosts and leases in a PostgreSQL database.
///
/// The registry has a separate connection, so that neither a long query nor many writes delay the renewal of leases.
struct PostgresHosts: HostRegistry {
    /// The connection of the registry.
    let lane: PostgresLane
    let process: HostProcess
    /// The lower bound of the ids of unfinished jobs.
    let floor: PostgresQueueFloor

    static let period = Int(PrinterLease.period / .seconds(1))
    static let margin = Int(PrinterLease.margin / .seconds(1))
    /// The maximum time to wait for the registry's connection.
    private static let limit = Duration.seconds(3)

    // MARK: - This process

    /// Registers a process, or reports that a registered process is alive.
    ///
    /// - Throws: `locked` if another process with the same host name is alive.
    static func register(_ process: HostProcess, on connection: PostgresConnection) throws {
        let rows = try connection.query(
            """
            INSERT INTO hosts AS old (name, incarnation, folder, version, started_at, heard_at)
            VALUES ($1, $2, $3, $4, clock_timestamp(), clock_timestamp())
            ON CONFLICT (name) DO UPDATE SET incarnation = excluded.incarnation, folder = excluded.folder,
                version = excluded.version, started_at = excluded.started_at, heard_at = excluded.heard_at
            WHERE old.folder = excluded.folder
                OR old.heard_at < clock_timestamp() - make_interval(secs => \(period))
            RETURNING name
            """, [process.host, process.incarnation, process.folder, Release.version])
        guard !rows.isEmpty else { throw SpoolError.sameHostName(process) }
    }

    func beat(_ plan: @escaping @Sendable (LeaseSituation) -> LeasePlan) async throws -> [PrinterLease] {
        try await lane.perform(within: Self.limit) { connection in
            do {
                return try connection.transaction { try beat(plan, on: connection) }
            } catch let error as PostgresError where error.kind == .lockTimeout {
                // A process that does not run any more, such as a stopped process, can hold a lock on a job.
                try endStaleConnections(connection)
                return try connection.transaction { try beat(plan, on: connection) }
            }
        }
    }

    private func beat(
        _ plan: (LeaseSituation) -> LeasePlan, on connection: PostgresConnection
    ) throws -> [PrinterLease] {
        try connection.execute(
            "SELECT set_config('lock_timeout', '1s', true), set_config('printq.floor', $1, true)", ["\(floor.value)"])
        let known = try connection.query(
            "UPDATE hosts SET heard_at = clock_timestamp() WHERE name = $1 AND incarnation = $2 RETURNING name",
            [process.host, process.incarnation])
        // A failover may have lost the registration, or an administrator may have removed the silent host.
        if known.isEmpty { try Self.register(process, on: connection) }
        let situation = try situation(connection)
        if situation.hosts.contains(where: { !$0.isAlive }) { try endTransactionsOfSilentHosts(connection) }
        let plan = plan(situation)
        var leases: [PrinterLease] = []
        if !plan.renew.isEmpty { leases += try renew(plan.renew, connection) }
        if !plan.release.isEmpty { try end(plan.release, connection) }
        // The order of the names prevents deadlocks between hosts.
        for printer in plan.acquire.sorted() {
            if let lease = try acquire(printer, connection) { leases.append(lease) }
        }
        return leases
    }

    private func situation(_ connection: PostgresConnection) throws -> LeaseSituation {
        let hosts = try connection.query(
            """
            SELECT name, heard_at >= clock_timestamp() - make_interval(secs => \(Self.period)), is_draining FROM hosts
            """
        ).map { LeaseSituation.Host(name: try $0.string(0), isAlive: try $0.bool(1), isDraining: try $0.bool(2)) }
        let printers = try connection.query(
            """
            SELECT printers.name, array_to_json(placements.hosts)::text, placements.preferred_host,
                leases.host, leases.incarnation, leases.lease_until < clock_timestamp(),
                EXISTS (SELECT 1 FROM jobs WHERE printer = printers.name AND \(SQLDialect.postgres.isInProgress())
                    AND \(SQLDialect.postgres.isNotSuspended()))
            FROM printers LEFT JOIN leases ON leases.printer = printers.name
                LEFT JOIN placements ON placements.printer = printers.name
            """
        ).map { row in
            var printer = LeaseSituation.Printer(name: try row.string(0))
            printer.hosts = try row.optionalString(1).map { try StoredJSON.value(of: $0) } ?? []
            printer.preferredHost = try row.optionalString(2)
            printer.isPrinting = try row.bool(6)
            if let host = try row.optionalString(3) {
                printer.lease = LeaseSituation.Lease(
                    host: host, incarnation: try row.string(4), hasEnded: try row.bool(5))
            }
            return printer
        }
        return LeaseSituation(hosts: hosts, printers: printers)
    }

    private func renew(_ printers: [String], _ connection: PostgresConnection) throws -> [PrinterLease] {
        try connection.query(
            """
            UPDATE leases SET lease_until = clock_timestamp() + make_interval(secs => \(Self.period))
            WHERE incarnation = $1 AND printer IN (SELECT json_array_elements_text($2::json))
            RETURNING printer, epoch
            """, [process.incarnation, StoredJSON.text(of: printers)]
        ).map { try lease($0.string(0), $0.int(1)) }
    }

    private func end(_ printers: [String], _ connection: PostgresConnection) throws {
        try connection.execute(
            """
            UPDATE leases SET lease_until = '-infinity'
            WHERE incarnation = $1 AND printer IN (SELECT json_array_elements_text($2::json))
            """, [process.incarnation, StoredJSON.text(of: printers)])
    }

    /// Takes the lease of a printer; returns nil if another process was faster.
    private func acquire(_ printer: String, _ connection: PostgresConnection) throws -> PrinterLease? {
        let rows = try connection.query(
            """
            INSERT INTO leases AS old (printer, host, incarnation, epoch, lease_until, since)
            VALUES ($1, $2, $3, 1, clock_timestamp() + make_interval(secs => \(Self.period)), clock_timestamp())
            ON CONFLICT (printer) DO UPDATE SET host = excluded.host, incarnation = excluded.incarnation,
                epoch = old.epoch + 1, lease_until = excluded.lease_until, since = excluded.since
            WHERE old.lease_until < clock_timestamp()
                OR (old.host = excluded.host AND old.incarnation <> excluded.incarnation)
            RETURNING epoch
            """, [printer, process.host, process.incarnation])
        guard let epoch = try rows.first?.int(0) else { return nil }
        try connection.execute(
            """
            UPDATE jobs SET lease_epoch = $1, lease_incarnation = $2
            WHERE printer = $3 AND \(SQLDialect.postgres.isInProgress())
            """, [epoch, process.incarnation, printer])
        return lease(printer, epoch)
    }

    private func lease(_ printer: String, _ epoch: Int) -> PrinterLease {
        PrinterLease(printer: printer, incarnation: process.incarnation, epoch: epoch)
    }

    /// Ends the connections of processes whose leases have ended, so that the server releases the locks of these
    /// processes.
    private func endStaleConnections(_ connection: PostgresConnection) throws {
        try connection.execute(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name IN (
                SELECT '\(PostgresSchema.applicationPrefix)' || incarnation FROM leases
                WHERE lease_until < clock_timestamp() AND incarnation <> $1)
            """, [process.incarnation])
    }

    /// Ends the transactions of hosts that are not alive, so that the server releases their locks.
    ///
    /// A stopped or disconnected host can hold the lock of the event log, for which the commits of all hosts wait.
    private func endTransactionsOfSilentHosts(_ connection: PostgresConnection) throws {
        try connection.execute(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND xact_start IS NOT NULL AND application_name IN (
                SELECT '\(PostgresSchema.applicationPrefix)' || incarnation FROM hosts
                WHERE heard_at < clock_timestamp() - make_interval(secs => \(Self.period)) AND incarnation <> $1)
            """, [process.incarnation])
    }

    func withdraw() async throws {
        try await lane.perform(within: Self.limit) { [process] connection in
            try connection.transaction {
                try connection.execute(
                    "UPDATE leases SET lease_until = '-infinity' WHERE incarnation = $1", [process.incarnation])
                try connection.execute(
                    "UPDATE hosts SET heard_at = '-infinity' WHERE incarnation = $1", [process.incarnation])
            }
        }
    }

    // MARK: - All hosts

    func hosts() async throws -> [SpoolHost] {
        try await lane.perform(within: Self.limit) { connection in
            try connection.query(
                """
                SELECT name, version, started_at, NULLIF(heard_at, '-infinity'),
                    heard_at >= clock_timestamp() - make_interval(secs => \(Self.period)), is_draining
                FROM hosts ORDER BY name COLLATE "C"
                """
            ).map { row in
                SpoolHost(
                    name: try row.string(0), version: try row.string(1), startedAt: try row.unixTime(2),
                    lastSeenAt: try row.optionalUnixTime(3), isAlive: try row.bool(4), isDraining: try row.bool(5))
            }
        }
    }

    func placements() async throws -> [PrinterPlacement] {
        try await lane.perform(within: Self.limit) { connection in
            try connection.query(
                """
                SELECT printers.name, array_to_json(placements.hosts)::text, placements.preferred_host,
                    leases.host, leases.since
                FROM printers LEFT JOIN placements ON placements.printer = printers.name
                    LEFT JOIN leases ON leases.printer = printers.name AND leases.lease_until >= clock_timestamp()
                ORDER BY printers.id
                """
            ).map { row in
                PrinterPlacement(
                    printer: try row.string(0),
                    hosts: try row.optionalString(1).map { try StoredJSON.value(of: $0) } ?? [],
                    preferredHost: try row.optionalString(2), driver: try row.optionalString(3),
                    drivenSince: try row.optionalUnixTime(4))
            }
        }
    }

    func setDraining(_ isDraining: Bool, host: String) async throws -> Bool {
        try await lane.perform(within: Self.limit) { connection in
            try !connection.query(
                "UPDATE hosts SET is_draining = $1 WHERE name = $2 RETURNING name", [isDraining, host]
            ).isEmpty
        }
    }

    func place(_ printer: String, hosts: [String], preferredHost: String?) async throws {
        let count = try await lane.perform(within: Self.limit) { connection in
            try connection.execute(
                """
                INSERT INTO placements (printer, hosts, preferred_host)
                SELECT name, ARRAY(SELECT json_array_elements_text($2::json)), $3
                FROM printers WHERE name = $1 FOR KEY SHARE
                ON CONFLICT (printer) DO UPDATE SET hosts = excluded.hosts, preferred_host = excluded.preferred_host
                """, [printer, StoredJSON.text(of: hosts), preferredHost])
        }
        // Another host has removed the printer.
        if count == 0 { throw SpoolError.noSuchPrinter(printer) }
    }

    func remove(host: String) async throws -> Bool {
        try await lane.perform(within: Self.limit) { connection in
            try !connection.query(
                """
                DELETE FROM hosts WHERE name = $1
                    AND heard_at < clock_timestamp() - make_interval(secs => \(Self.period)) RETURNING name
                """, [host]
            ).isEmpty
        }
    }
}

// MARK: - The server

extension PostgresHosts {
    func server() async throws -> DatabaseServer {
        try await lane.perform(within: Self.limit) { connection in
            // The wait for the connection is over, so that it does not count.
            let before = Spool.systemTime()
            let row = try connection.query(
                """
                SELECT split_part(current_setting('server_version'), ' ', 1), clock_timestamp(),
                    current_setting('synchronous_standby_names'), current_setting('synchronous_commit') <> 'off',
                    count(*) FILTER (WHERE sync_state IN ('sync', 'quorum')),
                    count(*) FILTER (WHERE pid IS NOT NULL AND sync_state IS NULL)
                FROM pg_stat_replication
                """)[0]
            let roundTrip = Spool.systemTime() - before
            let oldest = try Self.oldestSession(on: connection, olderThan: 60)
            let unreadable = try row.int(5)
            return DatabaseServer(
                version: try row.string(0), clockDifference: try row.unixTime(1) - before - roundTrip / 2,
                roundTrip: roundTrip, synchronousStandbys: try row.string(2),
                connectedSynchronousStandbys: unreadable > 0 ? nil : try row.int(4),
                commitsAreDurable: try row.bool(3),
                oldestSession: oldest)
        }
    }

    /// Returns the session whose open transaction keeps the oldest versions of rows.
    ///
    /// Without the role `pg_read_all_stats`, the server does not show the start of the transactions of other users. The
    /// number of transactions since then shows that such a transaction is old.
    ///
    /// - Parameter seconds: The minimum age of the transaction.
    static func oldestSession(
        on connection: PostgresConnection, olderThan seconds: Int
    ) throws -> DatabaseServer.OldSession? {
        try connection.query(
            """
            SELECT pid, COALESCE(usename::text, ''), COALESCE(application_name, ''), xact_start
            FROM pg_stat_activity
            WHERE backend_xmin IS NOT NULL AND pid <> pg_backend_pid()
                AND (datname = current_database() OR datname IS NULL)
                AND COALESCE(backend_type, '') <> 'autovacuum worker'
                AND COALESCE(
                    xact_start <= clock_timestamp() - make_interval(secs => $1::bigint), age(backend_xmin) > 1000)
            ORDER BY age(backend_xmin) DESC LIMIT 1
            """, [seconds]
        ).first.map { row in
            DatabaseServer.OldSession(
                process: try row.int(0), user: try row.string(1), application: try row.string(2),
                since: try row.optionalUnixTime(3))
        }
    }
}

// MARK: - Leases in transactions

extension PostgresTransaction {
    func confirm(_ lease: PrinterLease) throws -> Bool {
        try boolean(
            """
            SELECT lease_until > clock_timestamp() + make_interval(secs => \(PostgresHosts.margin)) FROM leases
            WHERE printer = $1 AND incarnation = $2 AND epoch = $3 FOR SHARE
            """, [lease.printer, lease.incarnation, lease.epoch]) ?? false
    }

    func setLease(_ lease: PrinterLease, ofJob id: Int) throws {
        session.jobLeases[id] = PostgresSession.JobLease(epoch: lease.epoch, incarnation: lease.incarnation)
        session.newLeases[id] = lease
    }

    func isInProgress(_ job: Job, under lease: PrinterLease) throws -> Bool {
        // A job that waits again keeps its last lease. If the server has lost the start of the job at a failover, the
        // host still has a run for the waiting job.
        job.state.rawValue >= JobState.processing.rawValue
            && session.jobLeases[job.id]
                == PostgresSession.JobLease(epoch: lease.epoch, incarnation: lease.incarnation)
    }

    func restrict(_ printer: String, toHost host: String) throws {
        try session.enqueue("INSERT INTO placements (printer, hosts) VALUES ($1, ARRAY[$2])", [printer, host])
    }

    func liftRestriction(of printer: String) throws {
        try session.enqueue("DELETE FROM placements WHERE printer = $1", [printer])
    }

    func lockQueue() throws { _ = try session.query("SELECT pg_advisory_xact_lock($1)", [PostgresSchema.queueKey]) }
}
