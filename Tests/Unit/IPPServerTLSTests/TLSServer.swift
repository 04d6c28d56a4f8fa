// A TLS server on a free port for the duration of a test.

import Glibc
import IPP
import IPPClient
import IPPServer
import Logging
import PrintIPP
import PrintTestSupport
import ServiceLifecycle
import Testing

@testable import IPPServerTLS

/// A server that responds to every request with `successful-ok`.
struct TLSServer: Sendable {
    let port: Int
    let folder: TemporaryFolder

    var certificate: String { folder.path("certificate.pem") }
    var address: IPPAddress { .tcp(host: "127.0.0.1", port: port) }

    static func serving(
        plan: (@Sendable () async -> TLSFront.Handshake)? = nil,
        configure: (inout IPPServer.Configuration) -> Void = { _ in },
        _ test: (TLSServer) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let identity = try TLSIdentity.kept(in: folder.path, for: .thisMachine)
        var configuration = IPPServer.Configuration(listeners: [.tcp(host: "127.0.0.1", port: 0)])
        configuration.front = TLSFront(identity, plan: plan).stand
        configure(&configuration)
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let (listening, ready) = AsyncStream.makeStream(of: [ListenAddress].self)
        let page = WebPage(path: "/hello", type: "text/plain") { Array("hello\n".utf8) }
        let server = IPPServer(
            configuration: configuration, responder: Agreeable(), logger: logger, pages: [page],
            onListening: { ready.yield($0) })
        let group = ServiceGroup(services: [server], logger: logger)
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                defer { ready.finish() }
                try await group.run()
            }
            if case .tcp(_, let port)? = await listening.first(where: { _ in true })?.first {
                do {
                    try await test(TLSServer(port: port, folder: folder))
                } catch {
                    Issue.record(error)
                }
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    /// Requests the page with curl.
    func curl(_ scheme: String, _ arguments: String..., host: String = "localhost") async throws -> ProgramRun {
        try await program(
            "curl",
            ["-sS", "--cacert", certificate, "--max-time", "20"] + arguments + ["\(scheme)://\(host):\(port)/hello"])
    }

    /// Performs a handshake with openssl.
    func openssl(_ arguments: String...) async throws -> ProgramRun {
        try await program("openssl", ["s_client", "-connect", "localhost:\(port)", "-CAfile", certificate] + arguments)
    }

    private func program(_ name: String, _ arguments: [String]) async throws -> ProgramRun {
        try await ProgramRun(
            "/usr/bin/\(name)", arguments, environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path], in: folder.path)
    }

    /// A request for the attributes of a printer.
    static let request = Message(
        operation: .getPrinterAttributes, requestID: 1,
        groups: [
            .operation([Attribute("printer-uri", .uri("ipps://localhost/ipp/print/x"))])
        ])
}

private struct Agreeable: IPPResponder {
    func answer(to request: IPPRequest) async -> IPPAnswer {
        IPPAnswer(
            Message(version: .v2_0, status: .successfulOk, requestID: request.message.requestID, groups: []))
    }
}

/// A blocking client socket without TLS.
final class Wire {
    private let descriptor: Int32

    init(port: Int) {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { close(descriptor) }

    func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    /// Returns whether data or the end of the connection arrives within the given number of milliseconds.
    func hasNews(within milliseconds: Int32) -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, milliseconds) > 0
    }

    /// Returns the next received data.
    func next() -> String {
        var piece = [UInt8](repeating: 0, count: 4096)
        let count = max(0, recv(descriptor, &piece, piece.count, 0))
        return String(decoding: piece[..<count], as: UTF8.self)
    }

    /// Returns all data until the server closes the connection.
    func rest() -> [UInt8] {
        var (all, piece) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
        while case let count = recv(descriptor, &piece, piece.count, 0), count > 0 { all += piece[..<count] }
        return all
    }
}
