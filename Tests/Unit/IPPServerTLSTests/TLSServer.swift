// A TLS server on a free port for the duration of a test.

import Dispatch
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

/// A server that responds to every request with `successful-ok` and the sum of the document's bytes.
struct TLSServer: Sendable {
    let port: Int
    let folder: TemporaryFolder

    var certificate: String { folder.path("certificate.pem") }
    var address: IPPAddress { .tcp(host: "127.0.0.1", port: port) }

    static func serving(
        plan: (@Sendable () async -> OptionalTLS.Handshake)? = nil,
        clock: (@Sendable () -> Int)? = nil,
        configure: (inout IPPServer.Configuration) -> Void = { _ in },
        _ test: (TLSServer) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let identity = try RenewedIdentity(in: folder.path, for: .thisMachine, clock: clock) { Issue.record($0) }
        var configuration = IPPServer.Configuration(listeners: [.tcp(host: "127.0.0.1", port: 0)])
        configuration.channelSetup = OptionalTLS(identity: { identity.current }, plan: plan).stand
        configure(&configuration)
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let (listening, ready) = AsyncStream.makeStream(of: [ListenAddress].self)
        let pages = [
            WebPage(path: "/hello", type: "text/plain") { Array("hello\n".utf8) },
            WebPage(path: "/large", type: "application/octet-stream") { large },
        ]
        let server = IPPServer(
            configuration: configuration, responder: Agreeable(), logger: logger, pages: pages,
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
    func curl(_ scheme: String, _ arguments: String..., host: String = "localhost", path: String = "hello") async throws
        -> ProgramRun
    {
        try await program(
            "curl",
            ["-sS", "--cacert", certificate, "--max-time", "20"] + arguments + ["\(scheme)://\(host):\(port)/\(path)"])
    }

    /// Returns the pin of the certificate's key for curl.
    func pin() async throws -> String {
        let run = try await program(
            "sh",
            [
                "-c",
                """
                openssl x509 -pubkey -noout -in "$0" | openssl pkey -pubin -outform der | \
                openssl dgst -sha256 -binary | openssl base64
                """, certificate,
            ])
        return "sha256//" + run.output.filter { $0 != "\n" }
    }

    /// Performs a handshake with openssl, which then sends `input`.
    func openssl(_ arguments: String..., input: String = "") async throws -> ProgramRun {
        try await program(
            "openssl", ["s_client", "-connect", "localhost:\(port)", "-CAfile", certificate] + arguments, input: input)
    }

    private func program(_ name: String, _ arguments: [String], input: String = "") async throws -> ProgramRun {
        try await ProgramRun(
            "/usr/bin/\(name)", arguments, environment: ["PATH": "/usr/bin:/bin", "HOME": folder.path],
            in: folder.path, input: input)
    }

    /// 4 MiB of data without repetition.
    static let large: [UInt8] = {
        var state: UInt64 = 1
        return (0..<4 << 20).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }()

    /// Returns a sum that depends on the order of the bytes, continued from the sum of earlier bytes.
    static func sum(_ bytes: ArraySlice<UInt8>, after sum: Int32 = 0) -> Int32 {
        bytes.reduce(sum) { $0 &* 31 &+ Int32($1) }
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
        var sum: Int32 = 0
        do {
            for try await piece in request.document { sum = TLSServer.sum(piece, after: sum) }
        } catch {
            return IPPAnswer(request.message.reply(.serverErrorInternalError, "\(error)"))
        }
        return IPPAnswer(
            Message(
                version: .v2_0, status: .successfulOk, requestID: request.message.requestID,
                groups: [.operation(), AttributeGroup(.printer, [Attribute("sum", .integer(sum))])]))
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
    func next() -> String { String(decoding: nextBytes(), as: UTF8.self) }

    /// Returns the next received data as bytes.
    func nextBytes() -> ArraySlice<UInt8> {
        var piece = [UInt8](repeating: 0, count: 4096)
        return piece[..<max(0, recv(descriptor, &piece, piece.count, 0))]
    }

    /// Returns all data until the server closes the connection.
    ///
    /// The wait does not block a thread of Swift's thread pool, which the server also uses.
    func rest() async -> [UInt8] {
        let descriptor = descriptor
        defer { withExtendedLifetime(self) {} }
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var (all, piece) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
                while case let count = recv(descriptor, &piece, piece.count, 0), count > 0 { all += piece[..<count] }
                continuation.resume(returning: all)
            }
        }
    }
}
