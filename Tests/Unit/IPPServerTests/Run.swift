// Runs a command and returns its output.

import Dispatch
import Glibc

/// Runs a command whose arguments need no quoting.
///
/// Returns the standard output and standard error of the command as one text.
func run(_ words: String...) async throws -> String {
    let command = words.joined(separator: " ") + " 2>&1"
    return await withCheckedContinuation { continuation in
        DispatchQueue(label: "run").async {
            var all: [UInt8] = []
            if let output = popen(command, "r") {
                var buffer = [UInt8](repeating: 0, count: 4096)
                while case let count = fread(&buffer, 1, buffer.count, output), count > 0 { all += buffer[..<count] }
                pclose(output)
            }
            continuation.resume(returning: String(decoding: all, as: UTF8.self))
        }
    }
}

func remove(_ path: String) { unlink(path) }
