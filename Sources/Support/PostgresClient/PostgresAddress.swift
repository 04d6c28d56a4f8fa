// The address of a PostgreSQL server.

import CLibpq
import Glibc

/// The address of a database: one or several servers, the database and the user, and settings of the connection.
///
///     let address = try PostgresAddress("postgresql://print@db1,db2/spool?target_session_attrs=read-write")
///     let local = try PostgresAddress("host=/run/postgresql dbname=spool", passwordFile: "/etc/printq/password")
///
/// The text is a URI or a keyword string of libpq. Environment variables (`PGHOST`, …) and service files have their
/// usual effect.
///
/// The password should come from `passwordFile`, from the address's `passfile`, from `PGPASSFILE` or from a service
/// file. A password in the text works, but other users might be able to read the text in a configuration file.
public struct PostgresAddress: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The settings in the order of libpq, without secrets.
    private let settings: [Setting]
    /// The settings that must not be shown: passwords.
    private let secrets: [Setting]
    /// The path of a file whose first line is the password; nil if there is no password file.
    public let passwordFile: String?

    /// A keyword and its value.
    struct Setting: Sendable, Hashable {
        var keyword: String
        var value: String
    }

    /// Parses an address.
    ///
    /// - Parameters:
    ///   - text: A URI that begins with `postgresql://` or `postgres://`, or a keyword string such as `host=db1`.
    ///   - passwordFile: The path of a file whose first line is the password. Other users must not be able to read the
    ///     file.
    /// - Throws: `badAddress` for an unknown keyword, for invalid syntax, and for two passwords.
    public init(_ text: String, passwordFile: String? = nil) throws(PostgresError) {
        guard !text.utf8.contains(0) else { throw Self.invalid("it contains a zero byte") }
        var problem: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(text, &problem) else {
            defer { PQfreemem(problem) }
            throw Self.invalid(Self.withoutValues(problem.map { String(cString: $0) } ?? "out of memory", of: text))
        }
        defer { PQconninfoFree(options) }
        var (settings, secrets): ([Setting], [Setting]) = ([], [])
        var option = options
        while let keyword = option.pointee.keyword {
            defer { option += 1 }
            guard let value = option.pointee.val else { continue }
            let setting = Setting(keyword: String(cString: keyword), value: String(cString: value))
            // libpq marks secrets with the display character `*`.
            let isSecret = option.pointee.dispchar.map { $0.pointee == CChar(UInt8(ascii: "*")) } ?? false
            if isSecret { secrets.append(setting) } else { settings.append(setting) }
        }
        (self.settings, self.secrets, self.passwordFile) = (settings, secrets, passwordFile)
        try check(isURI: Self.isURI(text))
    }

    private func check(isURI: Bool) throws(PostgresError) {
        // The slash of a password ends the host, so that the rest of the password becomes the name of the database.
        if isURI, self["dbname"]?.contains("@") == true {
            throw Self.invalid("the name of the database contains '@'; write '/' in a password as '%2F'")
        }
        for port in Self.list(self["port"]) where !port.isEmpty {
            guard let number = Int(port), (1...65535).contains(number) else {
                throw Self.invalid("the port is not a number between 1 and 65535")
            }
        }
        for keyword in ["replication", "client_encoding"] where self[keyword] != nil {
            throw Self.invalid("the keyword '\(keyword)' is not supported")
        }
        if passwordFile != nil, containsPassword {
            throw Self.invalid("it contains a password, and there is a password file; remove one of them")
        }
        let counts = Set([self["host"], self["hostaddr"]].compactMap { $0 }.map { Self.list($0).count })
        guard counts.count <= 1 else { throw Self.invalid("'host' and 'hostaddr' have different numbers of servers") }
        let ports = Self.list(self["port"]).count
        guard ports <= 1 || counts.isEmpty || counts.contains(ports) else {
            throw Self.invalid("'host' and 'port' have different numbers of servers")
        }
    }

    /// Returns whether a text is a URI; all other texts are keyword strings.
    private static func isURI(_ text: String) -> Bool {
        text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
    }

    private static func invalid(_ reason: String) -> PostgresError {
        PostgresError(.badAddress, "the address of PostgreSQL is invalid: \(reason)")
    }

    /// Returns a message of libpq's parser without quoted parts of the text, if the text might contain a password.
    private static func withoutValues(_ message: String, of text: String) -> String {
        let line = PostgresError.oneLine(message)
        guard text.lowercased().contains("pass") || text.contains("@") else { return line }
        let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
        // A quoted part may contain quotes, so everything between the first and the last quote is removed.
        guard let first = parts.first, let last = parts.last, parts.count > 2 else { return line }
        return "\(first)\"…\"\(last)"
    }

    /// Returns the value of a keyword; nil for a secret or a missing keyword.
    public subscript(keyword: String) -> String? { settings.first { $0.keyword == keyword }?.value }

    /// Whether the text of the address contains a password.
    public var containsPassword: Bool { secrets.contains { $0.keyword == "password" } }

    /// The address as a keyword string, without passwords.
    public var description: String {
        settings.map { "\($0.keyword)=\(Self.quoted($0.value))" }.joined(separator: " ")
    }

    /// A mirror without passwords, for `dump` and for failed tests.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }

    private static func quoted(_ value: String) -> String {
        let isPlain = !value.isEmpty && !value.contains { $0.isWhitespace || $0 == "'" || $0 == "\\" }
        guard !isPlain else { return value }
        return "'\(value.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }

    private static func list(_ value: String?) -> [String] {
        value.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) } ?? []
    }
}

