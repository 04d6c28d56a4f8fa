// Where the spool is, and what of it printq needs to know.

/// The folder of a spool.
package struct SpoolLocation: Sendable, Hashable {
    /// The folder's absolute path.
    package let path: String

    /// The spool to use: the one named on the command line, else `PRINTQ_SPOOL`, else `$XDG_STATE_HOME/printq`, else
    /// `~/.local/state/printq`.
    ///
    /// - Parameters:
    ///   - named: the value of `--spool`.
    ///   - environment: the process's environment.
    ///   - workingDirectory: what a relative path counts from.
    /// - Throws: `SpoolerClientError` with `usage` when nothing says where it is, or its path is too long for a socket.
    package init(
        named: String?, environment: [String: String], workingDirectory: String
    ) throws(SpoolerClientError) {
        func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        let chosen: String
        if let given = named ?? value("PRINTQ_SPOOL") {
            guard !given.isEmpty else { throw SpoolerClientError(.usage, "--spool names no folder") }
            chosen = given
        } else if let state = value("XDG_STATE_HOME"), state.hasPrefix("/") {
            // The XDG rules say to ignore relative paths.
            chosen = "\(state)/printq"
        } else if let home = value("HOME") {
            chosen = "\(home)/.local/state/printq"
        } else {
            throw SpoolerClientError(.usage, "nothing says where the spool is; give --spool FOLDER or set PRINTQ_SPOOL")
        }
        var absolute = chosen.hasPrefix("/") ? chosen : "\(workingDirectory)/\(chosen)"
        while absolute.count > 1, absolute.hasSuffix("/") { absolute.removeLast() }
        path = absolute
        guard socket.utf8.count <= Self.longestSocket else {
            throw SpoolerClientError(
                .usage,
                "the path of the spool '\(absolute)' is too long for a socket; choose a shorter one with --spool")
        }
    }

    /// The socket that printd listens on.
    package var socket: String { "\(path)/printd.sock" }
    /// Where a printd started by printq writes what it has to say.
    package var log: String { "\(path)/printd.log" }
    /// The file that the printd of this spool has locked.
    package var lock: String { "\(path)/lock" }

    /// unix(7): `sun_path` has 108 bytes, the last one 0.
    private static let longestSocket = 107
}
