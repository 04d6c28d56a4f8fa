// Connects to the spool of the current user.

import FoundationEssentials
import Glibc
import IPPClient
import PrintIPP

extension SpoolLocation {
    /// Returns the spool that the command line and the environment of this process select.
    ///
    /// - Parameter named: The folder from the command line; nil if the command line does not specify a folder.
    package static func current(named: String? = nil) throws(SpoolerClientError) -> SpoolLocation {
        try SpoolLocation(
            named: named, environment: environment, workingDirectory: FileManager.default.currentDirectoryPath)
    }

    /// Returns the private spool, even if there is a system spooler.
    ///
    /// - Parameter named: The folder from the command line; nil means the value of `PRINTQ_SPOOL`, or the default
    ///   folder if the variable is not set.
    package static func privatePlace(named: String?) throws(SpoolerClientError) -> SpoolLocation {
        try SpoolLocation(
            named: named, environment: environment, workingDirectory: FileManager.default.currentDirectoryPath,
            exists: { _ in false })
    }

    /// Another spool in which a user could have jobs that this spool does not show; nil if there is no other spool.
    package var other: SpoolLocation? { other(environment: Self.environment) }

    /// The environment variables that affect the choice of the spool, with their values in this process.
    private static var environment: [String: String] {
        var environment: [String: String] = [:]
        for name in ["PRINTQ_SPOOL", "PRINTQ_SYSTEM_SOCKET", "XDG_STATE_HOME", "HOME"] {
            environment[name] = getenv(name).map { String(cString: $0) }
        }
        return environment
    }
}

extension Spooler {
    /// Connects to a spool as the current user.
    ///
    /// The client starts printd if printd is not running. Only systemd starts the printd of the system spooler.
    ///
    /// - Parameters:
    ///   - onStart: The function that is called after the client has started printd.
    ///   - onWait: The function that is called with an explanation when the start takes a long time.
    package init(
        at place: SpoolLocation, onStart: @escaping @Sendable (DaemonLauncher.Start) -> Void = { _ in },
        onWait: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.init(client: UnixSocketClient(path: place.socket), user: UserAccounts.name(of: getuid())) {
            () throws(SpoolerClientError) in
            try DaemonLauncher(place: place, program: DaemonLauncher.program(), onStart: onStart, onWait: onWait)
                .start()
        }
    }
}
