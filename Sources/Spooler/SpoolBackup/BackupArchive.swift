// Writes the archive of a spool while the spool is in use.

import AsyncPrimitives
import FoundationEssentials
import Glibc
public import PrintSpool

/// A backup of an open spool: a copy of the spool's database, with the documents and settings.
///
/// The archive is sent in pieces. The documents are read during the transfer, and stay in the spool until the end of
/// the transfer.
public final class BackupArchive: Sendable {
    /// A function that sends one piece of the archive, and waits until the receiver can accept the next piece.
    public typealias Send = (_ piece: [UInt8]) async throws -> Void

    private let manifest: BackupManifest
    private let copy: SpoolCopy
    private let folder: String
    private let settingsFile: String

    /// Copies the database of a spool.
    ///
    /// The initializer blocks the calling thread while the database is copied.
    ///
    /// - Parameters:
    ///   - settingsFile: The path of the settings file in use, which may be outside of the spool.
    ///   - includesSecrets: Whether the backup contains logins at printers and the private key for TLS.
    /// - Throws: `SpoolError` with `noSpace` if the disk has no space for the copy.
    public init(of spool: Spool, settingsFile: String, includesSecrets: Bool) throws(SpoolError) {
        copy = try spool.makeCopy()
        folder = spool.folder
        self.settingsFile = settingsFile
        manifest = BackupManifest(
            schema: Spool.schemaNumber, time: Int(Spool.systemTime()), spool: spool.folder, identity: spool.identity,
            hasSecrets: includesSecrets)
    }

    /// Sends the whole archive, and then removes the copy of the database and releases the documents.
    ///
    /// If a document is missing in the spool, the archive does not contain the document. The job of that document
    /// reports the missing document after a restore.
    ///
    /// - Throws: `BackupError` if a file cannot be read, and errors of `send`. After an error, the archive is
    ///   incomplete and cannot be restored.
    public func send(_ send: Send) async throws {
        do {
            try await sendFiles(send)
        } catch {
            await copy.end()
            throw error
        }
        await copy.end()
    }

    private func sendFiles(_ send: Send) async throws {
        var sums = ""
        func add(_ path: String, _ bytes: [UInt8]) async throws {
            var digest = SHA256()
            digest.update(bytes)
            let entry = TarEntry(path: BackupFiles.folder + path, size: bytes.count)
            try await send(
                entry.header(time: manifest.time) + bytes + [UInt8](repeating: 0, count: entry.padding))
            sums += "\(digest.digest())  \(path)\n"
        }
        func add(_ path: String, from file: String) async throws {
            guard let sum = try await Self.send(file, as: path, time: manifest.time, send) else { return }
            sums += "\(sum)  \(path)\n"
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try await add(BackupFiles.manifest, Array(try encoder.encode(manifest)) + [UInt8(ascii: "\n")])
        try await add("printd.json5", from: settingsFile)
        for path in settings where manifest.hasSecrets || !BackupFiles.isSecret(path) {
            try await add(path, from: "\(folder)/\(path)")
        }
        try await add(BackupFiles.database, from: copy.databasePath)
        var last = 0
        while let page = try copy.documents(after: last) {
            for document in page.documents { try await add(document.path, from: "\(folder)/\(document.path)") }
            last = page.last
        }
        let bytes = Array(sums.utf8)
        let entry = TarEntry(path: BackupFiles.folder + BackupFiles.checksums, size: bytes.count)
        try await send(
            entry.header(time: manifest.time) + bytes + [UInt8](repeating: 0, count: entry.padding) + TarEntry.end)
    }

    /// The paths of the files with document types, certificates and logins, relative to the spool's folder.
    private var settings: [String] {
        ["tls", "types", "access"].flatMap { name in
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")) ?? []).sorted()
                .map { "\(name)/\($0)" }
        }
        .filter(BackupFiles.mayContain)
    }

    /// Sends one file of the spool.
    ///
    /// - Returns: The SHA-256 digest of the file; nil if the path is not the path of an existing regular file.
    private static func send(_ file: String, as path: String, time: Int, _ send: Send) async throws -> String? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let number = errno
            guard number != ENOENT else { return nil }
            throw BackupError.file(file, number, String(cString: strerror(number)))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        let entry = TarEntry(path: BackupFiles.folder + path, size: Int(status.st_size))
        try await send(entry.header(time: time))
        var digest = SHA256()
        var left = entry.size
        while left > 0 {
            BlockingCall.check()
            var piece = [UInt8](repeating: 0, count: min(left, 256 << 10))
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw BackupError.file(
                    file, errno, count == 0 ? "the file was truncated" : String(cString: strerror(errno)))
            }
            piece.removeLast(piece.count - count)
            digest.update(piece)
            left -= count
            try await send(piece)
        }
        if entry.padding > 0 { try await send([UInt8](repeating: 0, count: entry.padding)) }
        return digest.digest()
    }
}
