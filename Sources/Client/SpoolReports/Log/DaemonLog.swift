// Reads and follows printd's log.

import FoundationEssentials
import Glibc
import PrintModel
import ProcessLaunch
package import SpoolerClient

/// The log of a spool's printd.
///
/// The printd of the system spooler writes to the journal. A printd that printq has started writes to `printd.log` in
/// its spool.
package struct DaemonLog: Sendable {
    private let place: SpoolLocation
    private let filter: DaemonLogFilter

    /// Creates the log of a spool, limited to the entries that match the filter.
    package init(of place: SpoolLocation, _ filter: DaemonLogFilter) {
        (self.place, self.filter) = (place, filter)
    }

    /// The systemd unit of printd in the journal.
    private static let unit = "printd"
    /// The interval between two reads of a log file with `--follow`.
    private static let interval = Duration.milliseconds(250)
    /// The maximum length of a log entry, in bytes.
    private static let longestEntry = 1 << 20

    /// Delivers the log entries, oldest first.
    ///
    /// - Parameter follows: Whether to wait for new entries until the task is canceled.
    /// - Throws: `SpoolerClientError` with `noInput` or `noPermission` if the log file cannot be read, or `unavailable`
    ///   if `journalctl` is not installed or fails.
    package func read(
        follows: Bool, onEntry: (DaemonLogEntry) -> Void
    ) async throws(SpoolerClientError) {
        if place.isSystem {
            try await readJournal(follows: follows, onEntry)
        } else {
            try await readFile(follows: follows, onEntry)
        }
    }

    // MARK: - The journal

    private func readJournal(
        follows: Bool, _ onEntry: (DaemonLogEntry) -> Void
    ) async throws(SpoolerClientError) {
        let process: InteractiveProcess
        let errors = Self.errorOutput()
        defer { if errors >= 0 { close(errors) } }
        do throws(LaunchError) {
            process = try InteractiveProcess(
                program: "journalctl", arguments: filter.journalArguments(unit: Self.unit, follows: follows),
                environment: ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" },
                errors: errors >= 0 ? "/proc/self/fd/\(errors)" : "/dev/null")
        } catch {
            throw SpoolerClientError(
                .unavailable, "\(error.description); the log of the system spooler is in the journal", cause: error)
        }
        while !Task.isCancelled {
            do throws(InteractiveProcess.Interruption) {
                let line = try process.line(longest: Self.longestEntry, until: .now + .milliseconds(500))
                if let entry = DaemonLogEntry(journal: line), filter.matches(entry) { onEntry(entry) }
            } catch {
                guard error == .late else { break }
                // The signal handler may need this thread.
                await Task.yield()
            }
        }
        guard !Task.isCancelled else { return }
        let ending = process.awaitEnd(atMost: .seconds(5))
        guard ending == .exited(0) else {
            throw SpoolerClientError(
                .unavailable,
                "journalctl failed; read the log of the system spooler as root or as a member of the group adm")
        }
    }

    /// Duplicates the descriptor of standard error, so that a new process can open the copy as `/proc/self/fd/N`.
    ///
    /// Returns -1 if standard error cannot be opened in this way.
    ///
    /// The new process closes descriptor 2 before it opens the file for its standard error. Therefore the copy needs a
    /// number other than 2.
    private static func errorOutput() -> Int32 {
        var status = stat()
        guard fstat(STDERR_FILENO, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK else { return -1 }
        return fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    }

    // MARK: - The log file

    private func readFile(
        follows: Bool, _ onEntry: (DaemonLogEntry) -> Void
    ) async throws(SpoolerClientError) {
        var file = FollowedFile(path: place.log)
        let lines: [String]
        do throws(FollowedFile.Failure) {
            lines = try file.newLines(last: filter.limit) { filter.matches(DaemonLogEntry(line: $0)) }
        } catch {
            guard error.code == ENOENT, follows else { throw failure(error.code) }
            lines = []
        }
        for line in lines { onEntry(DaemonLogEntry(line: line)) }
        while follows, !Task.isCancelled {
            do { try await Task.sleep(for: Self.interval) } catch { return }
            do throws(FollowedFile.Failure) {
                for line in try file.newLines(last: nil, where: { filter.matches(DaemonLogEntry(line: $0)) }) {
                    onEntry(DaemonLogEntry(line: line))
                }
            } catch {
                guard error.code == ENOENT else { throw failure(error.code) }
            }
        }
    }

    private func failure(_ code: Int32) -> SpoolerClientError {
        let path = place.log.printable
        return switch code {
        case ENOENT:
            SpoolerClientError(
                .noInput,
                "there is no log '\(path)' because printq has not started printd for this spool; if printd was started "
                    + "in another way, printd writes the log to standard error")
        case EACCES:
            SpoolerClientError(.noPermission, "permission denied: the log '\(path)' belongs to another user")
        default: SpoolerClientError(.noInput, "cannot read '\(path)': \(String(cString: strerror(code)))")
        }
    }
}

/// A reader that returns the new lines of a growing text file.
///
/// The file can be replaced or truncated between two reads.
struct FollowedFile {
    let path: String
    private var inode: ino_t?
    private var offset: off_t = 0
    /// The bytes of the last line, which has no line end yet.
    private var rest: [UInt8] = []

    init(path: String) { self.path = path }

    /// An error for a file that cannot be read.
    struct Failure: Error {
        /// The error number of the system (`errno`).
        var code: Int32
    }

    /// The maximum length of a line, in bytes.
    ///
    /// A longer line is split into several lines.
    private static let longestLine = 1 << 20

    /// Returns the complete lines that match a condition and were written after the previous call.
    ///
    /// The first call returns the lines from the beginning of the file. A file that was replaced or truncated is read
    /// from its beginning.
    ///
    /// - Parameter last: The maximum number of returned lines; earlier lines are omitted. Nil means no limit.
    /// - Throws: `Failure` if the file cannot be read.
    mutating func newLines(last limit: Int?, where matches: (String) -> Bool) throws(Failure) -> [String] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Failure(code: errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Failure(code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(code: EINVAL) }
        if inode != status.st_ino || status.st_size < offset { (inode, offset, rest) = (status.st_ino, 0, []) }
        var lines: [String] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = pread(file, &buffer, buffer.count, offset)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(code: errno) }
            guard count > 0 else { break }
            offset += off_t(count)
            var start = 0
            while let end = buffer[start..<count].firstIndex(of: UInt8(ascii: "\n")) {
                Self.add(rest + buffer[start..<end], to: &lines, limit, matches)
                (rest, start) = ([], end + 1)
            }
            rest += buffer[start..<count]
            if rest.count > Self.longestLine {
                Self.add(rest, to: &lines, limit, matches)
                rest = []
            }
        }
        return limit.map { Array(lines.suffix($0)) } ?? lines
    }

    private static func add(
        _ bytes: [UInt8], to lines: inout [String], _ limit: Int?, _ matches: (String) -> Bool
    ) {
        let line = String(decoding: bytes, as: UTF8.self)
        guard matches(line) else { return }
        lines.append(line)
        // Removing the first lines in blocks keeps the time linear.
        if let limit, lines.count > 2 * limit + 1000 { lines.removeFirst(lines.count - limit) }
    }
}
