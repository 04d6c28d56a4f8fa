// Runs a command and gives back what it printed.

import Dispatch
import Glibc

/// Runs a command without arguments that need quoting; standard output and error together.
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
