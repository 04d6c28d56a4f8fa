import PrintModel
import PrintScheduler
import PrintSpool
import Testing

/// Tests of the preparation of the next job while another job prints.
@Suite(.timeLimit(.minutes(1)))
struct AheadTests {
    /// Returns a world with the jobs `a` and `b`, whose printer prints `a` until the test completes `a`.
    private func printing(_ names: [String] = ["laser"]) async throws -> (world: World, a: Int, b: Int) {
        let world = try await World(names)
        await world.laser.printSlowly()
        return (world, try await world.submit("a"), try await world.submit("b"))
    }

    private func finish(_ name: String, in world: World) async {
        await world.laser.show(RemoteJobStatus(state: .completed), of: name)
    }

    /// Waits until a job prints, and then completes the job.
    private func print(_ id: Int, _ name: String, in world: World) async throws {
        try await world.job(id) { $0.reasons == [.jobPrinting] }
        await finish(name, in: world)
        try await world.job(id, is: .completed)
    }

    @Test func `the next job is prepared while another job prints, and is not prepared again before sending`()
        async throws
    {
        let (world, a, b) = try await printing()
        let gate = Gate()
        await world.laser.set(gate, at: .send)
        try await world.printing { _ in
            await gate.arrival()
            let waiting = try await world.job(b) { $0.impressions == 5 && $0.sheets == 5 }
            #expect(waiting.state == .pending)
            #expect(world.worker.documents == ["a", "b"])
            await world.laser.set(nil, at: .send)
            gate.open()
            try await print(a, "a", in: world)
            try await print(b, "b", in: world)
        }
        #expect(world.worker.documents == ["a", "b"])
        #expect(await world.laser.received == ["a", "b"])
    }

    @Test func `with many jobs and two printers, each document is prepared once`() async throws {
        let world = try await World(["laser", "photo"])
        var ids: [Int] = []
        try await world.printing { _ in
            for index in 0..<20 {
                ids.append(try await world.submit("\(index)", to: index.isMultiple(of: 3) ? "photo" : "laser"))
            }
            for id in ids { try await world.job(id, is: .completed) }
        }
        #expect(world.worker.documents.sorted() == (0..<20).map(String.init).sorted())
    }

    @Test func `a prepared document is removed when the job ends`() async throws {
        let (world, a, b) = try await printing()
        try await world.printing { _ in
            try await world.job(b) { $0.impressions == 5 }
            #expect(world.prepared == [a, b])
            try await print(a, "a", in: world)
            try await print(b, "b", in: world)
        }
        #expect(world.prepared.isEmpty)
    }

    @Test func `a job that is changed after its preparation is prepared again`() async throws {
        let (world, a, b) = try await printing()
        try await world.printing { _ in
            try await world.job(b) { $0.impressions == 5 }
            var ticket = JobTicket()
            ticket.copies = 2
            let changed = try await world.spool.update(b, ticket: ticket)
            #expect(changed.impressions == nil)
            await world.worker.documents(3)
            try await print(a, "a", in: world)
            try await print(b, "b", in: world)
        }
        #expect(world.worker.documents == ["a", "b", "b"])
        #expect(try await world.spool.job(b)?.impressions == 5)
    }

    @Test func `a moved job is prepared for the new printer, and the next job of the old printer is prepared too`()
        async throws
    {
        let (world, _, b) = try await printing(["laser", "photo"])
        let c = try await world.submit("c")
        try await world.printing { _ in
            try await world.job(b) { $0.impressions == 5 }
            try await world.spool.update(b, printer: "photo")
            try await world.job(b, is: .completed)
            try await world.job(c) { $0.impressions == 5 }
        }
        #expect(world.worker.documents.sorted() == ["a", "b", "b", "c"])
        #expect(await world["photo"].received == ["b"])
    }

    @Test func `a job is prepared again if the device URI of its printer changes`() async throws {
        let (world, a, b) = try await printing()
        try await world.printing { _ in
            try await world.job(b) { $0.impressions == 5 }
            try await world.spool.addOrModifyPrinter(named: "laser", PrinterChange(deviceURI: "test:new"))
            try await print(a, "a", in: world)
            try await print(b, "b", in: world)
        }
        #expect(world.worker.documents == ["a", "b", "b"])
    }

