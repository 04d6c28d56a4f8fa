import Glibc
import IPP
import IPPClient
import IPPNetworkClient
import NIOCore
import PrintTestSupport
import Testing
import TransportTrials

struct IPPClientTests {
    @Test(arguments: TransportTrial.all) func `the IPP client passes the tests for all transports`(
        trial: TransportTrial
    )
        async throws
    {
        try await trial.run { address, limits in
            var bounds = IPPClient.Bounds()
            bounds.answer = .milliseconds(Int64(limits.answer * 1000))
            bounds.sending = .milliseconds(Int64(limits.sending * 1000))
            bounds.answerBytes = limits.answerBytes
            return IPPClient(address: address, bounds: bounds)
        }
    }

    @Test func `the client returns an early response even if the document's pipe sends no data`() async throws {
        var ends: [Int32] = [0, 0]
        #expect(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let server = try ScriptedServer { peer in
            let header = peer.readHeader()
            peer.read(until: [3])
            if header.lowercased().contains("transfer-encoding: chunked") { peer.answer(1) }
            peer.read(until: Array("never".utf8))
        }
        let answer = try await IPPClient(address: .tcp(host: "127.0.0.1", port: server.port)).send(
            Message(operation: .getJobs, requestID: 0, groups: [AttributeGroup(.operation)]),
            document: .fileDescriptor(ends[0]))
        #expect(answer.status == .successfulOk)
    }

    @Test(.timeLimit(.minutes(1)))
    func `if the task is canceled, the client stops its attempt to connect to an unresponsive server`()
        async throws
    {
        let silent = try SilentPort()
        var bounds = IPPClient.Bounds()
        bounds.connect = .seconds(3600)
        let (connecting, begins) = AsyncStream.makeStream(of: Void.self)
        let client = IPPClient(address: .tcp(host: "127.0.0.1", port: silent.port), bounds: bounds) { channel in
            try channel.pipeline.syncOperations.addHandler(ConnectionWatch { begins.yield() })
        }
        let request = Message(operation: .getJobs, requestID: 0, groups: [AttributeGroup(.operation)])
        let task = Task { await failure { try await client.send(request) } }
        for await _ in connecting { break }
        task.cancel()
        let error = await task.value
        #expect(error?.code == .canceled && error?.mayHaveBeenReceived == false)
    }
}

private func failure(_ body: () async throws -> Message) async -> IPPClientError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? IPPClientError
    }
}

/// A handler that reports when a channel begins to connect.
private final class ConnectionWatch: ChannelOutboundHandler, Sendable {
    typealias OutboundIn = NIOAny
    private let begins: @Sendable () -> Void

    init(_ begins: @escaping @Sendable () -> Void) { self.begins = begins }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        context.connect(to: address, promise: promise)
        begins()
    }
}
