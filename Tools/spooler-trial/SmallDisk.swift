// Creates the small file system of the trial of a full disk.

import Foundation
import Glibc
import PrintTestSupport
import SpoolerTrials

/// A small file system in memory, visible only to this process and its children, with the data that the trial fills.
struct SmallDisk {
    /// The data on the file system.
    enum Content: String {
        /// The folder of a spool with an SQLite database.
        case spool
        /// The tables of a PostgreSQL database.
        case database
    }

    let content: Content
    /// The path of the file system.
    let path: String
    let spooler: TrialSpooler
    /// The server of the database; nil for a spool with an SQLite database.
    private let server: PrivatePostgres?

    /// The size of the file system in MiB.
    private static let size = 48

    init(_ content: Content, folder: String) async throws {
        self.content = content
        var arguments = ["--simulator-speed", "instant"]
        switch content {
        case .spool: server = nil
        case .database:
            // The server starts before the spooler marks its processes, so that the server does not count as stray.
            let server = try PrivatePostgres()
            self.server = server
            arguments += ["--store", server.uri(database: "queue"), "--host-name", "host-1"]
        }
        spooler = try TrialSpooler(folder: folder, arguments: arguments)
        path = server.map { $0.folder.path("small") } ?? spooler.spool
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard PrivateMounts.mountMemory(at: path, mebibytes: Self.size) else {
            throw FullDiskTrial.Failed("cannot mount a file system in memory")
        }
        // Jobs that the full disk stopped must not wait long after space is freed.
        try Data("{ jobRetryInterval: 0.5 }".utf8).write(to: URL(fileURLWithPath: "\(spooler.spool)/printd.json5"))
        if let server {
            var status = stat()
            guard stat(server.folder.path, &status) == 0, chown(path, status.st_uid, status.st_gid) == 0 else {
                throw FullDiskTrial.Failed("cannot give the file system to the server: it requires root privileges")
            }
            try server.query("CREATE TABLESPACE small LOCATION '\(path)'")
            try server.query("CREATE DATABASE queue TABLESPACE small")
        }
    }

    /// The number of free bytes.
    var freeBytes: Int {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return 0 }
        return Int(status.f_bavail) * Int(status.f_frsize)
    }

    // MARK: - Ballast

    private var ballast: String { "\(path)/ballast" }

    /// Fills the file system until only a number of bytes is free.
    func fill(leaving bytes: Int) throws {
        _ = FileManager.default.createFile(atPath: ballast, contents: nil)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: ballast))
        while freeBytes > bytes { try file.write(contentsOf: Data(count: 1 << 18)) }
        try file.close()
    }

    /// Frees a number of bytes.
    func free(_ bytes: UInt64) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: ballast))
        let size = try file.seekToEnd()
        try file.truncate(atOffset: size > bytes ? size - bytes : 0)
        try file.close()
    }

    /// Frees all bytes that `fill(leaving:)` has used.
    func freeAll() { unlink(ballast) }
}
