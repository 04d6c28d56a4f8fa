// Reads the request of a worker from standard input.

import CSandbox
package import FoundationEssentials
import Glibc

/// The standard input of a worker: one request, which is followed by commands if the request opens documents for
/// viewing.
package enum StandardInput {
    /// Starts a thread that ends the process as soon as the sender closes standard input.
    ///
    /// The sender keeps standard input open while the sender waits for the response.
    package static func endProcessAtEnd() {
        var thread = pthread_t()
        let watch: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { _ in
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) > 0 || errno == EINTR { errno = 0 }
            _exit(1)
        }
        guard pthread_create(&thread, nil, watch, nil) == 0 else { _exit(1) }
    }

    /// Reads one line from standard input, without its newline.
    ///
    /// Returns nil if standard input contains no complete line. The function discards input that arrives together with
    /// the end of the line.
    ///
    /// - Parameter receivesFiles: Whether standard input is a socket that also receives the files of the request
    ///   (`WorkerFileAccess.received`).
    package static func readLine(receivingFiles receivesFiles: Bool = false) -> Data? {
        var line = Data()
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count =
                receivesFiles
                ? sandbox_receive(STDIN_FILENO, &block, block.count) : read(STDIN_FILENO, &block, block.count)
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
