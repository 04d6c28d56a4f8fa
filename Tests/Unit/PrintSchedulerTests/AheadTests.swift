import PrintModel
import PrintScheduler
import PrintSpool
import Testing

/// Tests of the preparation of the next job while another job prints.
@Suite(.timeLimit(.minutes(1)))
struct AheadTests {
    /// Returns a fixture with the jobs `a` and `b`, whose printer prints `a` until the test completes `a`.
    private func printing(_ names: [String] = ["laser"]) async throws -> (fixture: SchedulerFixture, a: Int, b: Int) {
        let fixture = try await SchedulerFixture(names)
        await fixture.laser.printSlowly()
        return (fixture, try await fixture.submit("a"), try await fixture.submit("b"))
    }

    private func finish(_ name: String, in fixture: SchedulerFixture) async {
        await fixture.laser.show(RemoteJobStatus(state: .completed), of: name)
    }

    /// Waits until a job prints, and then completes the job.
    private func print(_ id: Int, _ name: String, in fixture: SchedulerFixture) async throws {
        try await fixture.job(id) { $0.reasons == [.jobPrinting] }
        await finish(name, in: fixture)
        try await fixture.job(id, is: .completed)
    }

    @Test func `the next job is prepared while another job is printing, and is prepared only once`() async throws {
        let (fixture, a, b) = try await printing()
        let gate = Gate()
        await fixture.laser.set(gate, at: .send)
        try await fixture.printing { _ in
            await gate.arrival()
            let waiting = try await fixture.job(b) { $0.impressions == 5 && $0.sheets == 5 }
            #expect(waiting.state == .pending)
            #expect(fixture.worker.documents == ["a", "b"])
            await fixture.laser.set(nil, at: .send)
            gate.open()
            try await print(a, "a", in: fixture)
            try await print(b, "b", in: fixture)
        }
        #expect(fixture.worker.documents == ["a", "b"])
        #expect(await fixture.laser.received == ["a", "b"])
    }

    @Test func `with many jobs and two printers, each document is prepared once`() async throws {
        let fixture = try await SchedulerFixture(["laser", "photo"])
        var ids: [Int] = []
        try await fixture.printing { _ in
            for index in 0..<20 {
                ids.append(try await fixture.submit("\(index)", to: index.isMultiple(of: 3) ? "photo" : "laser"))
            }
            for id in ids { try await fixture.job(id, is: .completed) }
        }
        #expect(fixture.worker.documents.sorted() == (0..<20).map(String.init).sorted())
    }

    @Test func `a prepared document is removed when the job ends`() async throws {
        let (fixture, a, b) = try await printing()
        try await fixture.printing { _ in
            try await fixture.job(b) { $0.impressions == 5 }
            #expect(fixture.prepared == [a, b])
            try await print(a, "a", in: fixture)
            try await print(b, "b", in: fixture)
        }
        await fixture.spool.finishRemovals()
        #expect(fixture.prepared.isEmpty)
    }

    @Test func `if a job is changed after its preparation, the job is prepared a second time`() async throws {
        let (fixture, a, b) = try await printing()
        try await fixture.printing { _ in
            try await fixture.job(b) { $0.impressions == 5 }
            var ticket = JobTicket()
            ticket.copies = 2
            let changed = try await fixture.spool.update(b, ticket: ticket)
            #expect(changed.impressions == nil)
            await fixture.worker.documents(3)
            try await print(a, "a", in: fixture)
            try await print(b, "b", in: fixture)
        }
        #expect(fixture.worker.documents == ["a", "b", "b"])
        #expect(try await fixture.spool.job(b)?.impressions == 5)
    }

    @Test func `a moved job is prepared for the new printer, and the next job of the old printer is also prepared`()
        async throws
    {
        let (fixture, _, b) = try await printing(["laser", "photo"])
        let c = try await fixture.submit("c")
        try await fixture.printing { _ in
            try await fixture.job(b) { $0.impressions == 5 }
            try await fixture.spool.update(b, printer: "photo")
            try await fixture.job(b, is: .completed)
            try await fixture.job(c) { $0.impressions == 5 }
        }
        #expect(fixture.worker.documents.sorted() == ["a", "b", "b", "c"])
        #expect(await fixture["photo"].received == ["b"])
    }

    @Test func `a job is prepared again if the device URI of its printer changes`() async throws {
        let (fixture, a, b) = try await printing()
        try await fixture.printing { _ in
            try await fixture.job(b) { $0.impressions == 5 }
            try await fixture.spool.addOrModifyPrinter(named: "laser", PrinterChange(deviceURI: "test:new"))
            try await print(a, "a", in: fixture)
            try await print(b, "b", in: fixture)
        }
        #expect(fixture.worker.documents == ["a", "b", "b"])
    }

