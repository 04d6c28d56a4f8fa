// Defines the registry of the hosts that share a database.

import FoundationEssentials
package import PrintModel
import SafeFiles

/// The hosts that share the database of a store, and the leases of printers.
///
/// All times come from the clock of the database.
package protocol HostRegistry: Sendable {
    /// The process that uses the registry.
    var process: HostProcess { get }

    /// Reports that the process is alive, decides with `plan` which printers the process drives, and changes the leases
    /// accordingly.
    ///
    /// If the process takes the lease of a printer, a job in progress at this printer belongs to the process from then
    /// on.
    ///
    /// - Returns: The leases that the process now holds, for `PrinterLease.period` from the start of the call.
    /// - Throws: `locked` if another process has registered with the same host name.
    func beat(_ plan: @escaping @Sendable (LeaseSituation) -> LeasePlan) async throws -> [PrinterLease]

    /// Ends all leases of the process, and removes the process from the list of hosts that are alive.
    func withdraw() async throws

    /// Returns all hosts, in the order of their names.
    func hosts() async throws -> [SpoolHost]

    /// Returns all printers with their hosts, in the order in which the printers were added.
    func placements() async throws -> [PrinterPlacement]

    /// Sets whether a host releases its printers.
    ///
    /// - Returns: Whether the host exists.
    func setDraining(_ isDraining: Bool, host: String) async throws -> Bool

    /// Sets the hosts that can reach a printer, and the host that drives the printer if possible.
    func place(_ printer: String, hosts: [String], preferredHost: String?) async throws

    /// Removes a host that is not alive.
    ///
    /// - Returns: Whether the host was removed.
    func remove(host: String) async throws -> Bool

    func server() async throws -> DatabaseServer
}

/// A process that prints jobs of a shared database.
package struct HostProcess: Hashable, Sendable {
    package var host: String
    /// The unique name of this process.
    package var incarnation: String
    /// The unique name of the spool's folder.
    ///
    /// Only one process at a time can open a folder. Therefore an earlier process with the same folder has ended.
    package var folder: String

    package init(host: String, incarnation: String, folder: String) {
        (self.host, self.incarnation, self.folder) = (host, incarnation, folder)
    }
}

extension HostProcess {
    /// Creates the description of this process.
    ///
    /// - Parameter databasePath: The path of the file `spool.sqlite` in the spool's folder. The file `host` in the same
    ///   folder contains the unique name of the folder, and is created if it does not exist.
    package init(host: String, databasePath: String) throws {
        let path =
            databasePath.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            .joined(separator: "/") + "/host"
        if let name = try? String(contentsOfFile: path, encoding: .utf8), !name.isEmpty {
            folder = name
        } else {
            folder = RandomUUID.make()
            try AtomicFile.write(folder.utf8, to: path, temporaryName: .new, sync: .content)
        }
        self.host = host
        incarnation = RandomUUID.make()
    }
}
