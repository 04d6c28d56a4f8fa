// A host of a test, with a separate network, an Avahi daemon and a bus.

import Foundation
import PrintTestSupport

/// A host that has a separate network and separate files `/etc/hosts` and `/run`; the other files are those of this
/// machine.
///
///     let (server, laptop) = (try NetworkHost("server"), try NetworkHost("laptop"))
///     try server.connect(to: laptop)       // 192.168.7.1 and fd00:7::1; 192.168.7.2 and fd00:7::2
///     let found = try await laptop.run("ippfind", "_ipps._tcp")
///
/// Nothing connects the hosts to the network of this machine. All processes of the host must end before it.
final class NetworkHost {
    /// The reason for skipping tests with hosts; nil if hosts can be created.
    static let obstacle: String? = {
        guard geteuid() == 0 else { return "only root can connect networks of hosts" }
        let probe = """
            PATH=$PATH:/usr/sbin:/sbin
            for program in avahi-daemon dbus-daemon ippfind nsenter; do command -v $program >/dev/null || exit 1; done
            ip link add eth0 type veth peer name eth1 && mount -t tmpfs none /run
            """
        let code = try? ChildProgram("unshare", ["--net", "--mount", "sh", "-c", probe]).finish().code
        return code == 0 ? nil : "needs avahi-daemon, dbus-daemon, iproute2, and the capability to create networks"
    }()

    /// The name of the host, without `.local`.
    let name: String
    private let folder: TemporaryFolder
    /// The process that keeps the namespaces.
    private let keeper: ChildProgram
    private let process: Int32
    private let avahi: PrivateAvahi

    /// Creates a host without a connection to another host.
    ///
    /// - Parameter addresses: The lines of `/etc/hosts` after the one for `localhost`.
    init(_ name: String, addresses: String = "") throws {
        self.name = name
        folder = try TemporaryFolder()
        try "127.0.0.1 localhost\n\(addresses)\n".write(
            toFile: folder.path("hosts"), atomically: true, encoding: .utf8)
        keeper = try ChildProgram(
            "unshare",
            [
                "--net", "--mount", "sh", "-c",
                """
                PATH=$PATH:/usr/sbin:/sbin
                ip link set lo up && mount --bind '\(folder.path("hosts"))' /etc/hosts && mount -t tmpfs none /run &&
                mkdir /run/dbus && echo $$ && exec cat
                """,
            ])
        guard let line = keeper.readLine(), let process = Int32(line) else {
            throw ChildProgram.Failure(description: "cannot create the host \(name)")
        }
        self.process = process
        avahi = try PrivateAvahi(host: name, network: process, hasDaemon: false)
        try run(sync: "ln -s '\(avahi.busSocket)' /run/dbus/system_bus_socket")
    }

    /// The command that executes a program on this host.
    var launcher: [String] {
        ["/usr/bin/nsenter", "--net=/proc/\(process)/ns/net", "--mount=/proc/\(process)/ns/mnt", "--wd=/", "--"]
    }

    /// Connects two hosts, with the addresses 192.168.7.1 and fd00:7::1 for this host, and starts their Avahi daemons.
    func connect(to other: NetworkHost) throws {
        try run(sync: "ip link add eth0 netns \(process) type veth peer name eth0 netns \(other.process)")
        for (host, number) in [(self, 1), (other, 2)] {
            try host.run(
                sync: """
                    ip addr add 192.168.7.\(number)/24 dev eth0 && ip addr add fd00:7::\(number)/64 dev eth0 nodad &&
                    ip link set eth0 up
                    """)
        }
        for host in [self, other] { try host.avahi.startDaemon() }
    }

    /// Adds an address, such as `192.168.7.3/24`, to the connection with the other host.
    func addAddress(_ address: String) throws { try run(sync: "ip addr add \(address) dev eth0") }

    /// Writes a script that executes a program on this host, for `TestSpooler.start(launcher:)`.
    func script(in folder: TemporaryFolder) throws -> String {
        let path = folder.path("on-\(name)")
        try "#!/bin/sh\nexec \(launcher.joined(separator: " ")) \"$@\"\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        chmod(path, 0o755)
        return path
    }

    /// Starts a program on this host.
    func start(_ program: String, _ arguments: String...) throws -> ChildProgram {
        try ChildProgram(launcher[0], Array(launcher.dropFirst()) + [program] + arguments)
    }

    /// Runs a program on this host, and waits until it exits.
    func run(_ program: String, _ arguments: String..., input: String = "") async throws -> ProgramRun {
        try await ProgramRun(
            launcher[0], Array(launcher.dropFirst()) + [program] + arguments,
            environment: [
                "HOME": folder.path, "LANG": "C", "TZ": "UTC", "PATH": "/usr/bin:/bin:/usr/sbin:/sbin",
                "SWIFT_BACKTRACE": "enable=no",
            ], in: folder.path, input: input)
    }

    private func run(sync command: String) throws {
        let (code, output) = try start("sh", "-c", "PATH=$PATH:/usr/sbin:/sbin\n\(command)").finish()
        guard code == 0 else { throw ChildProgram.Failure(description: "\(name): \(output)") }
    }
}
