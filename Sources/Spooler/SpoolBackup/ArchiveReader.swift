// Extracts a backup into an empty folder, and refuses archives that are not backups.

import FoundationEssentials
import Glibc
import PrintSpool
import SafeFiles

/// A reader of backup archives.
///
/// The reader checks each file before the spool uses the backup.
///
/// The source of an archive is not trusted. Therefore the reader accepts only regular files whose names a backup may
/// contain, accepts each name only once, and creates all files below one folder.
struct ArchiveReader {
    private let descriptor: Int32
    private let folder: String
    private var sums: [String: String] = [:]
    private var madeFolders: Set<String> = []
    /// The number of bytes that further files of the archive may occupy on the disk.
    ///
    /// At the start, this number is the free space of the disk.
    private var space: Int

    /// Creates a reader of an open archive.
    ///
    /// - Parameter folder: An empty folder for the extracted files.
    init(_ descriptor: Int32, into folder: String) {
        (self.descriptor, self.folder) = (descriptor, folder)
        var disk = statvfs()
        space = statvfs(folder, &disk) == 0 ? Int(clamping: disk.f_bavail) * Int(clamping: disk.f_frsize) : .max
    }

    /// Extracts all files, checks their SHA-256 checksums, and returns the manifest.
    ///
    /// - Throws: `BackupError` if the archive is not a complete, unchanged backup.
    mutating func extract() throws(BackupError) -> BackupManifest {
        var manifest: BackupManifest?
        var pending: [UInt8]?
        while true {
            switch try TarEntry.header(try block()) {
            case .extended(let size):
                guard pending == nil else { throw .notABackup("a file has two extended headers") }
                pending = try content(size)
            case .file(var entry):
                if let records = pending { try entry.apply(records) }
                pending = nil
                let path = try name(of: entry)
                if path == BackupFiles.checksums {
                    guard manifest != nil else { throw .notABackup("the first file is not the manifest") }
                    try compare(try content(entry.size, limit: 1 << 30))
                    guard case .end = try TarEntry.header(try block()), case .end = try TarEntry.header(try block())
                    else { throw .notABackup("the archive continues after the checksums") }
                    guard let manifest, sums[BackupFiles.database] != nil else {
                        throw .notABackup("the archive contains no database")
                    }
                    return manifest
                }
                if manifest == nil {
                    guard path == BackupFiles.manifest else { throw .notABackup("the first file is not the manifest") }
                    let content = try content(entry.size)
                    manifest = try Self.manifest(content)
                    var digest = SHA256()
                    digest.update(content)
                    sums[path] = digest.digest()
                } else {
                    try extract(path, entry)
                }
            case .end: throw .notABackup("the archive ends too early")
            }
        }
    }

    /// Checks a file of the archive, and returns the path of the file relative to the folder `printq-backup`.
    ///
    /// - Throws: `BackupError` if the name is not allowed, if the archive contains the name twice, or if the file is
    ///   too large.
    private func name(of entry: TarEntry) throws(BackupError) -> String {
        let path = String(entry.path.dropFirst(BackupFiles.folder.count))
        guard entry.path.hasPrefix(BackupFiles.folder), BackupFiles.mayContain(path) else {
            throw .notABackup("the archive contains the unexpected file '\(Self.printable(entry.path))'")
        }
        guard sums[path] == nil else { throw .notABackup("the archive contains '\(path)' twice") }
        guard BackupFiles.mayBeLarge(path) || entry.size <= BackupFiles.largestSetting else {
            throw .notABackup("'\(path)' is too large")
        }
        guard entry.size <= space else {
            throw BackupError(
                .noSpace,
                "not enough space for '\(path)' of the backup: the file has \(entry.size) bytes, but only \(space) "
                    + "bytes are free; free some space and try again. Nothing was changed")
        }
        return path
    }

