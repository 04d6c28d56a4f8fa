// Makes a PostgreSQL server of a test a standby of another one.

import FoundationEssentials

extension PrivatePostgres {
    /// The name of the standby in the settings of the primary.
    private static let standbyName = "standby"

    /// Replaces the data of this server with a copy of the data of another server, and starts this server as a standby
    /// that receives all changes.
    ///
    /// This server keeps its port and its socket.
    public func becomeStandby(of primary: PrivatePostgres) throws {
        kill()
        try FileManager.default.removeItem(atPath: folder.path("data"))
        let source = "host=\(primary.socketFolder) port=\(primary.port) user=postgres"
        try Self.run(
            "\(try Self.programs.get())/pg_basebackup",
            [
                "--pgdata", folder.path("data"), "--dbname", "\(source) application_name=\(Self.standbyName)",
                "--checkpoint", "fast", "--no-sync", "--write-recovery-conf",
            ])
        try start()
        try primary.waitForStandby()
    }

    /// Makes this standby the primary server, on the next timeline.
    ///
    /// Commits do not wait for a standby until `setSynchronous(_:)` is called.
    public func promoteToPrimary() throws {
        try setSynchronous(false)
        try query("SELECT pg_promote()")
    }

    /// Sets whether each commit waits until the standby has written the commit to its disk.
    public func setSynchronous(_ isSynchronous: Bool) throws {
        let name = isSynchronous ? Self.standbyName : ""
        try query("ALTER SYSTEM SET synchronous_standby_names = '\(name)'")
        try query("SELECT pg_reload_conf()")
    }

    /// Waits until a standby receives all changes of this server.
    public func waitForStandby() throws {
        try query(
            """
            SET statement_timeout = '30s';
            DO $$ BEGIN
                WHILE NOT EXISTS (SELECT FROM pg_stat_replication WHERE state = 'streaming') LOOP
                    PERFORM pg_sleep(0.02);
                    PERFORM pg_stat_clear_snapshot();
                END LOOP;
            END $$
            """)
    }
}
