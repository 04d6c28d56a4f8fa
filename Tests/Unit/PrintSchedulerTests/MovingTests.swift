import PrintModel
import PrintSpool
import PrintTestSupport
import Testing

/// Printers that get a new address while a job is in progress.
@Suite(.timeLimit(.minutes(1)))
struct MovingTests {
    /// Prints a job at `laser`, changes the address of `laser`, and runs `body` with the job's id.
    private func moved(
        _ fixture: SchedulerFixture, to uri: String = "test:elsewhere", _ body: (Int) async throws -> Void
    ) async throws {
        await fixture.laser.printSlowly()
        let id = try await fixture.submit("letter")
        try await fixture.printing { _ in
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            try await fixture.spool.addOrModifyPrinter(named: "laser", PrinterChange(deviceURI: uri))
            try await body(id)
        }
    }

    @Test func `after an address change, a sent job is polled at the old address, and a new job uses the new address`()
        async throws
    {
        let fixture = try await SchedulerFixture(["laser", "test:elsewhere"])
        try await moved(fixture) { id in
            let next = try await fixture.submit("next")
            await fixture.laser.show(RemoteJobStatus(state: .completed), of: "letter")
            try await fixture.job(id, is: .completed)
            try await fixture.job(next, is: .completed)
        }
        #expect(await fixture.laser.received == ["letter"])
        #expect(await fixture["test:elsewhere"].received == ["next"])
        #expect(await fixture["test:elsewhere"].count(.status) == 1)
    }

    @Test func `if the same printer responds at a new address, the job continues at the new address`() async throws {
        let fixture = try await SchedulerFixture(["laser", "test:elsewhere"])
        try await moved(fixture, to: "same:laser") { id in
            await fixture.laser.fail(.status, with: .silent, stays: true)
            try await fixture.job(id) { $0.state == .processingStopped }
            await fixture.laser.mend()
            try await fixture.job(id) { $0.reasons == [.jobPrinting] }
            await fixture.laser.show(RemoteJobStatus(state: .completed), of: "letter")
            try await fixture.job(id, is: .completed)
        }
        #expect(await fixture.laser.received == ["letter"])
    }

    @Test func `a job is suspended if the printer at the new address does not have the job`() async throws {
        let fixture = try await SchedulerFixture(["laser", "test:elsewhere"])
        try await moved(fixture) { id in
            await fixture.laser.fail(.status, with: .silent, stays: true)
            let next = try await fixture.submit("next")
            let job = try await fixture.job(id) { $0.reasons == [.jobSuspended] }
            #expect(
                job.message.hasPrefix(
                    "laser no longer responds at test:laser, the printer at test:elsewhere does not have the job, and "
                        + "the job may have been printed; check the printed sheets, then "), "\(job.message)")
            try await fixture.job(next, is: .completed)
        }
        #expect(await fixture.laser.received == ["letter"])
        #expect(await fixture["test:elsewhere"].received == ["next"])
    }

    @Test func `if a printer's address changes during the preparation of a job, the job is sent to the new address`()
        async throws
    {
        let fixture = try await SchedulerFixture(["laser", "test:elsewhere"])
        let gate = Gate()
        fixture.worker.set(gate)
        let id = try await fixture.submit("letter")
        try await fixture.printing { _ in
            await gate.arrival()
            try await fixture.spool.addOrModifyPrinter(named: "laser", PrinterChange(deviceURI: "test:elsewhere"))
            gate.open()
            try await fixture.job(id, is: .completed)
        }
        #expect(await fixture.laser.count(.create) == 0)
        #expect(await fixture["test:elsewhere"].received == ["letter"])
    }
}
