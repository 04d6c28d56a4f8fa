// Runs a PostgreSQL server for one test.

import FoundationEssentials
import Glibc
import ProcessLaunch
import Synchronization

/// A real PostgreSQL server with separate data, a TCP port of the loopback interface and a Unix socket.
///
///     let server = try PrivatePostgres()
///     let address = try PostgresAddress(server.address())
///     server.kill()               // like a power cut of the server
///     try server.start()          // with the same data, port and socket
///
/// The server runs as the current user. If the current user is root, it runs as `postgres`, because PostgreSQL refuses
/// to run as root. All processes end with the last reference, and also when the test's process crashes.
///
/// The data is a copy of a template that is created once for each test run.
public final class PrivatePostgres: Sendable {
    /// The error when PostgreSQL is not installed or does not run.
    public struct Failure: Error, CustomStringConvertible {
        /// The error message, one sentence, and the end of the log.
        public let description: String
    }

    /// The folder with all files of the server.
    public let folder: TemporaryFolder
    /// The port on 127.0.0.1.
    public var port: Int { place.number }
    /// The password of the user `postgres` for TCP connections; nil if the server requires no password.
    public let password: String?
    private let place: LoopbackPort
    private let settings: [String: String]
    /// The running server; nil if it does not run.
    private let running = Mutex<DetachedProcess?>(nil)
    private let guardian: Guardian

    /// Starts a server, which accepts connections when this initializer returns.
    ///
    /// - Parameters:
    ///   - settings: Additional settings, such as `["ssl": "on"]`.
    ///   - files: The content of additional files in the data folder, by name; only the server can read them.
    ///   - password: The password of the user `postgres`, required for TCP connections.
    public init(settings: [String: String] = [:], files: [String: String] = [:], password: String? = nil) throws {
        (self.settings, self.password) = (settings, password)
        let template = try Self.template.get()
        folder = try Self.makeFolder()
        guardian = try Guardian(of: folder)
        place = try LoopbackPort(isShared: true)
        try Self.run("/bin/cp", ["-a", template.folder.path("data"), folder.path("data")])
        for (name, content) in files { try write(content, to: name) }
        if password != nil {
            try write("local all all trust\nhost all all all scram-sha-256\n", to: "pg_hba.conf")
        }
        try start()
        if let password { try query("ALTER ROLE postgres PASSWORD '\(password)'") }
    }

    deinit {
        kill()
        close(place.socket)
    }

    /// The server that tests share if they neither stop it nor change its settings; see `makeDatabase()`.
    public static func shared() throws -> PrivatePostgres { try common.get() }

    // The end of the process releases no global objects; the guardian ends the server.
    private static let common = Result { try PrivatePostgres() }

    // MARK: - Addresses

    /// The folder of the Unix socket.
    public var socketFolder: String { folder.path }
    /// The end of the server's log.
    public var log: String { String(text(of: folder.path("log")).suffix(4000)) }

    /// Returns the address of a database over the Unix socket, as a keyword string of libpq.
    public func address(database: String = "postgres") -> String {
        "host=\(socketFolder) port=\(port) user=postgres dbname=\(database)"
    }

    /// Returns the URI of a database over TCP, without a password.
    ///
    /// - Parameter port: The port of a proxy; nil for the port of the server.
    public func uri(database: String = "postgres", port: Int? = nil) -> String {
        "postgresql://postgres@127.0.0.1:\(port ?? self.port)/\(database)"
    }

    /// Creates an empty database and returns its name.
    public func makeDatabase() throws -> String {
        let name = "test_\(UUID().uuidString.lowercased().replacing("-", with: "_"))"
        try query("CREATE DATABASE \(name)")
        return name
    }

