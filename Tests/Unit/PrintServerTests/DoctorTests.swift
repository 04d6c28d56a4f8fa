import IPP
import IPPTestSupport
import PrintIPP
import PrintModel
import PrintSpool
import Synchronization
import Testing

@testable import PrintServer

/// Tests of the access to the results of `printq doctor`, and of the frequency of the health check.
struct DoctorTests {
    /// A counter of calls.
    private final class Counter: Sendable {
        private let count = Mutex(0)

        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    private func ask(_ service: SpoolService, from peer: Peer) async -> Message {
        let operations = PrinterOperations(
            service, numbersJobsGlobally: true, isOpen: false, clock: { 1_000_000 })
        let message = Message(
            operation: .getPrinterAttributes, requestID: 1,
            groups: [
                .operation([
                    Attribute("printer-uri", .uri("ipp://localhost/printers/quiet")),
                    Attribute("requesting-user-name", .name("root")),
                    Attribute("requested-attributes", .keyword("printq-doctor"), .keyword("printer-name")),
                ])
            ])
        return await operations.respond(to: IPPRequest(message: message, peer: peer))
    }

    @Test func `the results of 'printq doctor' are sent only to local users that the kernel authenticates`()
        async throws
    {
        let quiet = try await QuietSpool()
        for peer in [Peer.tcp(address: "127.0.0.1", port: 1), .tcp(address: "192.0.2.7", port: 1)] {
            let answer = await ask(quiet.service, from: peer)
            #expect(answer.status == .successfulOk && answer[.printer]?.string("printer-name") == "quiet", "\(answer)")
            #expect(answer[.printer]?["printq-doctor"] == nil)
        }
        let answer = await ask(quiet.service, from: .unix(uid: 65534, gid: 65534, pid: 1))
        #expect(answer[.printer]?.strings("printq-doctor") == ["ok: all is well"])
    }

    @Test func `concurrent requests for a health check share one result`() async {
        let counter = Counter()
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let checkUp = CachedHealthCheck(latestEvent: {
            ask.yield()
            return 1
        }) {
            begin.yield()
            for await _ in ended {}
            return [HealthFinding(line: "ok: \(counter.next())")]
        }
        await withTaskGroup(of: [HealthFinding].self) { group in
            for _ in 0..<20 { group.addTask { await checkUp.findings() } }
            for await _ in begun { break }
            var others = 0
            for await _ in asked {
                others += 1
                if others == 20 { break }
            }
            end.finish()
            for await findings in group { #expect(findings.map(\.line) == ["ok: 1"]) }
        }
        #expect(counter.next() == 2)
    }

    @Test func `a health check result is reused for two seconds unless the spool has a new event`() async {
        let counter = Counter()
        let event = Mutex(1)
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let checkUp = CachedHealthCheck(
            latestEvent: { event.withLock { $0 } }, now: { start + passed.withLock { $0 } }
        ) {
            [HealthFinding(line: "ok: \(counter.next())")]
        }
        #expect(await checkUp.findings().map(\.line) == ["ok: 1"])
        passed.withLock { $0 = .seconds(1) }
        #expect(await checkUp.findings().map(\.line) == ["ok: 1"])
        event.withLock { $0 = 2 }
        #expect(await checkUp.findings().map(\.line) == ["ok: 2"])
        passed.withLock { $0 = .seconds(3) }
        #expect(await checkUp.findings().map(\.line) == ["ok: 3"])
    }
}
