// A separate printsim with TLS, and a proxy that requires a login.

import Foundation
import IPP
import IPPClient
import SpoolerClient
import PrintTestSupport
import ProcessLaunch
import Synchronization
import Testing

/// A simulated printer that printd did not start, with TLS over TCP.
final class SecurePrinter: Sendable {
    private let folder: TemporaryFolder
    private let process = Mutex<DetachedProcess?>(nil)
    private let place = Mutex(0)
    private let identity: (certificate: String, key: String)?

    /// Starts a printer.
    ///
    /// - Parameter identity: The files of the certificate and the key; nil lets the printer create its own.
    init(identity: (certificate: String, key: String)? = nil) throws {
        folder = try TemporaryFolder()
        self.identity = identity
        try start()
    }

    deinit { stop() }

    var port: Int { place.withLock { $0 } }
    /// The `ipps:` URI of the printer.
    var uri: String { "ipps://localhost:\(port)/ipp/print/mono-laser" }

    /// Returns the output of the printer's job with this number.
    func job(_ number: Int) -> PrintedJob {
        PrintedJob(folder: folder.path("output/mono-laser/job-\(String(repeating: "0", count: 5))\(number)"))
    }

    /// Starts the printer on the port of the previous start.
    func start() throws {
        let process = try DetachedProcess(
            program: Programs.beside("printsim"),
            arguments: [
                "mono-laser", "--simulators", "\(packageFolder)/Simulators", "--output", folder.path("output"),
                "--speed", "instant", "--tls-only", "--no-dns-sd", "--port", "\(port)",
            ] + (identity.map { ["--certificate", $0.certificate, "--key", $0.key] } ?? []), log: folder.path("log"))
        self.process.withLock { $0 = process }
        let line = try #require(process.readLine(deadline: 30), "\(text(of: folder.path("log")))")
        struct Ready: Decodable {
            struct Printer: Decodable { var uri: String }
            var printers: [Printer]
        }
        let ready = try JSONDecoder().decode(Ready.self, from: Data(line.utf8))
        let port = ready.printers.first.flatMap { URLComponents(string: $0.uri)?.port }
        try place.withLock { $0 = try #require(port) }
    }

    /// Stops the printer.
    func stop() {
        guard let process = process.withLock({ $0 }) else { return }
        self.process.withLock { $0 = nil }
        kill(process.pid, SIGTERM)
        process.waitForEnd()
    }

    /// Restarts the printer with a new certificate.
    func changeCertificate() throws {
        stop()
        for name in ["certificate.pem", "key.pem"] {
            try FileManager.default.removeItem(atPath: folder.path("output/\(name)"))
        }
        try start()
    }

    private var packageFolder: String {
        URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized.path
    }
}

/// A proxy that requires Basic authentication and forwards authenticated connections to printd's simulated printers.
final class PasswordDoor: Sendable {
    let port: Int
    private let refusals = Refusals()

    private final class Refusals: Sendable {
        let count = Mutex(0)
    }

    /// The number of refused requests.
    var refused: Int { refusals.count.withLock { $0 } }

    /// Creates a proxy for a Unix socket.
    init(to socket: String, authorization: String) throws {
        let place = try LoopbackPort()
        port = place.number
        try place.serve(isConcurrent: true) { [refusals] client in
            Self.receive(client, to: socket, authorization) { refusals.count.withLock { $0 += 1 } }
        }
    }

    private static func receive(
        _ client: Int32, to socket: String, _ authorization: String, refuse: () -> Void
    ) {
        var header: [UInt8] = []
        var byte: UInt8 = 0
        while !header.suffix(4).elementsEqual("\r\n\r\n".utf8), recv(client, &byte, 1, 0) == 1 { header.append(byte) }
        guard String(decoding: header, as: UTF8.self).contains("Authorization: \(authorization)\r\n") else {
            refuse()
            let answer = "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"office\"\r\nContent-Length: 0\r\n\r\n"
            _ = send(client, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
            // A refused client may still be sending. Closing the connection now would reset the connection.
            shutdown(client, Int32(SHUT_WR))
            while recv(client, &byte, 1, 0) == 1 {}
            return
        }
        let server = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(server) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.utf8.prefix(107)) }
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(server, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard isConnected else { return }
        _ = send(server, header, header.count, Int32(MSG_NOSIGNAL))
        relay(client, server)
    }

    private static func relay(_ one: Int32, _ other: Int32) {
        var waits = [one, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while poll(&waits, 2, -1) > 0 {
            for (from, to) in [(0, other), (1, one)] where waits[from].revents != 0 {
                let count = recv(waits[from].fd, &piece, piece.count, 0)
                guard count > 0, send(to, piece, count, Int32(MSG_NOSIGNAL)) == count else { return }
            }
        }
    }
}

extension TestSpooler {
    /// Adds a printer as an administrator.
    func addPrinter(_ name: String, at uri: String) async throws {
        var request = Message.request(.cupsAddModifyPrinter, printer: name, user: "root")
        request.groups.append(AttributeGroup(.printer, [Attribute("device-uri", .uri(uri))]))
        let answer = try await client.send(request)
        try #require(answer.status.isSuccess, "\(answer)")
    }
}