    /// Runs statements with `psql` over the Unix socket, and returns the output: one line for each row, with `|`
    /// between columns.
    ///
    /// This method blocks the calling thread.
    @discardableResult
    public func query(_ sql: String, database: String = "postgres") throws -> String {
        let psql = try ChildProgram(
            "\(try Self.programs.get())/psql",
            ["-XAtq", "-v", "ON_ERROR_STOP=1", "-c", sql, address(database: database)])
        let (code, output) = try psql.finish()
        guard code == 0 else { throw Failure(description: "psql failed: \(output)\(log)") }
        return output.hasSuffix("\n") ? String(output.dropLast()) : output
    }

    // MARK: - Running

    /// Starts the server; returns when it accepts connections.
    public func start() throws {
        let all = [
            "listen_addresses": "127.0.0.1", "port": "\(port)", "unix_socket_directories": socketFolder,
            "max_connections": "300", "shared_buffers": "16MB",
            // The files of a killed server are complete as long as the machine runs.
            "fsync": "off",
        ].merging(settings) { $1 }
        let options = all.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0.key)=\($0.value)"] }
        let command = Self.asServerUser(
            ["\(try Self.programs.get())/postgres", "-D", folder.path("data")] + options)
        // pg_ctl reads the same lines of the same file. A killed server leaves the file of its process.
        let changes = try FolderChanges(folder.path("data"))
        let process = try DetachedProcess(
            program: command[0], arguments: Array(command.dropFirst()), log: folder.path("log"))
        running.withLock { $0 = process }
        let end = ContinuousClock.now + .seconds(30)
        while ContinuousClock.now < end, !hasEnded(process, within: 0) {
            let lines = pidFile
            if lines.count > 7, lines[0] == "\(process.pid)", lines[7].hasPrefix("ready") { return }
            changes.wait(within: 1)
        }
        throw Failure(description: "PostgreSQL did not start: \(log)")
    }

    /// Waits until all processes of the server have ended, and returns whether they have ended.
    ///
    /// The processes share a standard output, to which they write nothing; its end is the end of the last process.
    private func hasEnded(_ process: DetachedProcess, within seconds: Double) -> Bool {
        process.hasOutput(within: seconds)
    }

    /// The lines of `postmaster.pid`.
    private var pidFile: [String] {
        text(of: folder.path("data/postmaster.pid")).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// Stops the server in order: transactions are rolled back, connections are closed.
    public func stop() throws {
        guard let stopped = running.withLock({ $0 }) else { return }
        Glibc.kill(stopped.pid, SIGINT)
        guard hasEnded(stopped, within: 30) else { throw Failure(description: "PostgreSQL did not stop: \(log)") }
        running.withLock { $0 = nil }
        release(stopped)
    }

    /// Reaps an ended server, and closes its standard output.
    private func release(_ process: DetachedProcess) {
        var status: Int32 = 0
        while waitpid(process.pid, &status, 0) < 0, errno == EINTR {}
        _ = process.readLine(deadline: 0)
    }

    /// Stops the server in order, and starts it again.
    public func restart() throws {
        try stop()
        try start()
    }

    /// Kills the server with all its processes, like a power cut.
    public func kill() {
        guard let killed = running.withLock({ $0 }) else { return }
        running.withLock { $0 = nil }
        // A stopped server starts no children.
        Glibc.kill(killed.pid, SIGSTOP)
        for process in Self.children(of: killed.pid) + [killed.pid] { Glibc.kill(process, SIGKILL) }
        _ = hasEnded(killed, within: 30)
        release(killed)
        // The killed server could not remove its shared memory; the number is at the end of line 7.
        if pidFile.count > 6, let memory = pidFile[6].split(separator: " ").last.flatMap({ Int32($0) }) {
            shmctl(memory, IPC_RMID, nil)
        }
    }

    /// Stops all processes of the server (SIGSTOP): connections stay open, but nothing responds.
    public func pause() { signalAll(SIGSTOP) }

    /// Continues a paused server.
    public func resume() { signalAll(SIGCONT) }

    private func signalAll(_ signal: Int32) {
        guard let pid = running.withLock({ $0?.pid }) else { return }
        Glibc.kill(pid, signal)
        for child in Self.children(of: pid) { Glibc.kill(child, signal) }
    }

    private static func children(of pid: Int32) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter { status(of: $0).contains("\nPPid:\t\(pid)\n") }
    }

    private static func status(of pid: Int32) -> String { text(of: "/proc/\(pid)/status") }

    // MARK: - Setting up

    /// The folder of the programs of the newest installed version.
    static let programs: Result<String, Failure> = {
        let root = "/usr/lib/postgresql"
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []).compactMap { Int($0) }
        let folders = versions.sorted(by: >).map { "\(root)/\($0)/bin" }
        let found = folders.first { access("\($0)/initdb", X_OK) == 0 && access("\($0)/psql", X_OK) == 0 }
        guard let found else {
            return .failure(
                Failure(
                    description: "PostgreSQL is not installed; run 'scripts/setup tests'")
            )
        }
        return .success(found)
    }()

    /// A folder with empty data, and the guardian that removes it.
    private static let template = Result {
        let bin = try programs.get()
        let folder = try makeFolder()
        let guardian = try Guardian(of: folder)
        try run(
            "\(bin)/initdb",
            [
                "-D", folder.path("data"), "--no-sync", "--no-locale", "-E", "UTF8", "-U", "postgres", "-A", "trust",
                "--no-instructions",
            ])
        return (folder: folder, guardian: guardian)
    }

    /// The user that the server runs as if the current user is root.
    private static let serverUser = (getpwnam("postgres") ?? getpwnam("nobody")).map {
        (user: $0.pointee.pw_uid, group: $0.pointee.pw_gid)
    }

    private static func makeFolder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        if getuid() == 0, let serverUser { chown(folder.path, serverUser.user, serverUser.group) }
        return folder
    }

    private static func asServerUser(_ command: [String]) -> [String] {
        guard getuid() == 0, let serverUser else { return command }
        return [
            "/usr/bin/setpriv", "--reuid=\(serverUser.user)", "--regid=\(serverUser.group)", "--clear-groups",
        ] + command
    }

    static func run(_ program: String, _ arguments: [String]) throws {
        let command = asServerUser([program] + arguments)
        let (code, output) = try ChildProgram(command[0], Array(command.dropFirst())).finish()
        guard code == 0 else { throw Failure(description: "\(program) failed: \(output)") }
    }

    private func write(_ content: String, to name: String) throws {
        let path = folder.path("data/\(name)")
        try content.write(toFile: path, atomically: false, encoding: .utf8)
        chmod(path, 0o600)
        if getuid() == 0, let user = Self.serverUser { chown(path, user.user, user.group) }
    }
}

/// A process that ends the server in a folder and removes the folder, when the test's process ends.
///
/// The standard input of the guardian ends together with the test's process, also after a crash.
private final class Guardian: Sendable {
    private let process: Mutex<ChildProgram>

    init(of folder: TemporaryFolder) throws {
        let arguments = ["-c", Self.script, "sh", folder.path]
        process = Mutex(try ChildProgram("/bin/sh", arguments))
    }

    // The titles of the server's children do not contain the folder. The last number of line 7 of postmaster.pid is the
    // shared memory of the server.
    private static let script = """
        cat >/dev/null
        for pid in $(grep -ls -- "$1/data" /proc/[0-9]*/cmdline | cut -d/ -f3); do
            kill -STOP $pid 2>/dev/null || continue
            children=$(grep -ls "^PPid:[[:space:]]*$pid\\$" /proc/[0-9]*/status | cut -d/ -f3)
            kill -KILL $pid $children 2>/dev/null
        done
        memory=$(sed -n '7s/.* //p' "$1/data/postmaster.pid" 2>/dev/null)
        [ -z "$memory" ] || ipcrm -m "$memory" 2>/dev/null
        rm -rf "$1"
        """
}
