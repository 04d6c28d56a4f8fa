// Reads files that other processes may be writing.

import Glibc

/// Returns a file's current text; empty if the file does not exist.
///
/// The file is read in pieces to its end, because files of `/proc` do not report their size, and other files may grow
/// or shrink during reading.
public func text(of path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
        bytes += buffer[..<count]
    }
}
