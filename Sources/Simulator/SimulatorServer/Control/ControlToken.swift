// The secret that lets a client on another machine control the printers.

import Glibc

/// A secret that a client on another machine presents to use the controls of a simulated printer.
///
///     let token = try ControlToken(file: "/etc/printsim/token")
///     token.matches(request.string(ControlToken.attributeName))
package struct ControlToken: Sendable {
    package static let attributeName = "printsim-control-token"

    /// The allowed lengths of a token, in bytes.
    ///
    /// A shorter token is easy to guess. A longer token does not fit into an IPP text.
    private static let lengths = 16...255

    package let text: String

    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Creates a random token.
    package init() {
        text = (0..<32).map { _ in String(UInt8.random(in: 0x10...0xFF), radix: 16) }.joined()
    }

    /// Reads the token from the first line of a private file.
    ///
    /// - Throws: `Failure` if the file cannot be read, if other users can read the file, or if the token is invalid.
    package init(file path: String) throws(Failure) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Failure(description: "cannot read '\(path)': \(Self.message(errno))") }
        defer { close(file) }
        var seen = stat()
        guard fstat(file, &seen) == 0 else {
            throw Failure(description: "cannot get the status of '\(path)': \(Self.message(errno))")
        }
        guard seen.st_mode & S_IFMT == S_IFREG else { throw Failure(description: "'\(path)' is not a regular file") }
        guard seen.st_mode & 0o077 == 0 else {
            throw Failure(description: "other users can read the control token in '\(path)'; run 'chmod 600 \(path)'")
        }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw Failure(description: "cannot read '\(path)': \(Self.message(errno))") }
        let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard Self.lengths.contains(line.count), line.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure(
                description:
                    "the first line of '\(path)' must be a control token of \(Self.lengths.lowerBound) to "
                    + "\(Self.lengths.upperBound) visible ASCII characters; create one with 'openssl rand -hex 32'")
        }
        text = String(decoding: line, as: UTF8.self)
    }

    /// The comparison takes constant time.
    package func matches(_ presented: String?) -> Bool {
        guard let presented else { return false }
        let (own, other) = (Array(text.utf8), Array(presented.utf8))
        var difference = own.count ^ other.count
        for index in own.indices { difference |= Int(own[index] ^ (index < other.count ? other[index] : 0)) }
        return difference == 0
    }

    private static func message(_ code: Int32) -> String { String(cString: strerror(code)) }
}
