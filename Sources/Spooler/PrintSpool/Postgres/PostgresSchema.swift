// Defines the tables of a spool in PostgreSQL and their migrations.

import FoundationEssentials
import PostgresClient
import PrintModel

/// The tables of a spool in PostgreSQL.
///
/// The tables have the same meaning as the tables of `SpoolSchema`. All statements name their columns, and new columns
/// have defaults, so that hosts with different versions of printq can use the same database during an update. After a
/// change that earlier versions do not support, `minimum` excludes these versions.
enum PostgresSchema {
    /// The SQL statements of each migration from an empty database to the current schema, in order.
    ///
    /// Version 1 is the schema of printq 1.0.0.
    static let migrations = [version1, version2]

    /// Hosts of version 1 hold jobs with a document password, because they do not know the option in the ticket.
    private static let version2 = """
        CREATE TABLE document_passwords (
            -- The passwords of encrypted documents, until their job ends.
            job_id   bigint  NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
            number   bigint  NOT NULL CHECK (number >= 1),
            password text    NOT NULL CHECK (password <> ''),
            PRIMARY KEY (job_id, number)
        );

        CREATE FUNCTION remove_document_passwords() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            DELETE FROM document_passwords WHERE job_id = NEW.id;
            RETURN NULL;
        END $$;
        CREATE TRIGGER document_passwords_of_ended_jobs AFTER UPDATE OF state ON jobs
            FOR EACH ROW WHEN (NEW.state >= 7) EXECUTE FUNCTION remove_document_passwords();
        """

    static let number = migrations.count

    /// The lowest schema number of the programs that can use tables with the current schema.
    private static let minimum = 1

    /// The schema of a database.
    private struct Written {
        var schema: Int
        /// The lowest schema number of the programs that can use the tables.
        var minimum: Int
        /// The version of printq that wrote the schema.
        var program: String

        /// Throws an error if this version cannot use the tables.
        func check() throws(SpoolError) {
            if minimum > number { throw .tooNew(path: "PostgreSQL", writer: program) }
            // Builds before the first release have tables of the same schema number with other columns and indexes.
            if program.hasPrefix("0.") { throw .tooOld(path: nil) }
        }
    }

    /// The key of the advisory lock that a migration holds.
    private static let lockKey = 0x7072_696e_7471  // "printq"

    /// The key of the advisory lock that a host holds while the host starts a job in strict order.
    static let queueKey = lockKey + 1

    /// The key of the advisory lock that a transaction holds from the numbering of its events until its end.
    static let eventsKey = lockKey + 2

    /// The name of the channel for notifications about changes.
    static let channel = "printq"

    /// The prefix of the application name that the server shows for a host's connections (`pg_stat_activity`).
    static let applicationPrefix = "printd "

    /// Sets the session settings of a new connection, such as timeouts.
    static func setUp(_ connection: PostgresConnection) throws {
        // Compiling a statement takes longer than any statement of the spool. The server notices within 15 seconds that
        // a host was switched off, and releases the locks of the host.
        try connection.runScript(
            """
            SET jit = off; SET lock_timeout = '5s'; SET idle_in_transaction_session_timeout = '30s';
            SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 3; SET tcp_keepalives_count = 3;
            SET tcp_user_timeout = 15000
            """)
    }

    /// Throws an error if the database does not have a schema that this version can use.
    static func check(_ connection: PostgresConnection) throws {
        guard let found = try written(connection) else {
            throw SpoolError(
                code: .corrupt, message: "the database has no tables of printq; start printd again to create them")
        }
        try found.check()
    }

    /// Throws an error if the database does not have the current schema.
    static func requireCurrent(_ connection: PostgresConnection) throws {
        try check(connection)
        guard let found = try written(connection), found.schema != number else { return }
        if found.schema > number { throw SpoolError.tooNew(path: "PostgreSQL", writer: found.program) }
        throw SpoolError.olderSchema(found.program)
    }

    /// Migrates the database to the current schema in one transaction.
    ///
    /// If several hosts start at the same time, only the first host migrates the database.
    ///
    /// - Throws: `tooNew` or `tooOld`; nothing was changed.
    static func migrate(
        _ connection: PostgresConnection, migrations: [String] = migrations, progress: (MigrationProgress) -> Void
    ) throws {
        // A current schema needs no lock.
        if let found = try written(connection), found.schema >= migrations.count { return try found.check() }
        for attempt in 1... {
            do {
                try connection.transaction { try run(migrations, in: connection, progress: progress) }
                return
            } catch let error as PostgresError where error.kind == .lockTimeout && attempt < mostAttempts {
                continue  // Another host is migrating.
            }
        }
    }

    private static let mostAttempts = 12

    /// Runs the missing migrations in the transaction of a connection.
    private static func run(
        _ migrations: [String], in connection: PostgresConnection, progress: (MigrationProgress) -> Void
    ) throws {
        try connection.query("SELECT pg_advisory_xact_lock($1)", [lockKey])
        let found = try written(connection)
        let (from, number) = (found?.schema ?? 0, migrations.count)
        try found?.check()
        let start = ContinuousClock.now
        let jobs = from == 0 ? 0 : try connection.query("SELECT count(*) FROM jobs")[0].int(0)
        func report(_ step: Int?) {
            guard from > 0 else { return }
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            progress(MigrationProgress(from: from, to: number, jobs: jobs, step: step, seconds: seconds))
        }
        guard from < number else { return }
        for (index, sql) in migrations.enumerated().dropFirst(from) {
            report(index + 1)
            try connection.runScript(sql)
        }
        try connection.execute(
            "INSERT INTO schema_changes (schema, minimum_schema, program, time) VALUES ($1, $2, $3, $4)",
            [number, minimum, Release.version, Date().timeIntervalSince1970])
        report(nil)
    }

    /// Returns the schema of the database; nil for an empty database.
    private static func written(_ connection: PostgresConnection) throws -> Written? {
        // `to_regclass` can return a cached answer from before the lock on the migration.
        let exists = try connection.query(
            "SELECT EXISTS (SELECT FROM pg_class WHERE relname = 'schema_changes' AND pg_table_is_visible(oid))")
        guard try exists[0].bool(0) else { return nil }
        let rows = try connection.query(
            "SELECT schema, minimum_schema, program FROM schema_changes ORDER BY schema DESC LIMIT 1")
        return try rows.first.map { Written(schema: try $0.int(0), minimum: try $0.int(1), program: try $0.string(2)) }
    }
}
