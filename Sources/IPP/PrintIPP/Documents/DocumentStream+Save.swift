// Document data to a file, in constant memory.

import Dispatch
import Glibc

extension DocumentStream {
    /// Writes all of the data to an open file, and says how many bytes that were.
    ///
    /// Nothing is forced onto the disk. Pieces of up to 1 MiB are written on a thread that may block; a short document is
    /// written at once, because changing threads takes longer. Past `limit` bytes it throws `tooLarge`; what was written
    /// by then stays, and the caller throws the file away.
    public func save(to descriptor: Int32, limit: Int = .max) async throws(DocumentStreamError) -> Int {
        var total = 0
        var pending: [UInt8] = []
        var pieces = makeAsyncIterator()
        while let piece = try await pieces.next() {
            guard piece.count <= limit - total else { throw .tooLarge(limit: limit) }
            total += piece.count
            pending += piece
            if pending.count >= 1 << 20 {
                try await onBlockingThread { [pending] () throws(DocumentStreamError) in
                    try writeAll(pending, to: descriptor)
                }
                pending.removeAll(keepingCapacity: true)
            }
        }
        if total <= shortDocument {
            try writeAll(pending, to: descriptor)
        } else {
            try await onBlockingThread { [pending] () throws(DocumentStreamError) in
                try writeAll(pending, to: descriptor)
            }
        }
        return total
    }

    /// Writes all of the data to a new file of mode 0600, and says how many bytes that were.
    ///
    /// Throws `storage` when the path exists already. After a failure no file is left.
    public func save(toPath path: String, limit: Int = .max) async throws(DocumentStreamError) -> Int {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .storage("making '\(path)'", errno: errno) }
        defer { close(descriptor) }
        do {
            return try await save(to: descriptor, limit: limit)
        } catch {
            unlink(path)
            throw error
        }
    }
}

/// The most bytes that the kernel takes as quickly as the little files beside a document.
private let shortDocument = 64 << 10

/// Runs what may block for as long as a disk does, away from the threads that tasks share.
///
/// A queue of its own gets a thread of its own; the global queue's threads are as few as the processors.
private func onBlockingThread(
    _ work: @escaping @Sendable () throws(DocumentStreamError) -> Void
) async throws(DocumentStreamError) {
    let result = await withCheckedContinuation { continuation in
        DispatchQueue(label: "document-save").async { continuation.resume(returning: Result(catching: work)) }
    }
    try result.get()
}

private func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(DocumentStreamError) {
    var offset = 0
    while offset < bytes.count {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + offset, $0.count - offset) }
        if count >= 0 {
            offset += count
        } else if errno != EINTR {
            throw .storage("writing the document", errno: errno)
        }
    }
}

extension DocumentStreamError {
    static func storage(_ what: String, errno code: Int32) -> DocumentStreamError {
        let reason = String(cString: strerror(code))
        if code == ENOSPC || code == EDQUOT {
            return DocumentStreamError(.noSpace, "\(what) failed: \(reason); free some disk space and send it again")
        }
        return DocumentStreamError(.storage, "\(what) failed: \(reason)")
    }
}
