// Reading files that others may be writing.

import Glibc

/// A file's text as it is now, though others may be writing it; empty when it is not there.
///
/// It is read piece by piece to its end: files of `/proc` do not say how long they are, and others grow or shrink meanwhile.
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