    @Test func `a job is prepared again if the capabilities of its printer change`() async throws {
        let (world, a, b) = try await printing()
        try await world.printing { _ in
            try await world.job(b) { $0.impressions == 5 }
            await world.laser.set(defaultDuplex: .longEdge)
            // The clock advances while `a` is polled, so the known capabilities become stale.
            await world.laser.wait(for: .status, count: await world.laser.count(.status) + 200)
            try await print(a, "a", in: world)
            try await print(b, "b", in: world)
        }
        #expect(world.worker.documents == ["a", "b", "b"])
    }

    @Test func `a job canceled during its preparation ahead ends at once, and the next job is prepared`()
        async throws
    {
        let (world, a, b) = try await printing()
        let c = try await world.submit("c")
        let gate = Gate()
        try await world.printing { scheduler in
            try await world.job(a) { $0.reasons == [.jobPrinting] }
            try await world.job(b) { $0.impressions == 5 }
            let d = try await world.submit("d")
            world.worker.set(gate)
            try await world.cancel(b, telling: scheduler)
            await gate.arrival()
            #expect(world.worker.documents == ["a", "b", "c"])
            world.worker.set(nil)
            try await world.cancel(c, telling: scheduler)
            try await world.job(d) { $0.impressions == 5 }
            #expect(world.prepared == [a, d])
        }
        #expect(world.worker.cancelCount == 1)
        #expect(await world.laser.received == ["a"])
    }

    @Test func `holding a prepared job removes the prepared document, and the next job is prepared`() async throws {
        let (world, a, b) = try await printing()
        let c = try await world.submit("c")
        try await world.printing { _ in
            try await world.job(b) { $0.impressions == 5 }
            try await world.spool.change(b, .holdRequested(until: nil))
            try await world.job(c) { $0.impressions == 5 }
            #expect(world.prepared == [a, c])
        }
    }

    /// Runs `body` in a world in which the job `a` prints and no job waits, and returns the world.
    private func printingAlone(_ body: (World, Int, Scheduler) async throws -> Void) async throws -> World {
        let world = try await World()
        await world.laser.printSlowly()
        let a = try await world.submit("a")
        try await world.printing { scheduler in
            try await world.job(a) { $0.reasons == [.jobPrinting] }
            try await body(world, a, scheduler)
        }
        return world
    }

    @Test(arguments: [
        (WorkError.Code.unsupportedFormat, JobStateReason.unsupportedDocumentFormat),
        (.damaged, .documentFormatError), (.noPages, .documentFormatError),
        (.passwordRequired, .documentPasswordError),
    ])
    func `a job whose document is found unprintable during the preparation ahead is aborted with a reason`(
        code: WorkError.Code, reason: JobStateReason
    ) async throws {
        let world = try await printingAlone { world, a, _ in
            world.worker.fail(with: WorkError(code, "it is no good"))
            let bad = try await world.submit("bad")
            let job = try await world.job(bad, is: .aborted)
            #expect(job.reasons == [reason, .abortedBySystem])
            #expect(job.message == "it is no good")
            let next = try await world.submit("next")
            try await world.job(next) { $0.impressions == 5 }
            #expect(try await world.spool.job(a)?.state == .processing)
        }
        #expect(world.worker.documents == ["a", "bad", "next"])
    }

    @Test(arguments: [WorkError.Code.workerUnavailable, .writeFailed, .memoryExceeded, .timeExceeded, .workerCrashed])
    func `a preparation ahead that failed for lack of resources is repeated after the printing job has ended`(
        code: WorkError.Code
    ) async throws {
        let world = try await printingAlone { world, a, _ in
            world.worker.fail(with: WorkError(code, "no room"))
            let next = try await world.submit("next")
            await world.worker.documents(2)
            try await print(a, "a", in: world)
            try await print(next, "next", in: world)
            #expect(try await world.spool.job(next)?.attempts == 0)
        }
        #expect(world.worker.documents == ["a", "next", "next"])
    }