    private static func printable(_ text: String) -> String {
        String(text.prefix(80).map { $0.isASCII && $0.asciiValue.map { $0 >= 0x20 && $0 < 0x7F } == true ? $0 : "?" })
    }

    private static func manifest(_ content: [UInt8]) throws(BackupError) -> BackupManifest {
        /// The JSON members that are the same in every version of the manifest.
        struct Version: Decodable {
            var format: Int
            var program: String
        }
        guard let version = try? JSONDecoder().decode(Version.self, from: Data(content)) else {
            throw .notABackup("the manifest is malformed")
        }
        guard version.format == BackupManifest.currentFormat else {
            throw BackupError(
                .tooNew,
                "printq \(printable(version.program)) made the backup in a format that this version of printq cannot "
                    + "read; install printq \(printable(version.program)). Nothing was changed")
        }
        guard let manifest = try? JSONDecoder().decode(BackupManifest.self, from: Data(content)) else {
            throw .notABackup("the manifest is malformed")
        }
        return manifest
    }

    // MARK: - Files

    private mutating func extract(_ path: String, _ entry: TarEntry) throws(BackupError) {
        let file = "\(folder)/\(path)"
        let parents = path.split(separator: "/").dropLast()
        var parent = folder
        for part in parents {
            parent += "/\(part)"
            guard madeFolders.insert(parent).inserted else { continue }
            guard mkdir(parent, 0o700) == 0 || errno == EEXIST else { throw Self.failure(parent) }
        }
        let new = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard new >= 0 else { throw Self.failure(file) }
        defer { close(new) }
        var digest = SHA256()
        var left = entry.size
        while left > 0 {
            let piece = try bytes(min(left, 256 << 10))
            digest.update(piece)
            try Self.write(piece, to: new, file)
            left -= piece.count
        }
        guard fsync(new) == 0 else { throw Self.failure(file) }
        _ = try bytes(entry.padding)
        space -= entry.size
        sums[path] = digest.digest()
    }

    private static func write(_ bytes: [UInt8], to file: Int32, _ path: String) throws(BackupError) {
        do throws(SystemFailure) { try FileBytes.write(bytes, to: file) } catch {
            throw .file(path, error.number, error.description)
        }
    }

    private static func failure(_ path: String) -> BackupError {
        let number = errno
        return .file(path, number, String(cString: strerror(number)))
    }

    /// Compares the checksums in the archive with the checksums of the extracted files.
    private func compare(_ list: [UInt8]) throws(BackupError) {
        var stated: [String: String] = [:]
        for line in String(decoding: list, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2, parts[1].hasPrefix(" ") else { throw .notABackup("the checksums are malformed") }
            stated[String(parts[1].dropFirst())] = parts[0]
        }
        guard stated.count == sums.count else { throw .notABackup("the checksums do not match the files") }
        for (path, sum) in sums where stated[path] != sum {
            throw .notABackup("'\(path)' was changed: the checksum does not match")
        }
    }

    // MARK: - Reading

    private func block() throws(BackupError) -> [UInt8] { try bytes(TarEntry.block) }

    /// Reads the content of a file, and the padding after the content.
    private func content(_ size: Int, limit: Int = 16 << 20) throws(BackupError) -> [UInt8] {
        let content = try bytes(size, limit: limit)
        _ = try bytes(TarEntry(path: "", size: size).padding)
        return content
    }

    /// Reads the next `count` bytes of the archive.
    ///
    /// - Parameter limit: The maximum number of bytes. The function throws an error for a larger count.
    private func bytes(_ count: Int, limit: Int = 16 << 20) throws(BackupError) -> [UInt8] {
        guard count <= limit else { throw .notABackup("the manifest, the checksums or a header is too large") }
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let read = bytes.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress.map { $0 + done }, count - done)
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw Self.failure("the backup") }
            guard read > 0 else { throw .notABackup("the archive ends too early") }
            done += read
        }
        return bytes
    }
}
