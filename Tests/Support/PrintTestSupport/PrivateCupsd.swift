// Runs a cupsd for one test.

import FoundationEssentials
import Glibc
import ProcessLaunch
import Synchronization

/// A real cupsd with a separate root folder, a TCP port of the loopback interface and a Unix socket.
///
///     let cups = try PrivateCupsd()
///     try await cups.addQueue("office", to: "ipp://localhost:8000/ipp/print", "-m", "everywhere")
///     let run = try await cups.run("lp", "-d", "office", path)
///     cups.kill()                 // like a power cut
///     try cups.start()            // with the same root, port and socket
///
/// cupsd runs as the current user. If the current user is root, cupsd runs as `lp`, so that tests write nothing to
/// system folders. Queues to `file:` are allowed (see `printedFolder`). All processes end with the last reference,
/// including those that a killed cupsd has left behind.
public final class PrivateCupsd: Sendable {
    /// The error when cupsd does not run.
    public struct Failure: Error, CustomStringConvertible {
        /// The error message, one sentence, and the end of the log.
        public let description: String
    }

    /// The folder with all files of cupsd.
    public let folder: TemporaryFolder
    /// The port on 127.0.0.1.
    public var port: Int { places[0].number }
    /// The port at each address.
    ///
    /// Each has a bound socket that does not listen, which reserves the port while cupsd does not run.
    private let places: [LoopbackPort]
    /// The additional address of the listener; nil for none.
    private let address: String?
    /// The command that executes cupsd and its clients, such as `nsenter` with its options; empty for none.
    private let launcher: [String]
    private let process = Mutex<DetachedProcess?>(nil)

