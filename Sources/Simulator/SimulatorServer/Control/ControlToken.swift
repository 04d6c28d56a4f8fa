// The secret that lets a client on another machine control the printers.

import Glibc

/// A secret that a client on another machine presents to use the controls of a simulated printer.
///
///     let token = try ControlToken(file: "/etc/printsim/token")
///     token.matches(request.string(ControlToken.attributeName))
package struct ControlToken: Sendable {
    /// The name of the operation attribute that carries the token.
    package static let attributeName = "printsim-control-token"

    /// The allowed lengths of a token, in bytes.
    ///
    /// A shorter token is easy to guess, and a longer token does not fit an IPP text.
    private static let lengths = 16...255

    /// The token.
    package let text: String

    /// An error while reading a token file.
    package struct Failure: Error, CustomStringConvertible {
        /// A sentence that states the problem and what to do next.
        package let description: String
    }

    /// Reads the first line of a file that only its owner can read.
    ///
    /// - Throws: `Failure` when the file cannot be read, other users can read it, or the token is invalid.
    package init(file path: String) throws(Failure) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Failure(description: "cannot read '\(path)': \(Self.words(errno))") }
        defer { close(file) }
        var seen = stat()
        guard fstat(file, &seen) == 0 else {
            throw Failure(description: "cannot get the status of '\(path)': \(Self.words(errno))")
        }
        guard seen.st_mode & S_IFMT == S_IFREG else { throw Failure(description: "'\(path)' is not a regular file") }
        guard seen.st_mode & 0o077 == 0 else {
            throw Failure(description: "other users can read the control token in '\(path)'; run 'chmod 600'")
        }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw Failure(description: "cannot read '\(path)': \(Self.words(errno))") }
        let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard Self.lengths.contains(line.count), line.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure(
                description:
                    "the first line of '\(path)' must be a control token of \(Self.lengths.lowerBound) to "
                    + "\(Self.lengths.upperBound) visible ASCII characters; create one with 'openssl rand -hex 32'")
        }
        text = String(decoding: line, as: UTF8.self)
    }

    /// Returns whether a given token is equal to this token.
    ///
    /// The comparison takes constant time.
    package func matches(_ given: String?) -> Bool {
        guard let given else { return false }
        let (own, other) = (Array(text.utf8), Array(given.utf8))
        var difference = own.count ^ other.count
        for index in own.indices { difference |= Int(own[index] ^ (index < other.count ? other[index] : 0)) }
        return difference == 0
    }

    private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}
