// Runs Debian's command-line tools as independent checks.

import Glibc

/// Runs a program from the standard folders.
///
/// - Returns: The exit status and the output of the program.
func run(_ command: String...) throws -> (status: Int32, output: String) { try run(command) }

/// Runs a program from the standard folders.
///
/// The first element is the program's name, the rest are arguments.
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
