import PrintModel
import Testing

/// Printers that are switched off and on between Create-Job and Send-Document.
@Suite(.timeLimit(.minutes(1)))
struct ForgetfulPrinterTests {
    @Test func `if the printer loses a job before the document arrives, the scheduler creates a new job there`()
        async throws
    {
        let world = try await World()
        let gate = Gate()
        await world.laser.set(gate, at: .send)
        let id = try await world.submit("job")
        try await world.printing { _ in
            await gate.arrival()
            await world.laser.forgetJobs()
            await world.laser.fail(.send, with: BackendError(.refused, "laser answers client-error-not-found"))
            await world.laser.set(nil, at: .send)
            gate.open()
            try await world.job(id, is: .completed)
        }
        #expect(await world.laser.received == ["job"])
        #expect(await world.laser.canceled.isEmpty)
    }

    @Test func `if the printer rejects a document, the job is aborted in the queue and canceled at the printer`()
        async throws
    {
        let world = try await World()
        await world.laser.fail(.send, with: BackendError(.refused, "laser answers client-error-document-format"))
        let id = try await world.submit("job")
        try await world.printing { _ in try await world.job(id, is: .aborted) }
        #expect(await world.laser.received.isEmpty)
        #expect(await world.laser.canceled == ["job"])
    }
}
