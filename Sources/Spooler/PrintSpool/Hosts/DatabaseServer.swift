// Describes the server of a shared database.

public import PrintModel

/// The properties of the database server that hosts share.
public struct DatabaseServer: Hashable, Sendable {
    /// The version of PostgreSQL, such as `15.18`.
    public var version: String
    /// The difference between the clock of the database and the clock of this host, in seconds.
    ///
    /// The value is positive if the clock of the database is ahead. The measurement error is at most half of
    /// `roundTrip`.
    public var clockDifference: Double
    /// The time between the query and the response, in seconds.
    public var roundTrip: Double
    /// The names of the required synchronous standbys (`synchronous_standby_names`); empty if commits wait for no
    /// standby.
    public var synchronousStandbys: String
    /// The number of standbys that are connected and confirm commits; nil if the user of the database is not allowed to
    /// read this number.
    public var connectedSynchronousStandbys: Int?
    /// Whether commits wait until the server has written them to disk (`synchronous_commit` is not `off`).
    public var commitsAreDurable: Bool

    /// The session whose open transaction keeps the oldest versions of rows; nil if each transaction is younger than a
    /// minute.
    public var oldestSession: OldSession?

    package init(
        version: String, clockDifference: Double, roundTrip: Double, synchronousStandbys: String,
        connectedSynchronousStandbys: Int?, commitsAreDurable: Bool, oldestSession: OldSession? = nil
    ) {
        (self.version, self.clockDifference, self.roundTrip) = (version, clockDifference, roundTrip)
        self.synchronousStandbys = synchronousStandbys
        self.connectedSynchronousStandbys = connectedSynchronousStandbys
        (self.commitsAreDurable, self.oldestSession) = (commitsAreDurable, oldestSession)
    }

    /// A session of the database whose open transaction prevents that old versions of rows are removed.
    public struct OldSession: Hashable, Sendable {
        /// The ID of the server's process.
        public var process: Int
        /// The name of the database user.
        public var user: String
        /// The name of the program; empty if the program has not set a name.
        public var application: String
        /// The start of the transaction; nil if the user of the database is not allowed to read it.
        public var since: UnixTime?
    }

    /// Whether each commit waits for a standby.
    public var hasSynchronousStandby: Bool { !synchronousStandbys.isEmpty }
}