    @Test func `a job is prepared again if the capabilities of its printer change`() async throws {
        let (fixture, a, b) = try await printing()
        try await fixture.printing { _ in
            try await fixture.job(b) { $0.impressions == 5 }
            await fixture.laser.set(defaultDuplex: .longEdge)
            // The clock advances while `a` is polled, so the known capabilities become stale.
            await fixture.laser.wait(for: .status, count: await fixture.laser.count(.status) + 200)
            try await print(a, "a", in: fixture)
            try await print(b, "b", in: fixture)
        }
        #expect(fixture.worker.documents == ["a", "b", "b"])
    }

    @Test
    func `if a job is canceled during its preparation in advance, it ends immediately, and the next job is prepared`()
        async throws
    {
        let (fixture, a, b) = try await printing()
        let c = try await fixture.submit("c")
        let gate = Gate()
        try await fixture.printing { scheduler in
            try await fixture.job(a) { $0.reasons == [.jobPrinting] }
            for id in [b, c] { try await fixture.job(id) { $0.impressions == 5 } }
            let (d, e) = (try await fixture.submit("d"), try await fixture.submit("e"))
            fixture.worker.set(gate)
            try await fixture.cancel(b, telling: scheduler)
            await gate.arrival()
            #expect(fixture.worker.documents == ["a", "b", "c", "d"])
            try await fixture.cancel(d, telling: scheduler)
            try await fixture.job(e) { $0.impressions == 5 }
            #expect(fixture.prepared == [a, c, e])
        }
        #expect(fixture.worker.cancelCount == 1)
        #expect(await fixture.laser.received == ["a"])
    }

    @Test func `if a prepared job is held, the prepared document is removed, and the next job is prepared`()
        async throws
    {
        let (fixture, a, b) = try await printing()
        let c = try await fixture.submit("c")
        let d = try await fixture.submit("d")
        try await fixture.printing { _ in
            for id in [b, c] { try await fixture.job(id) { $0.impressions == 5 } }
            try await fixture.spool.change(b, .holdRequested(until: nil))
            try await fixture.job(d) { $0.impressions == 5 }
            #expect(fixture.prepared == [a, c, d])
        }
    }

    /// Runs `body` in a fixture in which the job `a` prints and no job waits, and returns the fixture.
    private func printingAlone(_ body: (SchedulerFixture, Int, Scheduler) async throws -> Void) async throws
        -> SchedulerFixture
    {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let a = try await fixture.submit("a")
        try await fixture.printing { scheduler in
            try await fixture.job(a) { $0.reasons == [.jobPrinting] }
            try await body(fixture, a, scheduler)
        }
        return fixture
    }

    @Test(arguments: [
        (WorkError.Code.unsupportedFormat, JobStateReason.unsupportedDocumentFormat),
        (.damaged, .documentFormatError), (.noPages, .documentFormatError),
        (.passwordRequired, .documentPasswordError), (.timeExceeded, .abortedBySystem),
        (.processorTimeExceeded, .abortedBySystem),
    ])
    func `if a waiting job's document cannot be prepared, the job is aborted with a reason`(
        code: WorkError.Code, reason: JobStateReason
    ) async throws {
        let fixture = try await printingAlone { fixture, a, _ in
            fixture.worker.fail(with: WorkError(code, "it is no good"))
            let bad = try await fixture.submit("bad")
            let job = try await fixture.job(bad, is: .aborted)
            #expect(Set(job.reasons) == [reason, .abortedBySystem])
            #expect(job.message == "it is no good")
            let next = try await fixture.submit("next")
            try await fixture.job(next) { $0.impressions == 5 }
            #expect(try await fixture.spool.job(a)?.state == .processing)
        }
        #expect(fixture.worker.documents == ["a", "bad", "next"])
    }

    @Test(arguments: [WorkError.Code.workerUnavailable, .writeFailed, .memoryExceeded, .workerCrashed])
    func `if a preparation in advance fails for lack of resources, it is repeated after the current job`(
        code: WorkError.Code
    ) async throws {
        let fixture = try await printingAlone { fixture, a, _ in
            fixture.worker.fail(with: WorkError(code, "no room"))
            let next = try await fixture.submit("next")
            await fixture.worker.documents(2)
            try await print(a, "a", in: fixture)
            try await print(next, "next", in: fixture)
            #expect(try await fixture.spool.job(next)?.attempts == 0)
        }
        #expect(fixture.worker.documents == ["a", "next", "next"])
    }

    @Test func `if a job is claimed during its preparation in advance, the document is not prepared a second time`()
        async throws
    {
        let fixture = try await printingAlone { fixture, a, _ in
            let gate = Gate()
            fixture.worker.set(gate)
            let next = try await fixture.submit("next")
            await gate.arrival()
            try await print(a, "a", in: fixture)
            try await fixture.job(next, is: .processing)
            gate.open()
            try await print(next, "next", in: fixture)
        }
        #expect(fixture.worker.documents == ["a", "next"])
    }

