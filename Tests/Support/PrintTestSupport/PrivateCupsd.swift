// A CUPS of a test's own.

import FoundationEssentials
import Glibc
import ProcessLaunch
import Synchronization

/// A real cupsd with a root, a TCP port of the loopback and a Unix socket of its own.
///
///     let cups = try PrivateCupsd()
///     try await cups.addQueue("office", to: "ipp://localhost:8000/ipp/print", "-m", "everywhere")
///     let run = try await cups.run("lp", "-d", "office", path)
///     cups.kill()                 // as a power cut would
///     try cups.start()            // on the same root, port and socket
///
/// It runs as we do; root has it run as `lp`, so that no test leaves anything in the system's own folders. Queues to `file:`
/// are allowed (see `printedFolder`). What it started ends with the last reference, also what a killed cupsd left behind.
public final class PrivateCupsd: Sendable {
    /// Why it does not run.
    public struct Failure: Error, CustomStringConvertible {
        /// One sentence, and the end of its log.
        public let description: String
    }

    /// Everything of it.
    public let folder: TemporaryFolder
    /// Its port on 127.0.0.1.
    public var port: Int { places[0].number }
    /// Its port at each address with a socket that does not listen: it stays ours while cupsd is not there.
    private let places: [LoopbackPort]
    /// Where it listens besides the loopback; nil for nowhere.
    private let address: String?
    private let process = Mutex<DetachedProcess?>(nil)

    /// A cupsd; it answers when this returns.
    ///
    /// - Parameters:
    ///   - isDurable: whether jobs are on the disk when their submitters are told of them, as they are not by default.
    ///   - settings: more lines for `cupsd.conf`.
    ///   - limits: what its policy says of some operations, in `<Limit>`s of their own; all else is allowed.
    ///   - address: an address of this machine (`OwnAddress`) where it listens too: of what comes over the loopback no cupsd
    ///     demands TLS.
    ///   - isRunning: false leaves `start()` to the test.
    public init(
        isDurable: Bool = false, settings: String = "", limits: String = "", address: String? = nil,
        isRunning: Bool = true
    ) throws {
        folder = try TemporaryFolder()
        self.address = address
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

    /// The path of its Unix socket.
    public var socket: String { folder.path("cups.sock") }
    /// The end of the lines it has logged.
    public var log: String { String(text(of: folder.path("log")).suffix(4000)) }
    /// A folder that it may write into: queues to `file:\(printedFolder)/NAME` leave there what they print.
    public var printedFolder: String { folder.path("printed") }

    /// The URI of a queue, by TCP.
    public func uri(of queue: String) -> String { "ipp://localhost:\(port)/printers/\(queue)" }

    /// Has it make itself another certificate; it must not be running.
    public func changeCertificate() throws {
        let ssl = folder.path("conf/ssl")
        for name in try FileManager.default.contentsOfDirectory(atPath: ssl) {
            try FileManager.default.removeItem(atPath: "\(ssl)/\(name)")
        }
    }

    // MARK: - Running

    /// Starts it; returns when it takes connections.
    public func start() throws {
        let conf = folder.path("conf")
        var command = ["/usr/sbin/cupsd", "-f", "-c", "\(conf)/cupsd.conf", "-s", "\(conf)/cups-files.conf"]
        if getuid() == 0 {
            command = ["/usr/bin/setpriv", "--reuid=lp", "--regid=lp", "--clear-groups"] + command
        }
        unlink(socket)
        let started = try DetachedProcess(
            program: command[0], arguments: Array(command.dropFirst()), log: folder.path("stderr"))
        process.withLock { $0 = started }
        // Nothing says that it is ready but that it can be connected to: it tells systemd only of sockets that it was given.
        for _ in 0..<1500 {
            if isListening { return }
            guard !started.reap() else { break }
            usleep(20_000)
        }
        throw Failure(description: "cupsd does not run: \(text(of: folder.path("stderr")))\(log)")
    }

    /// Ends it as `systemctl stop` does: it stops its jobs, and writes what it has in memory.
    public func stop() { end(SIGTERM) }

    /// Ends it as a power cut would; filters and backends that it has started go on.
    public func kill() { end(SIGKILL) }

    /// Ends it as a power cut would, and its filters and backends with it.
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

    /// Adds or changes a queue, which is enabled and accepts jobs.
    ///
    /// - Parameters:
    ///   - name: its name.
    ///   - uri: its device.
    ///   - options: what `lpadmin` takes besides: `-m everywhere`, `-P file.ppd`, `-u allow:ann`; with none it is a raw queue.
    public func addQueue(_ name: String, to uri: String, _ options: String...) async throws {
        try await expectDone("lpadmin", ["-p", name, "-E", "-v", uri] + options)
        guard options.contains("everywhere") else { return }
        // cupsd makes the driver after it has answered; until then the queue is a raw one.
        try await eventually("cupsd has made a driver of \(uri): \(log)", in: folder.path("conf/ppd")) {
            access(folder.path("conf/ppd/\(name).ppd"), R_OK) == 0
        }
    }

    /// Makes queues members of a class.
    public func addClass(_ name: String, of queues: String...) async throws {
        for queue in queues { try await expectDone("lpadmin", ["-p", queue, "-c", name]) }
        try await expectDone("cupsaccept", [name])
        try await expectDone("cupsenable", [name])
    }

    /// Runs a program of CUPS' (`lp`, `lpadmin`, `lpstat`, …) that knows this cupsd only, and waits for its end.
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
        return try await ProgramRun(
            path, arguments,
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

    /// A port of the loopback that is free at another address too, when there is one.
    private static func port(at address: String?) throws -> [LoopbackPort] {
        guard let address else { return [try LoopbackPort(isShared: true)] }
        for _ in 0..<20 {
            let place = try LoopbackPort(isShared: true)
            if let other = try? LoopbackPort(isShared: true, at: address, number: place.number) {
                return [place, other]
            }
            close(place.socket)
        }
        throw Failure(description: "no port is free at 127.0.0.1 and at \(address)")
    }

    /// The filters and backends of a cupsd, which has put its root into their environment.
    private static func processes(of root: String) -> [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap { Int32($0) }.filter {
            text(of: "/proc/\($0)/environ").contains("CUPS_SERVERROOT=\(root)\0")
        }
    }
}
