// The options of a printd that runs, kept so that the next one can go on with them.

import FoundationEssentials
import Glibc
import PrintBackends

/// What the command line says, but for the spool itself.
///
/// printd keeps them as `running.json` in the spool while it runs, and takes the file away when it ends in good order. A file
/// that is there belongs to a printd that was killed: the one that `printq` starts then (`--as-before`) goes on with its
/// options, so that clients reach it where they did.
struct RunOptions: Codable, Equatable {
    /// Where to listen on TCP: `HOST:PORT`; nil as printd.json5 says.
    var listen: String?
    /// Whether not to listen on TCP at all.
    var noTCP = false
    /// After how many seconds without work to leave; 0 never.
    var idleExit = 0.0
    /// The folder with the simulated printers' files, as an absolute path.
    var simulators: String?
    /// How fast simulated printers print.
    var simulatorSpeed: String?
    /// The cupsd that `cups:NAME` is a queue of.
    var cups: String?

    /// Why the options cannot be used, for people; nil when they can.
    var problem: String? {
        if let cups, CUPSServer(cups) == nil {
            return "--cups takes HOST[:PORT] or the path of a socket, not '\(cups)'"
        }
        if let listen {
            guard let address = TCPAddress(listen) else { return "--listen takes HOST:PORT, not '\(listen)'" }
            guard address.isLoopback else { return Self.onlyLoopback(listen) }
        }
        guard (0...1_000_000).contains(idleExit) else {
            return "--idle-exit takes seconds from 0 to 1000000, not \(idleExit)"
        }
        return nil
    }

    /// What is said of an address that is not of the loopback interface.
    static func onlyLoopback(_ address: String) -> String {
        "printd does not listen on '\(address)': clients from the network cannot prove who they are yet, and could read "
            + "and change the jobs of others; use 127.0.0.1:PORT, or share the queues by way of a cupsd"
    }

    // MARK: - In the spool

    /// The options of the printd of a spool that was killed; nil when none was, or the file makes no sense.
    static func kept(in folder: String) -> RunOptions? {
        guard let data = FileManager.default.contents(atPath: path(in: folder)),
            let options = try? JSONDecoder().decode(RunOptions.self, from: data), options.problem == nil
        else { return nil }
        return options
    }

    /// Keeps the options in the spool, in the place of those that are there.
    ///
    /// - Returns: whether it could.
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

    /// Takes the options away that the spool keeps.
    static func forget(in folder: String) { unlink(path(in: folder)) }

    private static func path(in folder: String) -> String { "\(folder)/running.json" }
}
