// Stores the contents of large documents in PostgreSQL.

import AsyncPrimitives
import Glibc
import PostgresClient
import SafeFiles

/// The contents of large documents in the table `chunks`.
///
/// Contents use separate connections, so that a large document does not delay the writes of other jobs. Memory use is
/// constant: client and server handle one part at a time.
struct PostgresLargeDocuments: LargeDocuments {
    /// The connections for contents.
    let lane: PostgresLane

    /// The size of a part in bytes; the last part may be shorter.
    static let partSize = 1 << 20

    /// The maximum time to wait for a connection.
    ///
    /// The time is long, because the transfer of each large document occupies a connection.
    private static let limit = Duration.seconds(60)

    func add(contentOfFile path: String) async throws -> Int {
        try await lane.perform(within: Self.limit) { connection in
            let file = try PartReader(path)
            return try connection.transaction {
                let id = try connection.query(
                    "INSERT INTO large_contents (bytes) VALUES ($1) RETURNING id", [file.bytes])[0].int(0)
                var part = 0
                while let bytes = try file.next(Self.partSize) {
                    try connection.execute(
                        "INSERT INTO chunks (content_id, part, bytes) VALUES ($1, $2, $3)", [id, part, bytes])
                    part += 1
                }
                return id
            }
        }
    }

    func read(_ id: Int, receive: @escaping @Sendable ([UInt8]) throws -> Void) async throws -> Bool {
        try await lane.perform(within: Self.limit) { connection in
            guard let bytes = try connection.query("SELECT bytes FROM large_contents WHERE id = $1", [id]).first?.int(0)
            else { return false }
            var (received, part) = (0, 0)
            while received < bytes {
                let rows = try connection.query(
                    "SELECT bytes FROM chunks WHERE content_id = $1 AND part = $2", [id, part])
                // The last document of the content was removed in the meantime.
                guard let chunk = try rows.first?.bytes(0) else { return false }
                try receive(chunk)
                (received, part) = (received + chunk.count, part + 1)
            }
            return true
        }
    }

    func discard(_ id: Int) async {
        // A content that remains after an error is removed after a day.
        _ = try? await lane.perform(within: Self.limit) { connection in
            try connection.execute(
                """
                DELETE FROM large_contents WHERE id = $1
                AND NOT EXISTS (SELECT FROM documents WHERE content_id = large_contents.id)
                """, [id])
        }
    }
}

/// A file that is read in parts.
final class PartReader {
    /// The size of the file in bytes.
    let bytes: Int
    private let path: String
    private let descriptor: Int32
    private var offset = 0

    init(_ path: String) throws(SpoolError) {
        self.path = path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
            let error = SystemCallError(call: "open", number: errno)
            if descriptor >= 0 { close(descriptor) }
            throw .file(path, error)
        }
        bytes = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// Returns the next `size` bytes, or fewer bytes at the end; nil after the end.
    func next(_ size: Int) throws(SpoolError) -> [UInt8]? {
        BlockingCall.check()
        do throws(SystemFailure) {
            let part = try FileBytes.read(descriptor, at: offset, count: size)
            offset += part.count
            return part.isEmpty ? nil : part
        } catch {
            throw .file(path, SystemCallError(call: "read", number: error.number))
        }
    }
}