extension PostgresAddress {
    /// The settings for each server, in order.
    ///
    /// The client tries the servers one after another, so that each server has a separate deadline. If a service file
    /// or `PGHOST` names the servers, the result has one element.
    var servers: [[Setting]] {
        let (hosts, addresses, ports) = (Self.list(self["host"]), Self.list(self["hostaddr"]), Self.list(self["port"]))
        let count = max(hosts.count, addresses.count)
        guard count > 1 else { return [settings] }
        let shared = settings.filter { !["host", "hostaddr", "port"].contains($0.keyword) }
        return (0..<count).map { index in
            let port = ports.count > 1 ? ports[index] : ports.first
            let own = [("host", hosts[at: index]), ("hostaddr", addresses[at: index]), ("port", port)]
            return own.compactMap { keyword, value in value.map { Setting(keyword: keyword, value: $0) } } + shared
        }
    }

    /// Returns the settings that contain passwords: from the text of the address, and from the password file.
    ///
    /// - Throws: `badAddress` when the password file cannot be used, for example because other users can read the file.
    func passwords() throws(PostgresError) -> [Setting] {
        guard let passwordFile else { return secrets }
        return secrets + [Setting(keyword: "password", value: try PasswordFile.password(at: passwordFile))]
    }
}

// MARK: - The identity of the server

extension PostgresAddress {
    /// The value of `sslmode` with which the client verifies the certificate and the name of the server.
    static let verification = "verify-full"

    /// The hosts of the address, except this machine, for which the address chooses less than `sslmode=verify-full`.
    public var unverifiedHosts: [String] {
        guard let mode = Self.chosenMode(settings), mode != Self.verification else { return [] }
        return servers.filter(Self.isRemote).map { Self.place(of: $0) }
    }

    /// Returns whether the client uses `sslmode=verify-full` for a server, because no setting chooses another mode.
    static func mustVerify(_ server: [Setting]) -> Bool { isRemote(server) && chosenMode(server) == nil }

    private static func chosenMode(_ settings: [Setting]) -> String? { value("sslmode", "PGSSLMODE", in: settings) }

    /// Returns whether a server may be on another machine.
    ///
    /// A Unix socket and the loopback interface lead to this machine. The hosts of a service file are unknown.
    private static func isRemote(_ server: [Setting]) -> Bool {
        let place = value("hostaddr", "PGHOSTADDR", in: server) ?? value("host", "PGHOST", in: server)
        guard let place else { return value("service", "PGSERVICE", in: server) != nil }
        return list(place).contains { host in
            let isLocal =
                host.isEmpty || host.hasPrefix("/") || host.hasPrefix("@") || host.lowercased() == "localhost"
                || host == "::1" || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
            return !isLocal
        }
    }

    /// Returns the value of a setting, or of the environment variable that libpq uses instead.
    private static func value(_ keyword: String, _ variable: String, in settings: [Setting]) -> String? {
        settings.first { $0.keyword == keyword }?.value ?? getenv(variable).map { String(cString: $0) }
    }
}

extension Array {
    /// The element at an index; nil if the index is out of range.
    subscript(at index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
