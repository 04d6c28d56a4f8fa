// Runs a real TLS server on a free port during a test.

import IPP
import IPPClient
import IPPServer
import Logging
import PrintIPP
import PrintTestSupport
import ServiceLifecycle
import Synchronization
import Testing

@testable import IPPServerTLS

/// A server that answers every request with `successful-ok` and counts the requests.
final class SecureServer: Sendable {
    let folder: TemporaryFolder
    let identity: TLSIdentity
    private let place = Mutex(0)
    private let next = Mutex<OptionalTLS.Handshake?>(nil)
    private let answered = Mutex(0)

    private init() throws {
        folder = try TemporaryFolder()
        identity = try TLSIdentity.stored(in: folder.path, for: .thisMachine)
    }

    var port: Int { place.withLock { $0 } }
    var address: IPPAddress { .tcp(host: "localhost", port: port) }
    /// The number of answered requests.
    var count: Int { answered.withLock { $0 } }

    /// Sets the behavior of the next TLS handshakes; nil for normal handshakes.
    func plan(_ handshake: OptionalTLS.Handshake?) { next.withLock { $0 = handshake } }

    static func serving(_ test: (SecureServer) async throws -> Void) async throws {
        let secure = try SecureServer()
        var configuration = IPPServer.Configuration(listeners: [.tcp(host: "127.0.0.1", port: 0)])
        configuration.channelSetup =
            OptionalTLS(secure.identity) { secure.next.withLock { $0 } ?? .proper }.stand
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let (listening, ready) = AsyncStream.makeStream(of: [ListenAddress].self)
        let server = IPPServer(
            configuration: configuration, responder: Agreeable { secure.answered.withLock { $0 += 1 } }, logger: logger,
            pages: [], onListening: { ready.yield($0) })
        let group = ServiceGroup(services: [server], logger: logger)
        try await withThrowingTaskGroup { tasks in
            tasks.addTask {
                defer { ready.finish() }
                try await group.run()
            }
            if case .tcp(_, let port)? = await listening.first(where: { _ in true })?.first {
                secure.place.withLock { $0 = port }
                do {
                    try await test(secure)
                } catch {
                    Issue.record(error)
                }
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}

private struct Agreeable: IPPResponder {
    let note: @Sendable () -> Void

    func answer(to request: IPPRequest) async -> IPPAnswer {
        note()
        return IPPAnswer(
            Message(version: .v2_0, status: .successfulOk, requestID: request.message.requestID, groups: []))
    }
}
