// What printd tells whoever started it.

import FoundationEssentials
import Glibc

/// The one line of JSON that tells whoever started us how it went.
struct ReadyLine: Encodable {
    var ready: Bool
    var socket: String?
    var tcp: String?
    var message: String?

    init(socket: String, tcp: String?) {
        ready = true
        self.socket = socket
        self.tcp = tcp
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
