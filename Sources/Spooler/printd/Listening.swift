// Finds the TCP addresses that the spooler can listen on.

import Glibc
import IPPServer
import PrintIPP
import SpoolConfiguration

/// The TCP addresses on which the spooler listens.
///
/// The initializer checks that the ports of the configured addresses are free.
struct Listening: Equatable {
    /// The addresses; empty if the spooler listens only on its Unix socket.
    var addresses: [ListenAddress] = []
    /// The addresses for clients on the network.
    var network: [ListenAddress] = []
    /// The reason why the spooler does not listen on the configured address; nil if the spooler listens on that address
    /// or no address is configured.
    var problem: String?
    /// The reason why the spooler does not listen on a configured address for clients on the network; nil if the
    /// spooler listens on all of them.
    var networkProblem: String?

    /// Finds free ports for the configured address.
    ///
    /// A client that connects to `localhost` tries `127.0.0.1` and `::1`. Therefore the port must be free on both
    /// addresses. Otherwise some clients would connect to another program.
    ///
    /// - Parameters:
    ///   - isDispensable: Whether the spooler can run without TCP if the port is in use.
    ///   - passed: The addresses of listening sockets that the service manager passed. `addresses` begins with these
    ///     addresses.
    ///   - network: The addresses for clients on the network. The spooler runs without those that are in use.
    /// - Throws: `StartError` if `isDispensable` is false and the spooler cannot listen on the port, for example
    ///   because the port is in use.
    init(
        at wanted: TCPAddress?, isDispensable: Bool, passed: [ListenAddress] = [],
        network wantedNetwork: [TCPAddress] = []
    ) throws(SpoolerDaemon.StartError) {
        addresses = passed
        for address in wantedNetwork {
            do throws(SpoolerDaemon.StartError) {
                network += try Self.free(address, at: [address.host])
            } catch {
                // Printing on this machine must not depend on the network.
                networkProblem = networkProblem ?? error.description
            }
        }
        guard let wanted else { return }
        let hosts = wanted.numericHosts.filter { !passed.contains(.tcp(host: $0, port: wanted.port)) }
        guard !hosts.isEmpty else { return }
        do throws(SpoolerDaemon.StartError) {
            addresses += try Self.free(wanted, at: hosts)
        } catch {
            guard isDispensable else { throw error }
            problem = error.description
        }
    }

    private static func free(
        _ wanted: TCPAddress, at hosts: [String]
    ) throws(SpoolerDaemon.StartError) -> [ListenAddress] {
        var tries = 20
        while true {
            var found: [ListenAddress] = []
            var port = wanted.port
            var refusal: (host: String, code: Int32)?
            for host in hosts {
                switch probe(host, port) {
                case .success(let free):
                    port = free
                    found.append(.tcp(host: host, port: free))
                case .failure(let code):
                    // A machine without IPv6 has only one address for localhost.
                    let isMissing = [EADDRNOTAVAIL, EAFNOSUPPORT].contains(code.number)
                    if !isMissing || wanted.numericHosts.count == 1 { refusal = (host, code.number) }
                }
            }
            if let refusal {
                tries -= 1
                if wanted.port == 0, refusal.code == EADDRINUSE, tries > 0 { continue }
                throw SpoolerDaemon.StartError(description: problem(of: refusal.code, at: refusal.host, port, wanted))
            }
            guard found.isEmpty, hosts.count == wanted.numericHosts.count else { return found }
            throw SpoolerDaemon.StartError(description: problem(of: EADDRNOTAVAIL, at: wanted.host, port, wanted))
        }
    }

    private static func problem(of code: Int32, at host: String, _ port: Int, _ wanted: TCPAddress) -> String {
        let address = ListenAddress.tcp(host: host, port: port)
        guard code == EADDRINUSE else {
            return
                "cannot listen on \(address): \(String(cString: strerror(code))); choose another address"
                + (wanted.isLoopback ? " with --listen" : " for network.listen")
        }
        let owner = PortOwner.text(of: port)
        guard wanted.isLoopback else {
            return
                "cannot listen on \(address): address already in use by \(owner); stop that program, or choose another "
                + "port for network.listen"
        }
        return
            "cannot listen on \(address): address already in use by \(owner), so "
            + "'lp -h \(wanted.host):\(port)' would send jobs to that program; "
            + "stop that program, or choose another port with --listen"
    }

    private struct SystemError: Error { var number: Int32 }

    /// Checks that the port is free, and returns the port.
    ///
    /// If the port is 0, the function returns a free port. If the port is not free, the function returns the error
    /// number.
    private static func probe(_ host: String, _ port: Int) -> Result<Int, SystemError> {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, "\(port)", &hints, &list) == 0, let info = list?.pointee else {
            return .failure(SystemError(number: EADDRNOTAVAIL))
        }
        defer { freeaddrinfo(list) }
        let descriptor = socket(info.ai_family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return .failure(SystemError(number: errno)) }
        defer { close(descriptor) }
        var yes: Int32 = 1
        // Use the same option as the server, so that connections in TIME_WAIT do not block the port.
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(descriptor, info.ai_addr, info.ai_addrlen) == 0, listen(descriptor, 1) == 0 else {
            return .failure(SystemError(number: errno))
        }
        var bound = sockaddr_in6()  // the port is at the same offset in sockaddr_in
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        let result = withUnsafeMutablePointer(to: &bound) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard result == 0 else { return .failure(SystemError(number: errno)) }
        return .success(Int(UInt16(bigEndian: bound.sin6_port)))
    }
}

/// A reader of `/proc/net/tcp` that finds the user of a listening TCP port (proc_net_tcp in proc(5)).
enum PortOwner {
    /// Returns the user ID of the program that listens on the port; nil if there is no such program.
    static func user(of port: Int) -> UInt32? {
        ["/proc/net/tcp", "/proc/net/tcp6"].lazy.compactMap { user(of: port, in: lines(of: $0)) }.first
    }

    /// Describes the program that listens on the port.
    static func text(of port: Int) -> String {
        guard let user = user(of: port) else { return "another program" }
        return user == geteuid() ? "another program of this user" : "a program of user '\(UserAccounts.name(of: user))'"
    }

    /// Returns the user ID of a listening port from the lines of `/proc/net/tcp`; nil if no program listens on the
    /// port.
    static func user(of port: Int, in lines: some Sequence<Substring>) -> UInt32? {
        for line in lines {
            // The fields: number, local address, remote address, state (0A is LISTEN), queues, timer, retransmissions,
            // user.
            let fields = line.split(separator: " ")
            guard fields.count > 7, fields[3] == "0A", let digits = fields[1].split(separator: ":").last,
                Int(digits, radix: 16) == port
            else { continue }
            return UInt32(fields[7])
        }
        return nil
    }

    private static func lines(of path: String) -> [Substring] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(file, &piece, piece.count), count > 0, bytes.count < 64 << 20 {
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }
}
