// Debian's own tools, as oracles.

import Glibc

/// Runs a program found in the usual places and returns its exit status and all it printed.
func run(_ command: String...) throws -> (status: Int32, output: String) { try run(command) }

/// Runs a program found in the usual places with a list of arguments.
func run(_ command: [String]) throws -> (status: Int32, output: String) {
    let line = command.map { "'\($0)'" }.joined(separator: " ")
    guard !command.contains(where: { $0.contains("'") }), let pipe = popen("\(line) 2>&1", "r") else {
        throw CommandFailure(command: command)
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = fread(&buffer, 1, buffer.count, pipe)
        if count == 0 { break }
        bytes += buffer[..<count]
    }
    let status = pclose(pipe)
    return ((status >> 8) & 0xFF, String(decoding: bytes, as: UTF8.self))
}

struct CommandFailure: Error {
    let command: [String]
}
