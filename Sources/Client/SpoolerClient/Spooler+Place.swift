// Connects to the spool of the current user.

import FoundationEssentials
import Glibc
import IPPClient
import PrintIPP

extension SpoolLocation {
    /// Returns the spool that the process's environment and working directory select.
    ///
    /// - Parameter named: The folder from the command line; nil if the command line does not name a folder.
    package static func current(named: String? = nil) throws(SpoolerClientError) -> SpoolLocation {
        var environment: [String: String] = [:]
        for name in ["PRINTQ_SPOOL", "XDG_STATE_HOME", "HOME"] {
            environment[name] = getenv(name).map { String(cString: $0) }
        }
        return try SpoolLocation(
            named: named, environment: environment, workingDirectory: FileManager.default.currentDirectoryPath)
    }
}

extension Spooler {
    /// Connects to a spool as the current user.
    ///
    /// Starts printd if it is not running.
    ///
    /// - Parameter onStart: Called after printd has been started.
    package init(at place: SpoolLocation, onStart: @escaping @Sendable (DaemonLauncher.Start) -> Void = { _ in }) {
        self.init(client: IPPClient(address: .unix(path: place.socket)), user: UserAccounts.name(of: getuid())) {
            () throws(SpoolerClientError) in
            try DaemonLauncher(place: place, program: DaemonLauncher.program(), onStart: onStart).start()
        }
    }
}
