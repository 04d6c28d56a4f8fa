// Writes document data to a file in constant memory.

import AsyncPrimitives
import Glibc
import SafeFiles

extension DocumentStream {
    /// Writes all data to an open file and returns the number of bytes.
    ///
    /// The method writes pieces of up to 1 MiB on a thread that can block. A short document is written on the calling
    /// thread, because switching threads takes longer than the write.
    ///
    /// The method does not call fsync(2).
    ///
    /// - Throws: `tooLarge` if the data exceeds `limit` bytes. After a failure, the written bytes remain; the caller
    ///   deletes the file.
    package func save(to descriptor: Int32, limit: Int = .max) async throws(DocumentStreamError) -> Int {
        var total = 0
        var pending: [UInt8] = []
        var pieces = makeAsyncIterator()
        while let piece = try await pieces.next() {
            guard piece.count <= limit - total else { throw .tooLarge(limit: limit) }
            total += piece.count
            pending += piece
            if pending.count >= 1 << 20 {
                try await BlockingThreads.shared.run { [pending] () throws(DocumentStreamError) in
                    try writeAll(pending, to: descriptor)
                }
                pending.removeAll(keepingCapacity: true)
            }
        }
        if total <= shortDocument {
            try writeAll(pending, to: descriptor)
        } else {
            try await BlockingThreads.shared.run { [pending] () throws(DocumentStreamError) in
                try writeAll(pending, to: descriptor)
            }
        }
        return total
    }

    /// Writes all data to a new file with mode 0600 and returns the number of bytes.
    ///
    /// If the call fails, no file remains.
    ///
    /// - Throws: `storage` if the path already exists.
    package func save(toPath path: String, limit: Int = .max) async throws(DocumentStreamError) -> Int {
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

/// The maximum size in bytes of a document that is written without switching threads.
private let shortDocument = 64 << 10

private func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(DocumentStreamError) {
    do throws(SystemFailure) { try FileBytes.write(bytes, to: descriptor) } catch {
        throw .storage("writing the document", errno: error.number)
    }
}

extension DocumentStreamError {
    static func storage(_ what: String, errno code: Int32) -> DocumentStreamError {
        let reason = String(cString: strerror(code))
        if code == ENOSPC || code == EDQUOT {
            return DocumentStreamError(.noSpace, "\(what) failed: \(reason); free disk space and resend the document")
        }
        return DocumentStreamError(.storage, "\(what) failed: \(reason)")
    }
}
