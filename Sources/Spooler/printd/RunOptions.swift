// Stores the options of a running printd for its successor.

import FoundationEssentials
import Glibc
import PrintBackends
import SafeFiles
import SpoolConfiguration

/// The command-line options of printd, without the spool's folder.
///
/// At the start, `printd` stores these options in `running.json` in the spool. At a normal exit, `printd` removes the
/// file. If the file exists when `printq` starts `printd` (`--on-demand`), the previous `printd` was killed. The new
/// `printd` then uses the stored options, so that clients can connect to the same address.
struct RunOptions: Codable, Equatable {
    /// The TCP address to listen on (`HOST:PORT`); if nil, the configuration determines the address.
    var listen: String?
    /// The absolute path of the Unix socket; if nil, the socket is `printd.sock` in the spool.
    var socket: String?
    /// The URI of the PostgreSQL database of the queue; if nil, the configuration determines the database.
    var store: String?
    /// The unique name of this host; if nil, the configuration determines the name.
    var hostName: String?
    /// Whether TCP is disabled.
    var noTCP = false
    /// The idle time in seconds after which printd exits; 0 means never.
    ///
    /// If nil, the configuration determines the idle time.
    var idleExit: Double?
    /// The absolute path of the folder with the simulated printers' definitions; if nil, the configuration determines
    /// the folder.
    var simulators: String?
    /// The speed of the simulated printers; if nil, the configuration determines the speed.
    var simulatorSpeed: String?
    /// The CUPS server to which device URIs of the form `cups:NAME` refer; if nil, the configuration determines the
    /// server.
    var cups: String?

    /// The reason why the options are invalid; nil if the options are valid.
    var problem: String? {
        if let cups, CUPSServer(cups) == nil {
            return "invalid value '\(cups)' for --cups: must be HOST[:PORT] or the path of a socket"
        }
        if let listen {
            guard let address = TCPAddress(listen) else {
                return "invalid value '\(listen)' for --listen: must be HOST:PORT"
            }
            guard address.isLoopback else { return TCPAddress.onlyLoopback(listen) }
        }
        if let store, (try? Setting.store.value(ofArgument: store)) == nil {
            return "invalid value for --store: must be \(Setting.store.range)"
        }
        if let hostName, (try? Setting.hostName.value(ofArgument: hostName)) == nil {
            return "invalid value '\(hostName)' for --host-name: must be \(Setting.hostName.range)"
        }
        if let idleExit, !(0...1_000_000).contains(idleExit) {
            return "invalid value \(idleExit) for --idle-exit: must be 0 to 1000000 seconds"
        }
        return nil
    }

    /// The settings that the options set, with their values.
    var settings: [Setting: SettingValue] {
        var settings: [Setting: SettingValue] = [:]
        settings[.listen] = noTCP ? SettingValue.none : listen.map { .text($0) }
        settings[.store] = store.map { .text($0) }
        settings[.hostName] = hostName.map { .text($0) }
        settings[.idleExitSeconds] = idleExit.map { .number($0) }
        settings[.simulators] = simulators.map { .text($0) }
        settings[.simulatorSpeed] = simulatorSpeed.map { .text($0) }
        settings[.cupsServer] = cups.map { .text($0) }
        return settings
    }

    // MARK: - Storage in the spool

    /// Returns the stored options of a killed `printd`; nil if no valid options are stored.
    static func stored(in folder: String) -> RunOptions? {
        guard let data = FileManager.default.contents(atPath: path(in: folder)),
            let options = try? JSONDecoder().decode(RunOptions.self, from: data), options.problem == nil
        else { return nil }
        return options
    }

    /// Stores the options in the spool.
    ///
    /// The function replaces options that are already stored.
    ///
    /// - Returns: Whether the options were stored.
    func keep(in folder: String) -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { return false }
        let path = Self.path(in: folder)
        return (try? AtomicFile.write(data + Data("\n".utf8), to: path, temporaryName: .new, sync: .content)) != nil
    }

    /// Deletes the stored options.
    static func forget(in folder: String) { unlink(path(in: folder)) }

    private static func path(in folder: String) -> String { "\(folder)/running.json" }
}
