// The secret by which a client on another machine may use a printer's controls.

import Glibc

/// A secret that a client on another machine presents to use the controls of a simulated printer.
///
///     let token = try ControlToken(file: "/etc/printsim/token")
///     token.matches(request.string(ControlToken.attributeName))
package struct ControlToken: Sendable {
    /// The operation attribute that has the secret in a request.
    package static let attributeName = "printsim-control-token"

    /// The lengths that a secret may have, in bytes: short ones can be guessed, and longer ones are no IPP text.
    private static let lengths = 16...255

    /// The secret.
    package let text: String

    /// Why a file has no usable secret: one sentence for people.
    package struct Failure: Error, CustomStringConvertible {
        /// What is wrong with the file, and what to do next.
        package let description: String
    }

    /// Reads the first line of a file that nobody but its owner can read.
    package init(file path: String) throws(Failure) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw Failure(description: "'\(path)' cannot be read: \(Self.words(errno))") }
        defer { close(file) }
        var seen = stat()
        guard fstat(file, &seen) == 0 else {
            throw Failure(description: "'\(path)' cannot be looked at: \(Self.words(errno))")
        }
        guard seen.st_mode & S_IFMT == S_IFREG else { throw Failure(description: "'\(path)' is no file") }
        guard seen.st_mode & 0o077 == 0 else {
            throw Failure(description: "others can read the control token in '\(path)'; give the file the mode 600")
        }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(file, &bytes, bytes.count)
        guard count >= 0 else { throw Failure(description: "'\(path)' cannot be read: \(Self.words(errno))") }
        let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard Self.lengths.contains(line.count), line.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure(
                description:
                    "the first line of '\(path)' must be a control token of \(Self.lengths.lowerBound) to "
                    + "\(Self.lengths.upperBound) visible ASCII characters, as 'openssl rand -hex 32' makes one")
        }
        text = String(decoding: line, as: UTF8.self)
    }

    /// Whether this is the secret; how long the comparison takes does not depend on how much of it is right.
    package func matches(_ given: String?) -> Bool {
        guard let given else { return false }
        let (own, other) = (Array(text.utf8), Array(given.utf8))
        var difference = own.count ^ other.count
        for index in own.indices { difference |= Int(own[index] ^ (index < other.count ? other[index] : 0)) }
        return difference == 0
    }

    private static func words(_ code: Int32) -> String { String(cString: strerror(code)) }
}
