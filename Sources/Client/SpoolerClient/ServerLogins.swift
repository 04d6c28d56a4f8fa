// Stores the logins of a user at printd servers on the network.

import FoundationEssentials
import Glibc
import SafeFiles

/// The login of a user at a server.
package struct ServerLogin: Codable, Hashable, Sendable {
    /// The host and the port of the server, as in ``ServerAddress/description``.
    package var server: String
    package var user: String
    /// The password of the user, the secret of a token, or a token of OpenID Connect.
    package var secret: String
    /// The SHA-256 hash of the server's public key, in hexadecimal digits; nil if an authority of the system has signed
    /// the server's certificate.
    package var key: String?

    package init(server: ServerAddress, user: String, secret: String, key: String?) {
        (self.server, self.user, self.secret, self.key) = (server.description, user, secret, key)
    }

    /// The value of the HTTP field `Authorization` (RFC 7617, RFC 6750).
    package var authorization: String {
        // The header of each token of OpenID Connect begins with '{"', which is 'eyJ' in base64url.
        let isSigned = secret.hasPrefix("eyJ") && secret.split(separator: ".").count == 3
        return isSigned ? "Bearer \(secret)" : "Basic " + Data("\(user):\(secret)".utf8).base64EncodedString()
    }
}

/// The file with the logins of a user, which only the user can read.
package struct ServerLogins: Sendable {
    private let path: String

    /// The file `printq/servers.json` in `$XDG_CONFIG_HOME`, otherwise in `~/.config`.
    ///
    /// - Throws: `SpoolerClientError` with `usage` if neither variable determines a folder.
    package static func current() throws(SpoolerClientError) -> ServerLogins {
        func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
        if let folder = value("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
            return ServerLogins(path: "\(folder)/printq/servers.json")
        }
        guard let home = value("HOME"), home.hasPrefix("/") else {
            throw SpoolerClientError(.usage, "no folder for logins is configured; set HOME or XDG_CONFIG_HOME")
        }
        return ServerLogins(path: "\(home)/.config/printq/servers.json")
    }

    package init(path: String) { self.path = path }

    /// Returns the login at a server; nil if there is none.
    package func login(at server: ServerAddress) throws(SpoolerClientError) -> ServerLogin? {
        try read().first { $0.server == server.description }
    }

    /// Stores a login, which replaces an earlier login at the same server.
    package func store(_ login: ServerLogin) throws(SpoolerClientError) {
        try write(try read().filter { $0.server != login.server } + [login])
    }

    /// Deletes the login at a server; returns whether there was one.
    package func remove(_ server: ServerAddress) throws(SpoolerClientError) -> Bool {
        let logins = try read()
        let others = logins.filter { $0.server != server.description }
        guard others.count < logins.count else { return false }
        try write(others)
        return true
    }

    private func read() throws(SpoolerClientError) -> [ServerLogin] {
        var status = stat()
        guard stat(path, &status) == 0 else { return [] }
        guard status.st_uid == getuid(), status.st_mode & 0o077 == 0 else {
            throw SpoolerClientError(
                .noPermission,
                "'\(path.printable)' contains passwords, and other users can change or read it; run 'chmod 600' on it")
        }
        do {
            return try JSONDecoder().decode([ServerLogin].self, from: Data(contentsOf: URL(filePath: path)))
        } catch {
            throw SpoolerClientError(
                .noInput, "cannot read the logins in '\(path.printable)'; delete the file and log in again",
                cause: error)
        }
    }

    private func write(_ logins: [ServerLogin]) throws(SpoolerClientError) {
        do {
            let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            try AtomicFile.write(
                Array(try encoder.encode(logins.sorted { $0.server < $1.server })), to: path, sync: .content)
        } catch {
            throw SpoolerClientError(.output, "cannot write the logins to '\(path.printable)'", cause: error)
        }
    }
}
