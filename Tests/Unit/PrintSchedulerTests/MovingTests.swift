import PrintModel
import PrintSpool
import PrintTestSupport
import Testing

/// Printers that get a new address while a job is in progress.
@Suite(.timeLimit(.minutes(1)))
struct MovingTests {
    /// Prints a job at `laser`, changes the address of `laser`, and runs `body` with the job's id.
    private func moved(
        _ world: World, to uri: String = "test:elsewhere", _ body: (Int) async throws -> Void
    ) async throws {
        await world.laser.printSlowly()
        let id = try await world.submit("letter")
        try await world.printing { _ in
            try await world.job(id) { $0.reasons == [.jobPrinting] }
            try await world.spool.addOrModifyPrinter(named: "laser", PrinterChange(deviceURI: uri))
            try await body(id)
        }
    }

    @Test func `a job is polled at the printer's old address, and the next job is sent to the new address`()
        async throws
    {
        let world = try await World(["laser", "test:elsewhere"])
        try await moved(world) { id in
            let next = try await world.submit("next")
            await world.laser.show(RemoteJobStatus(state: .completed), of: "letter")
            try await world.job(id, is: .completed)
            try await world.job(next, is: .completed)
        }
        #expect(await world.laser.received == ["letter"])
        #expect(await world["test:elsewhere"].received == ["next"])
        #expect(await world["test:elsewhere"].count(.status) == 1)
    }

    @Test func `if the same printer responds at a new address, the job continues there`() async throws {
        let world = try await World(["laser", "test:elsewhere"])
        try await moved(world, to: "same:laser") { id in
            await world.laser.fail(.status, with: .silent)
            await world.laser.fail(.status, with: .silent)
            await world.laser.fail(.status, with: .silent)
            try await world.job(id) { $0.state == .processingStopped }
            try await world.job(id) { $0.reasons == [.jobPrinting] }
            await world.laser.show(RemoteJobStatus(state: .completed), of: "letter")
            try await world.job(id, is: .completed)
        }
        #expect(await world.laser.received == ["letter"])
    }

    @Test func `a job is suspended if the printer at the new address does not have the job`() async throws {
        let world = try await World(["laser", "test:elsewhere"])
        try await moved(world) { id in
            await world.laser.fail(.status, with: .silent, stays: true)
            let next = try await world.submit("next")
            let job = try await world.job(id) { $0.reasons == [.jobSuspended] }
            #expect(
                job.message.hasPrefix(
                    "laser no longer responds at test:laser, the printer at test:elsewhere does not have the job, and "
                        + "it may have been printed; look at the paper, then "), "\(job.message)")
            try await world.job(next, is: .completed)
        }
        #expect(await world.laser.received == ["letter"])
        #expect(await world["test:elsewhere"].received == ["next"])
    }

    @Test func `a job whose printer's address changes during the preparation is sent to the new address`() async throws
    {
        let world = try await World(["laser", "test:elsewhere"])
        let gate = Gate()
        world.worker.set(gate)
        let id = try await world.submit("letter")
        try await world.printing { _ in
            await gate.arrival()
            try await world.spool.addOrModifyPrinter(named: "laser", PrinterChange(deviceURI: "test:elsewhere"))
            world.worker.set(nil)
            gate.open()
            try await world.job(id, is: .completed)
        }
        #expect(await world.laser.count(.create) == 0)
        #expect(await world["test:elsewhere"].received == ["letter"])
    }
}
