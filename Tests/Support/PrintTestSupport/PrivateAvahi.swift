// Runs a D-Bus system bus and an Avahi daemon for one test.

import FoundationEssentials
import Glibc

/// A real Avahi daemon with a separate bus, in a separate network that has only a loopback interface, or in the network
/// of a test.
///
/// The services of this daemon and of other machines and programs are invisible to each other.
///
///     let avahi = try PrivateAvahi()
///     let browser = try avahi.start("avahi-browse", ["-rp", "_ipp._tcp"])
///
/// The class requires Linux user namespaces, which containers may forbid; see `isPossible`. All programs end with the
/// last reference.
public final class PrivateAvahi {
    /// Whether unprivileged users can create a network namespace on this machine, and the programs are installed.
    public static let isPossible: Bool = {
        let probe = """
            \(path)
            for program in avahi-daemon avahi-browse dbus-daemon ippfind ip; do
                command -v $program >/dev/null || exit 1
            done
            ip link set lo up && mount -t tmpfs none /run
            """
        guard let program = try? ChildProgram("unshare", namespaces + ["sh", "-c", probe]) else {
            return false
        }
        return (try? program.finish().code) == 0
    }()

    /// The reason for skipping a test.
    public static let requirement: String =
        "needs avahi-daemon and dbus-daemon, and user namespaces for a separate network"

    /// The host name that the daemon uses for this machine, without `.local`.
    public let host: String
    private let folder: TemporaryFolder
    /// The process whose network the daemon uses; nil for a separate network.
    private let network: Int32?
    private var bus: ChildProgram?
    private var daemon: ChildProgram?

    /// A `PATH` with the folders of daemons, which are missing in most users' `PATH`.
    private static let path = "PATH=$PATH:/usr/sbin:/sbin"
    private static let namespaces = [
        "--user", "--map-root-user", "--net", "--mount", "--fork", "--kill-child", "--",
    ]

    /// Starts a bus and a daemon.
    ///
    /// - Parameters:
    ///   - network: The ID of a process whose network the daemon uses, which requires root; nil for a separate network.
    ///   - hasDaemon: Whether to start the daemon. If false, call `startDaemon()` later.
    public init(host: String = "pluto", network: Int32? = nil, hasDaemon: Bool = true) throws {
        (self.host, self.network) = (host, network)
        folder = try TemporaryFolder()
        try write(Self.busConfiguration.replacing("BUS", with: folder.path("bus")), to: "bus.conf")
        try write(Self.daemonConfiguration.replacing("HOST", with: host), to: "avahi.conf")
        // The daemon requires its user in the password file, and its namespace has only one user.
        try write("root:x:0:0::/:/bin/sh\navahi:x:0:0::/:/bin/false\n", to: "passwd")
        try write("root:x:0:\navahi:x:0:\n", to: "group")
        try startBus()
        if hasDaemon { try startDaemon() }
    }

    private func write(_ text: String, to name: String) throws {
        try text.write(toFile: folder.path(name), atomically: true, encoding: .utf8)
    }

    /// The path of the socket of the bus.
    public var busSocket: String { folder.path("bus") }

    /// The environment variable with the address of the bus.
    public var environment: String { "DBUS_SYSTEM_BUS_ADDRESS=unix:path=\(busSocket)" }

    /// Starts a program that uses this bus.
    public func start(_ name: String, _ arguments: [String]) throws -> ChildProgram {
        try ChildProgram("env", [environment, name] + arguments)
    }

    /// Starts the bus; returns when programs can connect to it.
    public func startBus() throws {
        let bus = try ChildProgram(
            "dbus-daemon", ["--config-file=\(folder.path("bus.conf"))", "--nofork", "--nopidfile", "--print-address"])
        try Self.read(bus, until: "unix:path=")
        self.bus = bus
    }

    /// Kills the bus, like a power cut.
    public func killBus() {
        bus = nil
        unlink(folder.path("bus"))
    }

    /// Starts the daemon; returns when it publishes services.
    public func startDaemon() throws {
        let setUp = """
            ip link set lo up && mount -t tmpfs none /run && mount --bind passwd /etc/passwd &&
            mount --bind group /etc/group && exec avahi-daemon -f avahi.conf --no-drop-root --no-chroot --no-rlimits
            """
        let inNetwork = network.map {
            ["--net=/proc/\($0)/ns/net", "unshare", "--mount", "--fork", "--kill-child", "--"]
        }
        let daemon = try start(
            network == nil ? "unshare" : "nsenter",
            (inNetwork ?? Self.namespaces) + ["sh", "-c", "\(Self.path); cd '\(folder.path)' && \(setUp)"])
        try Self.read(daemon, until: "Server startup complete")
        self.daemon = daemon
    }

    /// Kills the daemon, like a power cut.
    public func killDaemon() { daemon = nil }

    private static func read(_ program: ChildProgram, until words: String) throws {
        var lines: [String] = []
        while let line = program.readLine() {
            if line.contains(words) { return }
            lines.append(line)
        }
        throw ChildProgram.Failure(description: "the program ended: \(lines.joined(separator: "; "))")
    }

    // ANONYMOUS is required, because the daemon's user differs between the bus and the namespace.
    private static let busConfiguration = """
        <busconfig>
          <type>system</type>
          <listen>unix:path=BUS</listen>
          <auth>EXTERNAL</auth>
          <auth>ANONYMOUS</auth>
          <allow_anonymous/>
          <policy context="default">
            <allow user="*"/>
            <allow own="*"/>
            <allow send_type="method_call"/>
            <allow send_type="signal"/>
            <allow send_destination="*"/>
            <allow receive_sender="*"/>
          </policy>
        </busconfig>
        """
    /// The configuration of the daemon, without IPv6.
    ///
    /// cups-browsed keeps a printer whose service was found with IPv4 and whose address is an IPv6 address after the
    /// service has disappeared.
    private static let daemonConfiguration = """
        [server]
        host-name=HOST
        use-ipv6=no
        [publish]
        publish-aaaa-on-ipv4=no
        publish-hinfo=no
        publish-workstation=no
        [wide-area]
        enable-wide-area=no
        """
}
