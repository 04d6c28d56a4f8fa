// Writes and reads the audit log of a spool.

import AsyncPrimitives
import Dispatch
import FoundationEssentials
import Glibc
package import Logging
public import PrintModel
import Synchronization

/// The audit log: files with one JSON object per line, which only the user of the server can read.
///
/// The file `audit.log` is followed by `audit.log.1` and so on, from newer to older. Each has at most 16 MiB, and the
/// oldest file is deleted. Another thread writes the entries, so that requests do not wait for the disk.
package final class AuditLog: Sendable {
    private struct State {
        var waiting: [AuditEntry] = []
        var isWriting = false
        var hasFailed = false
    }

    private struct File {
        var descriptor: Int32 = -1
        var size = 0
    }

    private let path: String
    private let logger: Logger
    private let longest: Int
    private let state = Mutex(State())
    private let file = Mutex(File())
    private let queue = DispatchQueue(label: "audit")

    /// The number of older files.
    private static let olderFiles = 4

    /// Creates the log in a folder.
    ///
    /// - Parameter longest: The size in bytes after which a new file begins.
    package init(folder: String, longest: Int = 16 << 20, logger: Logger) {
        (path, self.longest, self.logger) = ("\(folder)/audit.log", longest, logger)
    }

    deinit { file.withLock { if $0.descriptor >= 0 { close($0.descriptor) } } }

    /// Adds an entry.
    ///
    /// The entry is in the file soon; ``entries(_:)`` returns it immediately.
    package func append(_ entry: AuditEntry) {
        let begins = state.withLock { state in
            state.waiting.append(entry)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { queue.async { self.write() } }
    }

    /// Returns the newest selected entries, oldest first.
    package func entries(_ query: AuditQuery) async -> [AuditEntry] {
        await BlockingThreads.shared.run { [self] in
            queue.sync {}
            var found: [AuditEntry] = []
            for number in 0...Self.olderFiles where found.count < query.limit {
                found = lines(of: name(number)).filter(query.selects) + found
            }
            return Array(found.suffix(query.limit))
        }
    }

    private func name(_ number: Int) -> String { number == 0 ? path : "\(path).\(number)" }

    private func lines(of file: String) -> [AuditEntry] {
        guard let data = try? Data(contentsOf: URL(filePath: file)) else { return [] }
        let decoder = JSONDecoder()
        // A line that a crash has truncated is omitted.
        return data.split(separator: UInt8(ascii: "\n")).compactMap { try? decoder.decode(AuditEntry.self, from: $0) }
    }

    /// Writes the waiting entries, until none is waiting.
    private func write() {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        while true {
            let (entries, hasFailed) = state.withLock { state in
                defer { state.waiting = [] }
                if state.waiting.isEmpty { state.isWriting = false }
                return (state.waiting, state.hasFailed)
            }
            guard !entries.isEmpty else { return }
            // The end of the line before may be missing.
            var bytes: [UInt8] = hasFailed ? [UInt8(ascii: "\n")] : []
            for entry in entries {
                guard let line = try? encoder.encode(entry) else { continue }
                bytes += line
                bytes.append(UInt8(ascii: "\n"))
            }
            let code = write(bytes)
            let isNews = state.withLock { state in
                defer { state.hasFailed = code != 0 }
                return code != 0 && !state.hasFailed
            }
            if isNews {
                logger.error(
                    "cannot write the audit log",
                    metadata: ["file": "\(path)", "reason": "\(String(cString: strerror(code)))"])
            }
        }
    }

    /// Appends bytes to the file; returns 0 or an error number.
    ///
    /// The file stays open, so that an entry needs one system call.
    private func write(_ bytes: [UInt8]) -> Int32 {
        file.withLock { file in
            if file.descriptor < 0 || file.size + bytes.count > longest {
                let code = open(&file, isFull: file.descriptor >= 0)
                guard code == 0 else { return code }
            }
            let count = bytes.withUnsafeBytes { Glibc.write(file.descriptor, $0.baseAddress, $0.count) }
            file.size += max(0, count)
            return count == bytes.count ? 0 : count < 0 ? errno : ENOSPC
        }
    }

    /// Opens the file, after the older files were renamed if the file is full.
    private func open(_ file: inout File, isFull: Bool) -> Int32 {
        if file.descriptor >= 0 { close(file.descriptor) }
        if isFull {
            for number in stride(from: Self.olderFiles - 1, through: 0, by: -1) {
                rename(name(number), name(number + 1))
            }
        }
        file = File(descriptor: Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600))
        guard file.descriptor >= 0 else { return errno }
        var status = stat()
        if fstat(file.descriptor, &status) == 0 { file.size = Int(status.st_size) }
        return 0
    }
}

extension SpoolService {
    /// Adds an entry to the audit log.
    public func record(_ entry: AuditEntry) { auditLog?.append(entry) }

    /// Returns the newest selected entries of the audit log of this host, oldest first.
    public func audit(_ query: AuditQuery) async throws -> [AuditEntry] { await auditLog?.entries(query) ?? [] }
}
