import AsyncPrimitives
import IPPServer
import Logging
import PrintModel
import ServiceLifecycle
import Synchronization
import Testing

@testable import PrintCenter

/// A port whose servers exist only in the test.
private final class PortBench: Sendable {
    let now = SharedValue<UnixTime>(1000)
    let sessions: Sessions
    let port: CenterPort
    /// The number of servers that were created, and the number of servers that have ended.
    let counts = SharedValue((started: 0, ended: 0))
    /// The signal without which a stopping server does not end.
    let mayEnd = Signal()
    let isOpen = SharedValue(false)
    private let service: SharedValue<(any Service)?>
    private let user = SessionUser(uid: 1000, gid: 1000, name: "ann")

    init(fails: Bool = false) {
        let (now, counts, mayEnd, isOpen) = (now, counts, mayEnd, isOpen)
        sessions = Sessions(clock: { now.withLock { $0 } })
        port = CenterPort(sessions: sessions, logger: Logger(label: "test"))
        let made = port.service {
            isOpen.withLock { $0 = true }
            return { isOpen.withLock { $0 = false } }
        } makeServer: { onListening in
            let number = counts.withLock { counts in
                counts.started += 1
                return counts.started
            }
            return FakeServer(port: 40_000 + number, fails: fails, onListening: onListening) {
                await mayEnd.wait()
                counts.withLock { $0.ended += 1 }
            }
        }
        service = SharedValue(made)
    }

    /// Creates a one-time token, and opens the port.
    func link() async throws(AddressError) -> (token: String, address: String) {
        let (token, _) = sessions.makeToken(for: user)
        return (token, try await port.open())
    }

    /// Runs the service while `body` runs, and then shuts it down gracefully.
    func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let service = try #require(service.withLock { $0 })
        let group = ServiceGroup(services: [service], logger: Logger(label: "test"))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            do {
                try await body()
            } catch {
                Issue.record(error)
            }
            mayEnd.give()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}

private struct FakeServer: Service {
    let port: Int
    let fails: Bool
    let onListening: @Sendable ([ListenAddress]) async -> Void
    let end: @Sendable () async -> Void

    func run() async throws {
        guard !fails else { throw IPPServerError.addressInUse(.tcp(host: "127.0.0.1", port: port)) }
        await onListening([.tcp(host: "127.0.0.1", port: port)])
        try await gracefulShutdown()
        await end()
    }
}

@Suite(.timeLimit(.minutes(1)))
struct CenterPortTests {
    @Test func `the port opens for the first link, and further links have the same port`() async throws {
        let bench = PortBench()
        try await bench.run {
            #expect(await bench.port.address == nil && bench.counts.withLock { $0.started } == 0)
            let (first, second) = (try await bench.link(), try await bench.link())
            #expect(first.address == "http://127.0.0.1:40001" && second.address == first.address)
            #expect(await bench.port.address == "http://127.0.0.1:40001" && bench.isOpen.withLock { $0 })
        }
        #expect(!bench.isOpen.withLock { $0 })
    }

    @Test func `the port closes when the last session has ended, and a link meanwhile waits for the next port`()
        async throws
    {
        let bench = PortBench()
        try await bench.run {
            let first = try #require(bench.sessions.redeem(try await bench.link().token, by: 1000))
            let second = try #require(bench.sessions.redeem(try await bench.link().token, by: 1000))
            bench.sessions.end(first.id)
            #expect(await bench.port.address != nil)
            bench.sessions.end(second.id)
            // The server is still busy with the last request.
            while await bench.port.address != nil { await Task.yield() }
            #expect(bench.isOpen.withLock { $0 } && bench.counts.withLock { $0.ended } == 0)
            async let next = bench.link()
            bench.mayEnd.give()
            #expect(try await next.address == "http://127.0.0.1:40002")
            #expect(bench.counts.withLock { $0.ended } == 1)
        }
    }

    @Test func `the port does not close while a link is valid`() async throws {
        let bench = PortBench()
        try await bench.run {
            let session = try #require(bench.sessions.redeem(try await bench.link().token, by: 1000))
            _ = try await bench.link()
            bench.sessions.end(session.id)
            for _ in 0..<100 { await Task.yield() }
            #expect(await bench.port.address == "http://127.0.0.1:40001")
            bench.now.withLock { $0 += SessionTable.tokenSeconds }
            // The port looks at the clock when a session ends, and at the latest when the link expires.
            bench.sessions.end(session.id)
            while await bench.port.address != nil { await Task.yield() }
        }
    }

    @Test func `if the port cannot be opened, the link fails with the reason, and the next link tries again`()
        async throws
    {
        let bench = PortBench(fails: true)
        try await bench.run {
            for _ in 0..<2 {
                let error = await #expect(throws: AddressError.self) { try await bench.link() }
                #expect(error?.message.contains("cannot open a port for the Print Center") == true, "\(error as Any)")
            }
            #expect(bench.counts.withLock { $0.started } == 2)
        }
    }

    @Test func `after the server has stopped, a link fails`() async throws {
        let bench = PortBench()
        try await bench.run { _ = try await bench.link() }
        await #expect(throws: AddressError.self) { try await bench.link() }
    }
}
