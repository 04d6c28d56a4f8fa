// Finds the folder of the spool.

/// The folder of a spool.
package struct SpoolLocation: Sendable, Hashable {
    /// The absolute path of the folder.
    package let path: String

    /// Selects the spool: the folder from the command line, else `PRINTQ_SPOOL`, else `$XDG_STATE_HOME/printq`, else
    /// `~/.local/state/printq`.
    ///
    /// - Parameters:
    ///   - named: The value of `--spool`.
    ///   - environment: The environment of the process.
    ///   - workingDirectory: The base of relative paths.
    /// - Throws: `SpoolerClientError` with `usage` if no folder is configured, or its path is too long for a socket.
    package init(
        named: String?, environment: [String: String], workingDirectory: String
    ) throws(SpoolerClientError) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let chosen: String
        if let given = named ?? value("PRINTQ_SPOOL") {
            guard !given.isEmpty else { throw SpoolerClientError(.usage, "--spool requires a folder") }
            chosen = given
        } else if let state = value("XDG_STATE_HOME"), state.hasPrefix("/") {
            // The XDG specification requires programs to ignore relative paths.
            chosen = "\(state)/printq"
        } else if let home = value("HOME") {
            chosen = "\(home)/.local/state/printq"
        } else {
            throw SpoolerClientError(.usage, "no spool folder is configured; use --spool FOLDER or set PRINTQ_SPOOL")
        }
        var absolute = chosen.hasPrefix("/") ? chosen : "\(workingDirectory)/\(chosen)"
        while absolute.count > 1, absolute.hasSuffix("/") { absolute.removeLast() }
        path = absolute
        guard socket.utf8.count <= Self.longestSocket else {
            throw SpoolerClientError(
                .usage,
                "the path of the spool '\(absolute)' is too long for a socket; choose a shorter path with --spool")
        }
    }

    /// The socket that printd listens on.
    package var socket: String { "\(path)/printd.sock" }
    /// The log file of a printd that was started by printq.
    package var log: String { "\(path)/printd.log" }
    /// The lock file of the spool's printd.
    package var lock: String { "\(path)/lock" }

    /// The size limit: `sun_path` has 108 bytes, including the terminating 0 (unix(7)).
    private static let longestSocket = 107
}
