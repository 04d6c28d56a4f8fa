// Reads a document from a file or a pipe on a thread that can block.

import Dispatch
import Glibc
import Synchronization

/// A reader of a file, pipe or terminal.
///
/// The wait for the next bytes of a pipe can be interrupted.
final class FileReader: DocumentReading {
    private static let pieceSize = 256 << 10

    let length: Int?
    private let name: String
    private let descriptor: Int32
    private let ownsDescriptor: Bool
    private let left: Mutex<Int?>
    /// A queue with a separate thread for blocking reads.
    ///
    /// The global queue has at most one thread per processor. A few blocking reads could therefore stop all work on the
    /// global queue.
    private let queue = DispatchQueue(label: "document-read")
    /// A pipe that the reader closes to interrupt a waiting `poll` call.
    ///
    /// The pipe is `nil` for a file that never blocks a reader.
    private let wake: Wake?

    convenience init(path: String) throws(IPPClientError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .documentUnreadable("'\(path)'", lastError(), sent: false) }
        try self.init(descriptor: descriptor, name: "'\(path)'", owned: true)
    }

    convenience init(descriptor: Int32) throws(IPPClientError) {
        try self.init(descriptor: descriptor, name: descriptor == 0 ? "standard input" : "the document", owned: false)
    }

    private init(descriptor: Int32, name: String, owned: Bool) throws(IPPClientError) {
        self.descriptor = descriptor
        self.name = name
        ownsDescriptor = owned
        var status = stat()
        var failure: String?
        if fstat(descriptor, &status) != 0 { failure = lastError() }
        if status.st_mode & S_IFMT == S_IFDIR { failure = "the path is a directory" }
        let isRegular = failure == nil && status.st_mode & S_IFMT == S_IFREG
        length = isRegular ? max(0, Int(status.st_size) - Int(lseek(descriptor, 0, SEEK_CUR))) : nil
        left = Mutex(length)
        wake = isRegular || failure != nil ? nil : Wake()
        if let failure { throw .documentUnreadable(name, failure, sent: false) }
    }

    deinit {
        if ownsDescriptor { close(descriptor) }
    }

    func next() async throws(IPPClientError) -> ArraySlice<UInt8>? {
        let wanted = left.withLock { min($0 ?? Self.pieceSize, Self.pieceSize) }
        guard wanted > 0 else { return nil }
        guard !neverWaits else { return try piece(upTo: wanted) }
        let result = await withCheckedContinuation { continuation in
            queue.async { [self] in
                continuation.resume(returning: Result { () throws(IPPClientError) in try piece(upTo: wanted) })
            }
        }
        return try result.get()
    }

    func stop() { wake?.fire() }

    /// Whether the file is a regular file, whose bytes are read on the calling thread.
    var neverWaits: Bool { wake == nil }

    private func piece(upTo wanted: Int) throws(IPPClientError) -> ArraySlice<UInt8>? {
        let piece = try read(upTo: wanted)
        left.withLock { left in
            if let before = left { left = before - (piece?.count ?? 0) }
        }
        return piece
    }

    private func read(upTo wanted: Int) throws(IPPClientError) -> ArraySlice<UInt8>? {
        if let wake, !wake.waitReadable(descriptor) { return nil }
        var buffer = [UInt8](repeating: 0, count: wanted)
        var count = Glibc.read(descriptor, &buffer, wanted)
        while count < 0, errno == EINTR { count = Glibc.read(descriptor, &buffer, wanted) }
        guard count >= 0 else { throw .documentUnreadable(name, lastError(), sent: true) }
        guard count > 0 else {
            // The length of a regular file has already been sent to the server.
            if length != nil { throw .documentUnreadable(name, "the file was truncated during transfer", sent: true) }
            return nil
        }
        return buffer[..<count]
    }
}

/// A pipe that interrupts a thread while the thread waits for data from a descriptor.
///
/// Closing the write end of the pipe ends the wait.
final class Wake: Sendable {
    private let readEnd: Int32
    private let writeEnd: Mutex<Int32?>

    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        readEnd = ends[0]
        writeEnd = Mutex(ends[1])
    }

    deinit {
        fire()
        close(readEnd)
    }

    func fire() {
        writeEnd.withLock { end in
            if let open = end { close(open) }
            end = nil
        }
    }

    /// Waits until data can be read from the descriptor.
    ///
    /// Returns `false` if the wait was interrupted.
    func waitReadable(_ descriptor: Int32) -> Bool {
        var waits = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
        ]
        while poll(&waits, 2, -1) < 0, errno == EINTR {}
        return waits[1].revents == 0
    }
}

/// A splitter that divides bytes in memory into pieces.
final class PieceCutter: Sendable {
    private let rest: Mutex<ArraySlice<UInt8>>

    init(_ bytes: [UInt8]) {
        rest = Mutex(bytes[...])
    }

    func next() -> ArraySlice<UInt8>? {
        rest.withLock { rest in
            guard !rest.isEmpty else { return nil }
            let piece = rest.prefix(256 << 10)
            rest = rest.dropFirst(piece.count)
            return piece
        }
    }
}

private func lastError() -> String { String(cString: strerror(errno)) }
