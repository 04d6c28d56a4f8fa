import PrintModel
import Testing

/// Printers that are switched off and on between Create-Job and Send-Document.
@Suite(.timeLimit(.minutes(1)))
struct LostPrinterJobTests {
    @Test
    func `if the printer loses a job before the document arrives, the scheduler creates a new job on the printer`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        let gate = Gate()
        await fixture.laser.set(gate, at: .send)
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in
            await gate.arrival()
            await fixture.laser.forgetJobs()
            await fixture.laser.fail(.send, with: BackendError(.refused, "laser answers client-error-not-found"))
            await fixture.laser.set(nil, at: .send)
            gate.open()
            try await fixture.job(id, is: .completed)
        }
        #expect(await fixture.laser.received == ["job"])
        #expect(await fixture.laser.canceled.isEmpty)
    }

    @Test func `if the printer rejects a document, the job is aborted in the queue and canceled at the printer`()
        async throws
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.fail(.send, with: BackendError(.refused, "laser answers client-error-document-format"))
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in try await fixture.job(id, is: .aborted) }
        #expect(await fixture.laser.received.isEmpty)
        #expect(await fixture.laser.canceled == ["job"])
    }
}
