// Reads the request of a process from standard input.

import FoundationEssentials
import Glibc

/// The standard input of a worker, which contains one line.
enum StandardInput {
    /// Reads one line from standard input, without its newline.
    ///
    /// Returns nil if there is no complete line.
    ///
    /// Input after the line is ignored.
    static func readLine() -> Data? {
        var line = Data()
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(STDIN_FILENO, &block, block.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return nil }
            if let end = block[..<count].firstIndex(of: UInt8(ascii: "\n")) {
                line.append(contentsOf: block[..<end])
                return line
            }
            line.append(contentsOf: block[..<count])
        }
    }
}