    /// Starts a cupsd, which accepts connections when this initializer returns.
    ///
    /// - Parameters:
    ///   - isDurable: Whether jobs are written to the disk before they are acknowledged; CUPS does not do this by
    ///     default.
    ///   - settings: Additional lines for `cupsd.conf`.
    ///   - limits: The `<Limit>` sections for some operations; all other operations are allowed.
    ///   - address: An additional address for the listener (`OwnAddress`); cupsd never requires TLS for connections
    ///     over the loopback interface.
    ///   - launcher: A command that executes cupsd and the programs of `run`; its first word is a path.
    ///   - isRunning: Whether to start cupsd. If false, call `start()` later.
    public init(
        isDurable: Bool = false, settings: String = "", limits: String = "", address: String? = nil,
        launcher: [String] = [], isRunning: Bool = true
    ) throws {
        folder = try TemporaryFolder()
        (self.address, self.launcher) = (address, launcher)
        places = try Self.port(at: address)
        for name in ["conf/ppd", "conf/ssl", "spool/tmp", "cache", "state", "printed"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
        try files(isDurable).write(toFile: folder.path("conf/cups-files.conf"), atomically: true, encoding: .utf8)
        try configuration(isDurable, settings, limits).write(
            toFile: folder.path("conf/cupsd.conf"), atomically: true, encoding: .utf8)
        if getuid() == 0 { try giveAway() }
        if isRunning { try start() }
    }

    deinit {
        killAll()
        for place in places { close(place.socket) }
    }

    /// The path of the Unix socket.
    public var socket: String { folder.path("cups.sock") }
    /// The end of the error log.
    public var log: String { String(text(of: folder.path("log")).suffix(4000)) }
    /// The folder for printed files: queues to `file:\(printedFolder)/NAME` write their output there.
    public var printedFolder: String { folder.path("printed") }

    /// Returns the URI of a queue over TCP.
    public func uri(of queue: String) -> String { "ipp://localhost:\(port)/printers/\(queue)" }

    /// Removes the certificate, so that cupsd creates a new one; cupsd must not be running.
    public func changeCertificate() throws {
        let ssl = folder.path("conf/ssl")
        for name in try FileManager.default.contentsOfDirectory(atPath: ssl) {
            try FileManager.default.removeItem(atPath: "\(ssl)/\(name)")
        }
    }

    // MARK: - Running

    /// Starts cupsd; returns when it accepts connections.
    public func start() throws {
        let conf = folder.path("conf")
        var command = ["/usr/sbin/cupsd", "-f", "-c", "\(conf)/cupsd.conf", "-s", "\(conf)/cups-files.conf"]
        if getuid() == 0 {
            command = ["/usr/bin/setpriv", "--reuid=lp", "--regid=lp", "--clear-groups"] + command
        }
        command = launcher + command
        unlink(socket)
        let started = try DetachedProcess(
            program: command[0], arguments: Array(command.dropFirst()), log: folder.path("stderr"))
        process.withLock { $0 = started }
        // Poll with connections. cupsd notifies systemd only about sockets that systemd has passed.
        for _ in 0..<1500 {
            if isListening { return }
            guard !started.reap() else { break }
            usleep(20_000)
        }
        throw Failure(description: "cupsd did not start: \(text(of: folder.path("stderr")))\(log)")
    }

    /// Stops cupsd like `systemctl stop`: it stops its jobs and writes its state to the disk.
    public func stop() { end(SIGTERM) }

    /// Kills cupsd, like a power cut; its filters and backends continue.
    public func kill() { end(SIGKILL) }

    /// Kills cupsd with its filters and backends, like a power cut.
    public func killAll() {
        end(SIGKILL)
        killOrphans()
    }

    private func killOrphans() {
        for pid in Self.processes(of: folder.path("conf")) { Glibc.kill(pid, SIGKILL) }
    }

    private func end(_ signal: Int32) {
        let ended = process.withLock { process in
            defer { process = nil }
            return process
        }
        guard let ended else { return }
        Glibc.kill(ended.pid, signal)
        var status: Int32 = 0
        while waitpid(ended.pid, &status, 0) < 0, errno == EINTR {}
    }

    private var isListening: Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.utf8.prefix(107)) }
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }

    // MARK: - Queues

    /// Adds or changes a queue, enables it, and lets it accept jobs.
    ///
    /// - Parameters:
    ///   - name: The name of the queue.
    ///   - uri: The URI of the device.
    ///   - options: Additional options for `lpadmin`, such as `-m everywhere`, `-P file.ppd` or `-u allow:ann`; without
    ///     options the queue is a raw queue.
    public func addQueue(_ name: String, to uri: String, _ options: String...) async throws {
        try await expectDone("lpadmin", ["-p", name, "-E", "-v", uri] + options)
        guard options.contains("everywhere") else { return }
        // cupsd creates the driver after its response; until then the queue is a raw queue.
        try await eventually("cupsd has made a driver of \(uri): \(log)", in: folder.path("conf/ppd")) {
            access(folder.path("conf/ppd/\(name).ppd"), R_OK) == 0
        }
    }

    /// Adds queues to a class.
    public func addClass(_ name: String, of queues: String...) async throws {
        for queue in queues { try await expectDone("lpadmin", ["-p", queue, "-c", name]) }
        try await expectDone("cupsaccept", [name])
        try await expectDone("cupsenable", [name])
    }

    /// Runs a program of CUPS (`lp`, `lpadmin`, `lpstat`, …) that uses this cupsd, and waits for its end.
    public func run(_ program: String, _ arguments: String...) async throws -> ProgramRun {
        try await run(program, arguments)
    }

    private func expectDone(_ program: String, _ arguments: [String]) async throws {
        let run = try await run(program, arguments)
        guard run.code == 0 else {
            throw Failure(description: "\(program) \(arguments.joined(separator: " ")): \(run.complaints)")
        }
    }

    private func run(_ program: String, _ arguments: [String]) async throws -> ProgramRun {
        let places = ["/usr/bin", "/usr/sbin"].map { "\($0)/\(program)" }
        let path = program.hasPrefix("/") ? program : places.first { access($0, X_OK) == 0 } ?? program
        let command = launcher + [path] + arguments
        return try await ProgramRun(
            command[0], Array(command.dropFirst()),
            environment: [
                "CUPS_SERVER": "localhost:\(port)", "HOME": folder.path, "LANG": "C",
                "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
            ], in: folder.path)
    }

    // MARK: - Setting up

    private func files(_ isDurable: Bool) -> String {
        """
        ServerRoot \(folder.path("conf"))
        RequestRoot \(folder.path("spool"))
        TempDir \(folder.path("spool/tmp"))
        CacheDir \(folder.path("cache"))
        StateDir \(folder.path("state"))
        ErrorLog \(folder.path("log"))
        AccessLog /dev/null
        PageLog /dev/null
        FileDevice Yes
        \(isDurable ? "SyncOnClose Yes" : "")

        """
    }

    private func configuration(_ isDurable: Bool, _ settings: String, _ limits: String) -> String {
        """
        Listen 127.0.0.1:\(port)
        \(address.map { "Listen \($0):\(port)" } ?? "")
        Listen \(socket)
        ServerAlias *
        Browsing No
        WebInterface No
        \(isDurable ? "DirtyCleanInterval 0" : "")
        \(settings)
        <Location />
          Allow from all
        </Location>
        <Location /admin>
          Allow from all
        </Location>
        <Policy default>
          \(limits)
          <Limit All>
            Allow from all
          </Limit>
        </Policy>

        """
    }

    private func giveAway() throws {
        guard let lp = getpwnam("lp")?.pointee else { return }
        chmod(folder.path, 0o755)
        for path in try ["."] + FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            chown(folder.path(path), lp.pw_uid, lp.pw_gid)
        }
    }

    /// Returns a port of the loopback interface that is also free at another address, if given.
    private static func port(at address: String?) throws -> [LoopbackPort] {
        guard let address else { return [try LoopbackPort(isShared: true)] }
        for _ in 0..<20 {
            let place = try LoopbackPort(isShared: true)
            if let other = try? LoopbackPort(isShared: true, at: address, number: place.number) {
                return [place, other]
            }
            close(place.socket)
        }
        throw Failure(description: "cannot find a port that is free at both 127.0.0.1 and \(address)")
    }

    /// Returns the filters and backends of a cupsd, which have the root folder in their environment.
    private static func processes(of root: String) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter {
            text(of: "/proc/\($0)/environ").contains("CUPS_SERVERROOT=\(root)\0")
        }
    }
}