    @Test func `a job that is claimed during its preparation ahead is sent without a second preparation`() async throws
    {
        let world = try await printingAlone { world, a, _ in
            let gate = Gate()
            world.worker.set(gate)
            let next = try await world.submit("next")
            await gate.arrival()
            try await print(a, "a", in: world)
            try await world.job(next, is: .processing)
            gate.open()
            try await print(next, "next", in: world)
        }
        #expect(world.worker.documents == ["a", "next"])
    }

    @Test func `canceling a claimed job during the preparation ahead stops the preparation`() async throws {
        let world = try await printingAlone { world, a, scheduler in
            let gate = Gate()
            world.worker.set(gate)
            let next = try await world.submit("next")
            await gate.arrival()
            try await print(a, "a", in: world)
            try await world.job(next, is: .processing)
            try await world.cancel(next, telling: scheduler)
            world.worker.set(nil)
            try await world.job(next, is: .canceled)
        }
        #expect(world.worker.cancelCount == 1)
        #expect(await world.laser.received == ["a"])
    }

    @Test func `an urgent job is printed first, and the document that was prepared ahead is kept`() async throws {
        let world = try await printingAlone { world, a, _ in
            let next = try await world.submit("next")
            try await world.job(next) { $0.impressions == 5 }
            let urgent = try await world.submit("urgent", priority: 90)
            try await print(a, "a", in: world)
            try await print(urgent, "urgent", in: world)
            try await print(next, "next", in: world)
        }
        #expect(world.worker.documents == ["a", "next", "urgent"])
        #expect(await world.laser.received == ["a", "urgent", "next"])
    }

    @Test func `with two printers, only one document at a time is prepared ahead`() async throws {
        let world = try await World(["laser", "photo"])
        for name in ["laser", "photo"] {
            await world[name].printSlowly()
            try await world.submit("\(name) 1", to: name)
        }
        let gate = Gate()
        try await world.printing { _ in
            for id in [1, 2] { try await world.job(id) { $0.reasons == [.jobPrinting] } }
            world.worker.set(gate)
            let first = try await world.submit("laser 2")
            await gate.arrival()
            let second = try await world.submit("photo 2", to: "photo")
            // This submission wakes the scheduler, which finds the worker busy.
            let third = try await world.submit("photo 3", to: "photo", priority: 90)
            #expect(world.worker.documents.count == 3)
            world.worker.set(nil)
            gate.open()
            try await world.job(first) { $0.impressions == 5 }
            try await world.job(third) { $0.impressions == 5 }
            #expect(try await world.spool.job(second)?.impressions == nil)
        }
        #expect(world.worker.documents.dropFirst(2) == ["laser 2", "photo 3"])
    }

    @Test func `a job that could not be delivered is not prepared again for the retry`() async throws {
        let world = try await World()
        await world.laser.fail(.create, with: .silent)
        let id = try await world.submit("job")
        try await world.printing { _ in try await world.job(id, is: .completed) }
        #expect(try await world.spool.job(id)?.attempts == 1)
        #expect(world.worker.documents == ["job"])
    }

    @Test func `a document that was prepared before a restart is prepared again`() async throws {
        let (world, a, b) = try await printing()
        try await world.printing { _ in
            try await world.job(a) { $0.reasons == [.jobPrinting] }
            try await world.job(b) { $0.impressions == 5 }
        }
        try await world.printing { _ in
            await finish("a", in: world)
            try await world.job(a, is: .completed)
            try await print(b, "b", in: world)
        }
        #expect(world.worker.documents == ["a", "b", "b"])
    }

    @Test func `a shutdown during a preparation ahead does not change the job`() async throws {
        let world = try await World()
        await world.laser.printSlowly()
        let gate = Gate()
        let a = try await world.submit("a")
        var next = 0
        try await world.printing { _ in
            try await world.job(a) { $0.reasons == [.jobPrinting] }
            world.worker.set(gate)
            next = try await world.submit("next")
            await gate.arrival()
        }
        let job = try #require(try await world.spool.job(next))
        #expect(job.state == .pending)
        #expect(job.attempts == 0)
        #expect(world.worker.cancelCount == 1)
    }
}
