import PrintModel
import PrintScheduler
import PrintSpool
import Testing

/// Tests of documents whose preparation takes long.
@Suite(.timeLimit(.minutes(1)))
struct SlowPreparationTests {
    /// Prints the jobs `slow` and `next` of one owner and the job `other` of another owner, while the preparation of
    /// `slow` waits for `gate`.
    private func printing(
        in order: QueueOrder = .perPrinter,
        _ body: (SchedulerFixture, Gate, _ slow: Int, _ next: Int, _ other: Int) async throws -> Void
    ) async throws -> SchedulerFixture {
        let fixture = try await SchedulerFixture(workClock: FlyingClock())
        let gate = Gate()
        fixture.worker.set(gate, for: "slow")
        let slow = try await fixture.submit("slow")
        let next = try await fixture.submit("next")
        let other = try await fixture.submit("other", owner: "bob")
        try await fixture.printing(in: order) { _ in
            await gate.arrival()
            try await body(fixture, gate, slow, next, other)
            gate.open()
            for id in [slow, next, other] { try await fixture.job(id, is: .completed) }
        }
        return fixture
    }

    @Test(arguments: [QueueOrder.perPrinter, .fair])
    func `a job of another owner overtakes a job whose preparation takes long`(order: QueueOrder) async throws {
        let fixture = try await printing(in: order) { fixture, _, slow, next, other in
            try await fixture.job(other, is: .completed)
            let waiting = try #require(try await fixture.spool.job(slow))
            #expect(waiting.state == .pending && waiting.reasons == [.jobTransforming])
            #expect(try await fixture.spool.job(next)?.state == .pending)
        }
        // The jobs of one owner keep their order, and no document is prepared twice.
        #expect(await fixture.laser.received == ["other", "slow", "next"])
        #expect(fixture.worker.documents.sorted() == ["next", "other", "slow"])
    }

    @Test func `in strict order, no job overtakes a job whose preparation takes long`() async throws {
        let fixture = try await printing(in: .strict) { fixture, _, slow, _, other in
            try await fixture.job(slow, is: .processing)
            // The submission wakes the scheduler after the preparation has become slow.
            try await fixture.submit("last", owner: "cy")
            #expect(try await fixture.spool.job(other)?.state == .pending)
        }
        #expect(await fixture.laser.received.prefix(3) == ["slow", "next", "other"])
    }

    @Test func `an overtaken job can be canceled, and its preparation stops`() async throws {
        let fixture = try await SchedulerFixture(workClock: FlyingClock())
        let gate = Gate()
        fixture.worker.set(gate, for: "slow")
        let slow = try await fixture.submit("slow")
        let other = try await fixture.submit("other", owner: "bob")
        try await fixture.printing { scheduler in
            await gate.arrival()
            try await fixture.job(other, is: .completed)
            try await fixture.cancel(slow, telling: scheduler)
            try await fixture.job(slow, is: .canceled)
            let next = try await fixture.submit("next")
            try await fixture.job(next, is: .completed)
        }
        #expect(fixture.worker.cancelCount == 1)
        #expect(await fixture.laser.received == ["other", "next"])
    }

    @Test func `an overtaken job whose preparation fails is aborted or prepared again`() async throws {
        for (code, state) in [(WorkError.Code.timeExceeded, JobState.aborted), (.workerUnavailable, .completed)] {
            let fixture = try await SchedulerFixture(workClock: FlyingClock())
            let gate = Gate()
            fixture.worker.set(gate, for: "slow")
            let slow = try await fixture.submit("slow")
            let other = try await fixture.submit("other", owner: "bob")
            try await fixture.printing { _ in
                await gate.arrival()
                try await fixture.job(other, is: .completed)
                fixture.worker.fail(with: WorkError(code, "it took too long"))
                gate.open()
                let job = try await fixture.job(slow) { $0.state.isTerminal }
                #expect(job.state == state)
            }
        }
    }

    @Test func `an attempt to prepare a document has the time that earlier attempts have not used`() async throws {
        let fixture = try await SchedulerFixture(workClock: FlyingClock())
        let id = try await fixture.submit("job")
        let job = try #require(try await fixture.spool.job(id))
        // An earlier process has stored the time.
        try await fixture.spool.notePreparation(of: job, seconds: 200)
        try await fixture.printing { _ in try await fixture.job(id, is: .completed) }
        #expect(fixture.worker.remainingSeconds.map { $0.rounded() } == [100])
        #expect(try await fixture.spool.job(id)?.preparationSeconds == 0)
    }
}
