// Starts printd as systemd does: with listening sockets, a notification socket and a journal.

import Foundation
import PrintTestSupport
import Testing

/// A service manager for one printd, which keeps the sockets of printd open while printd restarts.
///
/// The sockets are the Unix socket of the spool and a port of the loopback interface. A Python program holds the sockets,
/// because `LISTEN_PID` must contain the number of the process that executes printd.
final class ServiceManager {
    /// The port of the TCP socket.
    let port: Int
    /// The socket that receives the notifications of printd.
    let notifications: TestSocket
    /// The socket that receives the log messages of printd.
    let journal: TestSocket
    /// The process of the last started printd.
    private(set) var pid: Int32 = 0
    /// The received notifications that no test has waited for.
    private var unread: [String] = []
    private let spooler: TestSpooler
    private let program: ChildProgram

    /// Opens the sockets.
    ///
    /// - Parameter host: The address of the TCP socket.
    init(_ spooler: TestSpooler, host: String = "127.0.0.1") throws {
        self.spooler = spooler
        try FileManager.default.createDirectory(
            atPath: spooler.spool, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        notifications = try #require(
            TestSocket(path: spooler.folder.path("notify"), isStream: false, listens: false))
        journal = try #require(TestSocket(path: spooler.folder.path("journal"), isStream: false, listens: false))
        program = try ChildProgram("python3", ["-u", "-c", Self.script, spooler.folder.path, spooler.socket, host])
        let line = program.readLine()
        port = try #require(line.flatMap { Int($0) }, "\(line ?? "")")
    }

    deinit { _ = try? program.finish() }

    /// Starts printd.
    ///
    /// - Parameters:
    ///   - watchdog: The time within which the watchdog message is expected, in seconds; 0 for no watchdog.
    ///   - logsToJournal: Whether standard error is connected to the journal.
    func start(_ options: String..., watchdog: Double = 0, logsToJournal: Bool = false) throws {
        let arguments = [spooler.program("printd"), "--spool", spooler.spool, "--simulator-speed", "instant"] + options
        let words = ["start", "\(Int(watchdog * 1e6))", logsToJournal ? "journal" : ""] + arguments
        try program.write(words.joined(separator: "\t") + "\n")
        let line = program.readLine()
        pid = try #require(line.flatMap { Int32($0) }, "\(line ?? "")")
    }

    /// Waits until printd has exited, and returns its exit code or its negated signal number.
    func waitForExit() throws -> Int32 {
        try program.write("wait\n")
        let line = program.readLine()
        return try #require(line.flatMap { Int32($0) }, "\(line ?? "")")
    }

    /// Waits for a notification with the line, which can have arrived before other notifications.
    ///
    /// Returns the notification, or nil if no such notification arrives. Each notification is returned once.
    @discardableResult
    func notification(_ line: String) -> String? {
        notification { $0.split(separator: "\n").contains(line[...]) }
    }

    /// Waits for a notification that meets a condition.
    func notification(where isMeant: (String) -> Bool) -> String? {
        while true {
            if let index = unread.firstIndex(where: isMeant) {
                return unread.remove(at: index)
            }
            guard let bytes = notifications.receive() else { return nil }
            unread.append(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Waits for a log message that begins with the text, and returns its entry.
    func journalEntry(_ start: String) -> String? {
        while let bytes = journal.receive() {
            let text = String(decoding: bytes, as: UTF8.self)
            if text.hasPrefix("MESSAGE=\(start)") { return text }
        }
        return nil
    }

    private static let script = """
        import fcntl, os, socket, sys
        folder, path, host = sys.argv[1:]
        unix = socket.socket(socket.AF_UNIX)
        unix.bind(path)
        os.chmod(path, 0o666)
        unix.listen(4096)
        tcp = socket.socket()
        tcp.bind((host, 0))
        tcp.listen(64)
        print(tcp.getsockname()[1])
        pid = 0
        for line in sys.stdin:
            words = line.rstrip("\\n").split("\\t")
            if words[0] == "wait":
                status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
                print(status)
                continue
            watchdog, journal, *arguments = words[1:]
            pid = os.fork()
            if pid == 0:
                files = [fcntl.fcntl(s, fcntl.F_DUPFD_CLOEXEC, 100) for s in (unix, tcp)]
                for number, file in enumerate(files):
                    os.dup2(file, 3 + number)
                log = os.open(folder + "/printd.err", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
                os.dup2(log, 1)
                os.dup2(log, 2)
                os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
                status = os.fstat(2)
                own = str(os.getpid())
                os.environ.update(
                    LISTEN_FDS="2", LISTEN_PID=own, LISTEN_FDNAMES="printd:web", NOTIFY_SOCKET=folder + "/notify",
                    SWIFT_BACKTRACE="enable=no")
                if watchdog != "0":
                    os.environ.update(WATCHDOG_USEC=watchdog, WATCHDOG_PID=own)
                if journal:
                    os.environ.update(
                        JOURNAL_STREAM=f"{status.st_dev}:{status.st_ino}", PRINTQ_JOURNAL_SOCKET=folder + "/journal")
                os.execv(arguments[0], arguments)
            print(pid)
        """
}
