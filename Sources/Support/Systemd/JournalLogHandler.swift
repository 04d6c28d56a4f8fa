// Sends log messages to the journal with their fields.

import Glibc
public import Logging
import Synchronization

/// The connection to the journal of systemd.
///
/// If standard error is connected to the journal, send log messages with ``JournalLogHandler``, which keeps levels and
/// metadata.
public final class Journal: Sendable {
    /// The path of the journal's socket.
    private static let usualPath = "/run/systemd/journal/socket"

    private let path: String
    private let state: Mutex<State>

    private struct State {
        var socket: DatagramSocket
        /// The number of messages that were lost since the journal last accepted an entry.
        var lost = 0
    }

    /// Connects to the journal if the standard error of this process is connected to the journal.
    ///
    /// Otherwise returns nil.
    ///
    /// The environment variable `PRINTQ_JOURNAL_SOCKET` replaces the path of the journal's socket, for tests.
    public static func ofStandardError() -> Journal? {
        guard let stream = getenv("JOURNAL_STREAM").map({ String(cString: $0) }), isStandardError(stream) else {
            return nil
        }
        return Journal(path: getenv("PRINTQ_JOURNAL_SOCKET").map { String(cString: $0) } ?? usualPath)
    }

    /// Connects to the socket of a journal; returns nil if no process listens at the socket.
    init?(path: String) {
        guard let socket = Self.connect(to: path) else { return nil }
        self.path = path
        state = Mutex(State(socket: socket))
    }

    private static func connect(to path: String) -> DatagramSocket? {
        let socket = DatagramSocket(to: path)
        socket?.setTimeout(seconds: 1)
        return socket
    }

    /// Returns whether a value of `JOURNAL_STREAM`, such as `8:1234`, identifies the file of standard error
    /// (systemd.exec(5)).
    static func isStandardError(_ stream: String) -> Bool {
        var status = stat()
        return fstat(2, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
    }

    /// Sends an entry.
    ///
    /// Waits up to one second if the journal does not read its socket. After a failed send operation, the function no
    /// longer waits, and discards messages until the journal accepts an entry. This entry contains the number of lost
    /// messages.
    func send(_ entry: JournalEntry) {
        let (socket, before) = state.withLock { ($0.socket, $0.lost) }
        var entry = entry
        if before > 0 { entry.add("PRINTQ_LOST_MESSAGES", "\(before)") }
        var error = socket.send(entry.bytes, waits: before == 0)
        // The journal was restarted with a new socket.
        if error == ECONNREFUSED || error == ENOTCONN, let new = Self.connect(to: path) {
            state.withLock { $0.socket = new }
            error = new.send(entry.bytes, waits: before == 0)
        }
        state.withLock { state in
            if error != 0 { state.lost += 1 } else { state.lost = max(0, state.lost - before) }
        }
    }
}

/// A log handler that sends each message to the journal as one entry.
///
/// The fields are `MESSAGE`, `PRIORITY` (syslog(3)), `SYSLOG_IDENTIFIER`, and one field for each metadata key: the key
/// `job` becomes `PRINTQ_JOB`. The message contains the metadata too, because `journalctl` shows only the message.
public struct JournalLogHandler: LogHandler {
    /// The minimum level of the messages that are sent to the journal.
    public var logLevel = Logger.Level.info
    /// The metadata of all messages.
    public var metadata: Logger.Metadata = [:]

    private let journal: Journal
    private let identifier: String
    private let fields: [(name: String, value: String)]

    /// Creates a handler.
    ///
    /// - Parameters:
    ///   - identifier: The name of the program (`SYSLOG_IDENTIFIER`).
    ///   - fields: Additional fields for each entry, with their complete names.
    public init(journal: Journal, identifier: String, fields: [(name: String, value: String)] = []) {
        self.journal = journal
        self.identifier = identifier
        self.fields = fields
    }

    /// Accesses the metadata value of a key.
    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    /// Sends a log message to the journal.
    public func log(event: LogEvent) { journal.send(entry(event.level, "\(event.message)", event.metadata ?? [:])) }

    func entry(_ level: Logger.Level, _ message: String, _ own: Logger.Metadata) -> JournalEntry {
        let values = metadata.merging(own) { $1 }.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }
        let words = values.map { "\($0) \($1)" }.joined(separator: ", ")
        var entry = JournalEntry()
        entry.add("MESSAGE", words.isEmpty ? message : "\(message): \(words)")
        entry.add("PRIORITY", "\(Self.priority(of: level))")
        entry.add("SYSLOG_IDENTIFIER", identifier)
        for (name, value) in fields { entry.add(name, value) }
        for (key, value) in values { entry.add(JournalEntry.fieldName(key), value) }
        return entry
    }

    /// Returns the syslog priority of a level.
    static func priority(of level: Logger.Level) -> Int32 {
        switch level {
        case .trace, .debug: LOG_DEBUG
        case .info: LOG_INFO
        case .notice: LOG_NOTICE
        case .warning: LOG_WARNING
        case .error: LOG_ERR
        case .critical: LOG_CRIT
        }
    }
}
