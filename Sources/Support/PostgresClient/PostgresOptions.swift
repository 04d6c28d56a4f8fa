// Settings of connections to PostgreSQL.

/// The settings of a connection that are not part of the server's address.
public struct PostgresOptions: Sendable {
    /// The name of the program in the server's list of connections (`pg_stat_activity`).
    public var applicationName: String
    /// The maximum time to connect to one server, including authentication.
    ///
    /// `connect_timeout` of the address takes precedence. The time does not include the lookup of the host name.
    public var connectLimit: Duration
    /// The maximum time to wait for each response of the server.
    public var waitLimit: Duration
    /// A closure that is called before each statement, for tests of concurrent transactions.
    ///
    /// All earlier statements of the transaction have then run. The closure runs on the thread of the connection.
    public var beforeStatement: (@Sendable (_ serverProcess: Int, _ sql: String) -> Void)?

    /// Creates the settings of a connection.
    public init(
        applicationName: String = "printq", connectLimit: Duration = .seconds(3), waitLimit: Duration = .seconds(10)
    ) {
        self.applicationName = applicationName
        self.connectLimit = connectLimit
        self.waitLimit = waitLimit
    }

    /// Returns the settings of libpq, except the settings that the address contains.
    ///
    /// TCP keepalives detect a dead server while the client waits. `tcp_user_timeout` detects a dead server while the
    /// client sends data. A server on another machine must prove its identity, unless the address chooses less.
    func settings(without given: [PostgresAddress.Setting]) -> [PostgresAddress.Setting] {
        var defaults = [
            ("application_name", applicationName), ("client_encoding", "UTF8"), ("keepalives", "1"),
            ("keepalives_idle", "2"), ("keepalives_interval", "1"), ("keepalives_count", "2"),
            ("tcp_user_timeout", "3000"),
        ]
        if PostgresAddress.mustVerify(given) { defaults.append(("sslmode", PostgresAddress.verification)) }
        return defaults.filter { keyword, _ in !given.contains { $0.keyword == keyword } }
            .map { PostgresAddress.Setting(keyword: $0.0, value: $0.1) }
    }

    /// Returns the maximum time to connect to a server whose address has the given settings.
    func connectLimit(given: [PostgresAddress.Setting]) -> Duration {
        let seconds = given.first { $0.keyword == "connect_timeout" }.flatMap { Int($0.value) }
        guard let seconds, seconds > 0 else { return connectLimit }
        return .seconds(seconds)
    }
}
