// Stores the options of a running printd for its successor.

import FoundationEssentials
import Glibc
import PrintBackends

/// The command-line options of printd, without the spool's folder.
///
/// `printd` stores these options in `running.json` in the spool while it runs, and removes the file when it exits
/// normally. If the file exists at startup, the previous `printd` was killed. In that case `printq` starts `printd`
/// with `--as-before`. The new `printd` uses the stored options, so that clients can connect to the same address.
struct RunOptions: Codable, Equatable {
    /// The TCP address to listen on (`HOST:PORT`); with nil, `printd.json5` determines the address.
    var listen: String?
    /// Whether to disable TCP.
    var noTCP = false
    /// The idle time in seconds after which printd exits; 0 means never.
    var idleExit = 0.0
    /// The absolute path of the folder with the simulated printers' definitions.
    var simulators: String?
    /// The speed of the simulated printers.
    var simulatorSpeed: String?
    /// The CUPS server that device URIs of the form `cups:NAME` refer to.
    var cups: String?

    /// The reason why the options are invalid; nil if they are valid.
    var problem: String? {
        if let cups, CUPSServer(cups) == nil {
            return "invalid value '\(cups)' for --cups: must be HOST[:PORT] or the path of a socket"
        }
        if let listen {
            guard let address = TCPAddress(listen) else {
                return "invalid value '\(listen)' for --listen: must be HOST:PORT"
            }
            guard address.isLoopback else { return Self.onlyLoopback(listen) }
        }
        guard (0...1_000_000).contains(idleExit) else {
            return "invalid value \(idleExit) for --idle-exit: must be 0 to 1000000 seconds"
        }
        return nil
    }

    /// Returns the error message for an address that is not on the loopback interface.
    static func onlyLoopback(_ address: String) -> String {
        "cannot listen on '\(address)': printd cannot authenticate clients on the network, which could read and change "
            + "the jobs of other users; use 127.0.0.1:PORT, or share the queues through a cupsd"
    }

    // MARK: - Storage in the spool

    /// Returns the stored options of a killed `printd`; nil if no valid options are stored.
    static func kept(in folder: String) -> RunOptions? {
        guard let data = FileManager.default.contents(atPath: path(in: folder)),
            let options = try? JSONDecoder().decode(RunOptions.self, from: data), options.problem == nil
        else { return nil }
        return options
    }

    /// Stores the options in the spool.
    ///
    /// The function replaces options that were stored before.
    ///
    /// - Returns: Whether the options were stored.
    func keep(in folder: String) -> Bool {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { return false }
        let bytes = Array(data) + Array("\n".utf8)
        let new = "\(Self.path(in: folder)).new"
        unlink(new)
        let file = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        let isWritten = write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
        close(file)
        guard isWritten, rename(new, Self.path(in: folder)) == 0 else {
            unlink(new)
            return false
        }
        return true
    }

    /// Deletes the stored options.
    static func forget(in folder: String) { unlink(path(in: folder)) }

    private static func path(in folder: String) -> String { "\(folder)/running.json" }
}
