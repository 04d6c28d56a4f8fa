import PrintModel
import PrintWork
import Testing

/// Each limit has its own error, and the next document is worked on as if nothing had been.
struct WorkerLimitsTests {
    private let place = Workplace()

    private func expect(
        _ code: WorkError.Code, saying words: String, from orders: String, under limits: WorkerLimits
    ) async throws {
        let pool = place.pool(limits)
        try await pool.running {
            let error = await #expect(throws: WorkError.self) {
                _ = try await pool.prepare(place.preparation(orders)) { _ in }
            }
            #expect(error?.code == code, "\(error?.detail ?? "")")
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
            let next = try await pool.inspect(place.document("say fine"))
            #expect(next.notices == ["fine"])
        }
    }

    @Test func `a document that keeps the processor busy is ended at the limit of processor time`() async throws {
        try await expect(
            .processorTimeExceeded, saying: "preparing the document took more than 1 s of processor time",
            from: "burn", under: WorkerLimits(processorSeconds: 1))
    }

    @Test func `a document that dawdles is ended at the limit of time`() async throws {
        try await expect(
            .timeExceeded, saying: "preparing the document took more than 1 s;",
            from: "sleep", under: WorkerLimits(wallSeconds: 1))
    }

    @Test func `a document that takes more and more memory is ended at the limit of memory`() async throws {
        try await expect(
            .memoryExceeded, saying: "needed more than 512 MiB of memory",
            from: "eat", under: WorkerLimits(memoryBytes: 512 << 20))
    }

    @Test func `a document that wants a terabyte at once runs into the limit of memory too`() async throws {
        try await expect(
            .memoryExceeded, saying: "needed more than 1024 MiB of memory", from: "gulp", under: WorkerLimits())
    }

    @Test func `a document that becomes too large a file is ended at the limit of output`() async throws {
        try await expect(
            .outputTooLarge, saying: "made a file of more than 3 MiB",
            from: "write 1000", under: WorkerLimits(outputBytes: 3 << 20))
    }

    @Test func `a document that breaks its worker is told from one that hits a limit`() async throws {
        try await expect(
            .workerCrashed, saying: "the worker broke down while preparing the document",
            from: "crash", under: WorkerLimits())
    }

    @Test func `what the worker itself finds wrong comes through as it is`() async throws {
        try await expect(.damaged, saying: "it is torn", from: "refuse", under: WorkerLimits())
    }
}
