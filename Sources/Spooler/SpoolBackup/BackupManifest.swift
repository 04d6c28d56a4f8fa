// Describes a backup and the files that it may contain.

import PrintModel

/// The manifest of a backup: the first file in the archive, with a description of the backup.
///
/// A backup is a tar archive (pax) with files in the folder `printq-backup`: this manifest, the settings, the database
/// and the document files. The last file is `SHA256SUMS`, which `sha256sum --check` can read.
public struct BackupManifest: Hashable, Sendable, Codable {
    /// The version of the backup format that this program writes and reads.
    static let currentFormat = 1

    /// The version of the backup format.
    ///
    /// A program refuses a backup with a different version of the format.
    public var format = BackupManifest.currentFormat
    /// The version of printq that made the backup.
    public var program = Release.version
    /// The version number of the database schema.
    public var schema: Int
    /// The time of the backup, in seconds since 1970.
    public var time: Int
    /// The path of the spool's folder.
    public var spool: String
    /// The unique identifier of the spool.
    public var identity: String
    /// Whether the backup contains the logins at printers and the private key for TLS.
    public var hasSecrets: Bool

    /// Creates the manifest of a backup.
    public init(schema: Int, time: Int, spool: String, identity: String, hasSecrets: Bool) {
        (self.schema, self.time, self.spool, self.identity) = (schema, time, spool, identity)
        self.hasSecrets = hasSecrets
    }
}

enum BackupFiles {
    /// The folder in the archive that contains all files.
    static let folder = "printq-backup/"
    static let manifest = "manifest.json"
    static let checksums = "SHA256SUMS"
    static let database = "spool.sqlite"
    /// The maximum size in bytes of any file except the database, the documents and the checksums.
    static let largestSetting = 16 << 20

    /// Returns whether a backup may contain a file.
    ///
    /// - Parameter path: The path of the file, relative to the folder in the archive.
    static func mayContain(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.count) {
        case (_, 1): return [manifest, database, checksums, "printd.json5"].contains(path)
        case ("tls", 2): return ["certificate.pem", "key.pem"].contains(parts[1])
        case ("types", 2): return isPlain(parts[1]) && parts[1].hasSuffix(".json5")
        case ("access", 2):
            return parts[1].hasSuffix(".json") && ConfiguredPrinter.isValidName(String(parts[1].dropLast(5)))
        case ("jobs", 3):
            return isNumber(parts[1]) && parts[2].wholeMatch(of: /document-[0-9]{1,9}\.[A-Za-z0-9]{1,16}/) != nil
        default: return false
        }
    }

    /// Returns whether a file is the database, a document, or the file with the checksums.
    ///
    /// The limit `largestSetting` does not apply to these files.
    static func mayBeLarge(_ path: String) -> Bool {
        path == database || path.hasPrefix("jobs/") || path == checksums
    }

    /// Returns whether a file contains logins or a private key.
    static func isSecret(_ path: String) -> Bool { path.hasPrefix("access/") || path == "tls/key.pem" }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 255
            && !name.utf8.contains { $0 < 0x20 || $0 == 0x7F }
    }

    private static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= 18 && text.utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }
}
