// What printd tells whoever started it.

import FoundationEssentials
import Glibc

/// The one line of JSON that tells whoever started us how it went.
struct ReadyLine: Encodable {
    var ready: Bool
    var socket: String?
    /// The first address of TCP; nil when there is none.
    var tcp: String?
    /// All addresses of TCP.
    var addresses: [String]?
    /// Why an address is missing that was to be there.
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

    /// Writes the line to standard output.
    func print() {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard var line = try? encoder.encode(self) else { return }
        line.append(UInt8(ascii: "\n"))
        _ = line.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    }
}
