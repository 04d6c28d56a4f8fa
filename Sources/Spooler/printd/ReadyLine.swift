// Writes the line that reports the start of printd.

import FoundationEssentials
import Glibc

/// The line of JSON that reports whether printd has started.
struct ReadyLine: Encodable {
    var ready: Bool
    var socket: String?
    /// The first TCP address; nil if there is no TCP address.
    var tcp: String?
    /// The TCP addresses on which `printd` listens.
    var addresses: [String]?
    /// The reason why `printd` does not listen on a configured address, or why TLS is unavailable.
    var problem: String?
    var message: String?

    init(socket: String, tcp: [String], problem: String?) {
        ready = true
        self.socket = socket
        self.tcp = tcp.first
        addresses = tcp
        self.problem = problem
    }

    init(message: String) {
        ready = false
        self.message = message
    }

    /// Writes the ready line to standard output.
    func print() {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard var line = try? encoder.encode(self) else { return }
        line.append(UInt8(ascii: "\n"))
        _ = line.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    }
}
