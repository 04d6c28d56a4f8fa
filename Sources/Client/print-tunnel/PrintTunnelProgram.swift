// Carries the bytes of one connection between printq and a printd on the network, inside TLS.
//
// usage: print-tunnel HOST PORT [KEY]
//
// The first line on standard output is 'connected', 'untrusted KEY FINGERPRINT' or 'failed REASON'. After 'connected',
// standard input and standard output carry the data. KEY is the SHA-256 hash of the server's public key, in hexadecimal
// digits; without KEY, an authority of the system must have signed the certificate for HOST.

import Glibc

@main
enum PrintTunnelProgram {
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        let words = CommandLine.arguments
        guard (3...4).contains(words.count) else { end("failed usage: print-tunnel HOST PORT [KEY]", code: 64) }
        do throws(TunnelFailure) {
            let socket = try ServerSocket.connect(host: words[1], port: words[2])
            let session = try TLSClientSession(socket: socket, host: words[1])
            try session.shakeHands()
            guard session.isTrusted(forKey: words.count == 4 ? words[3] : nil) else {
                end("untrusted \(session.key) \(session.fingerprint)", code: 77)
            }
            write("connected\n")
            try Tunnel(session: session, socket: socket).run()
        } catch {
            end("failed \(error.reason)", code: 75)
        }
    }

    /// Writes the first line, and ends the program.
    private static func end(_ line: String, code: Int32) -> Never {
        write("\(line)\n")
        exit(code)
    }

    private static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
}

/// The reason why a connection cannot be opened or continued, as part of a sentence.
struct TunnelFailure: Error {
    let reason: String
}

/// A namespace for the function that connects to a server.
enum ServerSocket {
    /// The time limit for one address of the server, in milliseconds.
    private static let timeout: Int32 = 5000

    /// Connects to the first address of the server that accepts connections.
    ///
    /// - Throws: `TunnelFailure` with the reason for the last address.
    static func connect(host: String, port: String) throws(TunnelFailure) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        var code = getaddrinfo(host, port, &hints, &list)
        // A machine whose only addresses are of the loopback interface has no configured addresses.
        if code != 0 {
            hints.ai_flags = 0
            code = getaddrinfo(host, port, &hints, &list)
        }
        guard code == 0 else {
            throw TunnelFailure(reason: "cannot resolve '\(host)': \(String(cString: gai_strerror(code)))")
        }
        defer { freeaddrinfo(list) }
        var reason = "no address"
        for entry in sequence(first: list, next: { $0?.pointee.ai_next }) {
            guard let entry = entry?.pointee else { continue }
            let descriptor = socket(
                entry.ai_family, entry.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), entry.ai_protocol)
            guard descriptor >= 0 else { continue }
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            var result = Glibc.connect(descriptor, entry.ai_addr, entry.ai_addrlen) == 0 ? 0 : errno
            if result == EINPROGRESS {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                result = ETIMEDOUT
                if poll(&waiting, 1, timeout) > 0 {
                    var length = socklen_t(MemoryLayout<Int32>.size)
                    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &result, &length)
                }
            }
            if result == 0 {
                var yes: Int32 = 1
                setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
                return descriptor
            }
            reason = String(cString: strerror(result))
            close(descriptor)
        }
        throw TunnelFailure(reason: reason)
    }
}
