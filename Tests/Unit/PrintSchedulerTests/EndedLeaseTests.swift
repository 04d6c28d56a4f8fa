import AsyncPrimitives
import Logging
import PrintModel
import PrintTestSupport
import SimulatedDatabase
import Testing

@testable import PrintScheduler
@testable import PrintSpool

/// Jobs in progress of a process that ends the lease of a printer.
struct EndedLeaseTests {
    /// A log handler that runs a function for each message.
    private struct Listener: LogHandler {
        var logLevel = Logger.Level.trace
        var metadata: Logger.Metadata = [:]
        let hear: @Sendable (String) -> Void

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { hear("\(event.message)") }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a job is continued if its process ended the lease, and renews the same lease before another host takes it`()
        async throws
    {
        let server = SimulatedDatabaseServer(try MemoryDatabase(), clock: { 0 }, observe: { _ in })
        let fixture = try await SchedulerFixture { folder, clock in
            let handle = SimulatedDatabaseServer.Handle(
                server, for: UndisturbedClient(), host: "a", incarnation: "a-1", folder: "a")
            let medium = SpoolMedium.shared(
                files: POSIXFileSystem(), database: handle, makeName: RandomUUID.make, uptime: { .now })
            return try Spool(folder: folder, clock: clock, medium: medium)
        }
        let spool = fixture.spool
        try await spool.renewLeases()
        let leases = Array(spool.leases.values)
        #expect(leases.map(\.printer) == ["laser"])
        let gate = Gate()
        await fixture.laser.set(gate, at: .create)
        // The renewal of the lease comes between the end of the delivery and the next look at the leases.
        let listener = Listener { message in
            guard message == "the lease of a printer has ended during a job" else { return }
            _ = spool.heldLeases.replace(by: leases, until: .now + .seconds(10))
        }
        try await fixture.printing(logger: listener) { _ in
            let id = try await fixture.submit("job")
            await gate.arrival()
            _ = spool.heldLeases.end(["laser"])
            gate.open()
            try await fixture.job(id, is: .completed)
        }
    }
}
