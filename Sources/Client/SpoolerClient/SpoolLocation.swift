// Finds the spool that a program uses.

import Glibc

/// The location of a spool, and the reason why a program uses this spool.
package struct SpoolLocation: Sendable, Hashable {
    /// The reason why a spool is used.
    package enum Selection: Sendable, Hashable {
        /// The option `--spool` on the command line.
        case commandLine
        /// The environment variable `PRINTQ_SPOOL`.
        case environment
        /// The system spooler, because its socket exists.
        case system
        /// The private spool, because neither the user nor the environment specifies a spool, and the system spooler
        /// has no socket.
        case standard

        /// The reason for the use of the spool, as text for users.
        package var text: String {
            switch self {
            case .commandLine: "--spool"
            case .environment: "PRINTQ_SPOOL"
            case .system: "system spooler"
            case .standard: "private spool"
            }
        }
    }

    /// The absolute path of the spool's folder.
    package let path: String
    /// The path of the socket on which printd listens.
    ///
    /// The socket of the system spooler is not in the spool folder, because only printd can enter this folder.
    package let socket: String
    /// The reason why the spool is used.
    package let selection: Selection
    /// Whether the spool belongs to the system spooler.
    ///
    /// Only systemd starts the system spooler.
    package let isSystem: Bool
    /// Whether the private spool is used because the system spooler is installed but does not run.
    package let replacesSystem: Bool

    /// The path of the spool folder of the system spooler.
    package static let systemFolder = "/var/spool/printq"
    /// The path of the configuration file of the system spooler.
    package static let systemConfiguration = "/etc/printq/printd.json5"
    private static let systemSocket = "/run/printq/printd.sock"
    /// The folders in which systemd searches for the units of packages and administrators.
    private static let unitFolders = [
        "/etc/systemd/system", "/usr/local/lib/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system",
    ]

    /// Selects the spool.
    ///
    /// The command line takes precedence over `PRINTQ_SPOOL`. If neither specifies a folder, the system spooler is
    /// selected if its socket exists. Otherwise the private spool is selected (`$XDG_STATE_HOME/printq` or
    /// `~/.local/state/printq`).
    ///
    /// `/var/spool/printq` on the command line or in `PRINTQ_SPOOL` also selects the system spooler.
    ///
    /// - Parameters:
    ///   - named: The value of `--spool`.
    ///   - environment: The environment of the process. Tests set `PRINTQ_SYSTEM_SOCKET` to another path of the system
    ///     spooler's socket.
    ///   - workingDirectory: The base of relative paths.
    ///   - exists: The function that returns whether a file exists.
    /// - Throws: `SpoolerClientError` with `usage` if `--spool` is empty, if neither `XDG_STATE_HOME` nor `HOME`
    ///   determines the private spool, or if the path of the folder is too long for a socket.
    package init(
        named: String?, environment: [String: String], workingDirectory: String,
        exists: (String) -> Bool = { access($0, F_OK) == 0 }
    ) throws(SpoolerClientError) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let trialSocket = value("PRINTQ_SYSTEM_SOCKET")
        let systemSocket = trialSocket ?? Self.systemSocket
        if let given = named ?? value("PRINTQ_SPOOL") {
            guard !given.isEmpty else { throw SpoolerClientError(.usage, "--spool requires a folder") }
            try self.init(
                folder: given, named == nil ? .environment : .commandLine, workingDirectory: workingDirectory,
                systemSocket: systemSocket)
        } else if exists(systemSocket) {
            try self.init(
                folder: Self.systemFolder, .system, workingDirectory: workingDirectory, systemSocket: systemSocket)
        } else {
            let isInstalled =
                trialSocket.map { exists(String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)])) }
                ?? Self.unitFolders.contains { exists("\($0)/printd.socket") }
            try self.init(
                folder: try Self.privateFolder(environment), .standard, workingDirectory: workingDirectory,
                systemSocket: systemSocket, replacesSystem: isInstalled)
        }
    }

    private init(
        folder: String, _ selection: Selection, workingDirectory: String, systemSocket: String,
        replacesSystem: Bool = false
    ) throws(SpoolerClientError) {
        var absolute = folder.hasPrefix("/") ? folder : "\(workingDirectory)/\(folder)"
        while absolute.count > 1, absolute.hasSuffix("/") { absolute.removeLast() }
        path = absolute
        isSystem = absolute == Self.systemFolder
        socket = isSystem ? systemSocket : "\(absolute)/printd.sock"
        self.selection = selection
        self.replacesSystem = replacesSystem
        guard socket.utf8.count <= Self.longestSocket else {
            throw SpoolerClientError(
                .usage,
                "the path of the spool '\(absolute)' is too long for a socket; choose a shorter path with --spool")
        }
    }

    /// Returns the folder of the private spool: `$XDG_STATE_HOME/printq` if the variable contains an absolute path,
    /// otherwise `~/.local/state/printq`.
    private static func privateFolder(_ environment: [String: String]) throws(SpoolerClientError) -> String {
        // The XDG specification requires programs to ignore relative paths.
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return "\(state)/printq" }
        if let home = environment["HOME"], !home.isEmpty { return "\(home)/.local/state/printq" }
        throw SpoolerClientError(.usage, "no spool folder is configured; use --spool FOLDER or set PRINTQ_SPOOL")
    }

    /// Returns another spool in which a user could have jobs that this spool does not show.
    ///
    /// For the system spooler, the result is the private spool. For any other spool, the result is the system spooler.
    ///
    /// The result is nil if there is no other spool.
    package func other(
        environment: [String: String], exists: (String) -> Bool = { access($0, F_OK) == 0 }
    ) -> SpoolLocation? {
        var variables = environment
        variables["PRINTQ_SPOOL"] = nil
        guard isSystem else {
            let found = try? SpoolLocation(named: nil, environment: variables, workingDirectory: "/", exists: exists)
            return found?.isSystem == true ? found : nil
        }
        guard let folder = try? Self.privateFolder(environment), exists("\(folder)/spool.sqlite") else { return nil }
        return try? SpoolLocation(named: folder, environment: environment, workingDirectory: "/", exists: exists)
    }

    /// The default path of the configuration file.
    ///
    /// A user can start printd with another configuration file.
    package var configuration: String { isSystem ? Self.systemConfiguration : "\(path)/printd.json5" }
    /// The path of the log file of a printd that printq has started.
    package var log: String { "\(path)/printd.log" }
    /// The path of the lock file of the spool's printd.
    package var lock: String { "\(path)/lock" }

    /// The maximum length of a socket's path in bytes.
    ///
    /// `sun_path` has 108 bytes, including the terminating 0 (unix(7)).
    private static let longestSocket = 107
}