    @Test func `if a job is claimed during its preparation in advance and then canceled, the preparation stops`()
        async throws
    {
        let fixture = try await printingAlone { fixture, a, scheduler in
            let gate = Gate()
            fixture.worker.set(gate)
            let next = try await fixture.submit("next")
            await gate.arrival()
            try await print(a, "a", in: fixture)
            try await fixture.job(next, is: .processing)
            try await fixture.cancel(next, telling: scheduler)
            try await fixture.job(next, is: .canceled)
        }
        #expect(fixture.worker.cancelCount == 1)
        #expect(await fixture.laser.received == ["a"])
    }

    @Test func `an urgent job is printed before a job that was prepared in advance, and the prepared document is kept`()
        async throws
    {
        let fixture = try await printingAlone { fixture, a, _ in
            let next = try await fixture.submit("next")
            try await fixture.job(next) { $0.impressions == 5 }
            let urgent = try await fixture.submit("urgent", priority: 90)
            try await print(a, "a", in: fixture)
            try await print(urgent, "urgent", in: fixture)
            try await print(next, "next", in: fixture)
        }
        #expect(fixture.worker.documents == ["a", "next", "urgent"])
        #expect(await fixture.laser.received == ["a", "urgent", "next"])
    }

    @Test func `with two printers, only one document at a time is prepared in advance`() async throws {
        let fixture = try await SchedulerFixture(["laser", "photo"])
        for name in ["laser", "photo"] {
            await fixture[name].printSlowly()
            try await fixture.submit("\(name) 1", to: name)
        }
        let gate = Gate()
        try await fixture.printing { _ in
            for id in [1, 2] { try await fixture.job(id) { $0.reasons == [.jobPrinting] } }
            fixture.worker.set(gate)
            let first = try await fixture.submit("laser 2")
            await gate.arrival()
            let second = try await fixture.submit("photo 2", to: "photo")
            // This submission wakes the scheduler, which finds the worker busy.
            let third = try await fixture.submit("photo 3", to: "photo", priority: 90)
            #expect(fixture.worker.documents.count == 3)
            gate.open()
            try await fixture.job(first) { $0.impressions == 5 }
            try await fixture.job(third) { $0.impressions == 5 }
            try await fixture.job(second) { $0.impressions == 5 }
        }
        #expect(fixture.worker.documents.dropFirst(2) == ["laser 2", "photo 3", "photo 2"])
    }

    @Test(arguments: QueueOrder.allCases)
    func `while a job prints, the next two jobs are prepared in the default order, and otherwise the next job`(
        order: QueueOrder
    ) async throws {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let first = ["1"] + (order == .perPrinter ? ["2", "3"] : ["2"])
        for index in 1...5 { try await fixture.submit("\(index)") }
        try await fixture.printing(in: order) { _ in
            try await fixture.job(first.count) { $0.impressions == 5 }
            try await fixture.job(1) { $0.reasons == [.jobPrinting] }
            // An urgent job comes first, but is not prepared while two jobs are prepared.
            let urgent = try await fixture.submit("urgent", priority: 90)
            for index in [1, urgent, 2, 3, 4, 5] {
                try await print(index, index == urgent ? "urgent" : "\(index)", in: fixture)
            }
        }
        #expect(Array(fixture.worker.documents.prefix(first.count)) == first)
        #expect(fixture.worker.documents.sorted() == ["1", "2", "3", "4", "5", "urgent"])
        #expect(await fixture.laser.received == ["1", "urgent", "2", "3", "4", "5"])
    }

    @Test func `if a job could not be delivered, the job is not prepared again for the retry`() async throws {
        let fixture = try await SchedulerFixture()
        await fixture.laser.fail(.create, with: .silent)
        let id = try await fixture.submit("job")
        try await fixture.printing { _ in try await fixture.job(id, is: .completed) }
        #expect(try await fixture.spool.job(id)?.attempts == 1)
        #expect(fixture.worker.documents == ["job"])
    }

    @Test func `if a document was prepared before a restart of printd, the document is prepared again`() async throws {
        let (fixture, a, b) = try await printing()
        try await fixture.printing { _ in
            try await fixture.job(a) { $0.reasons == [.jobPrinting] }
            try await fixture.job(b) { $0.impressions == 5 }
        }
        try await fixture.printing { _ in
            await finish("a", in: fixture)
            try await fixture.job(a, is: .completed)
            try await print(b, "b", in: fixture)
        }
        #expect(fixture.worker.documents == ["a", "b", "b"])
    }

    @Test func `a shutdown of printd during a preparation in advance does not change the job`() async throws {
        let fixture = try await SchedulerFixture()
        await fixture.laser.printSlowly()
        let gate = Gate()
        let a = try await fixture.submit("a")
        var next = 0
        try await fixture.printing { _ in
            try await fixture.job(a) { $0.reasons == [.jobPrinting] }
            fixture.worker.set(gate)
            next = try await fixture.submit("next")
            await gate.arrival()
        }
        let job = try #require(try await fixture.spool.job(next))
        #expect(job.state == .pending)
        #expect(job.attempts == 0)
        #expect(fixture.worker.cancelCount == 1)
    }
}
