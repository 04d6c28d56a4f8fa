// The queue of this user's spool.

import FoundationEssentials
import Glibc
import IPPClient
import PrintIPP

extension SpoolLocation {
    /// The spool that this process's environment and current folder lead to.
    ///
    /// - Parameter named: the folder given by a person; nil for none.
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
    /// The queue of a spool, in this user's name; printd is started when nobody answers there.
    ///
    /// - Parameter onStart: told when it has been started.
    package init(at place: SpoolLocation, onStart: @escaping @Sendable (DaemonLauncher.Start) -> Void = { _ in }) {
        self.init(client: IPPClient(address: .unix(path: place.socket)), user: UserAccounts.name(of: getuid())) {
            () throws(SpoolerClientError) in
            try DaemonLauncher(place: place, program: DaemonLauncher.program(), onStart: onStart).start()
        }
    }
}
