import PrintModel
import PrintWork
import Testing

/// Tests of the limits: each limit has a separate error and does not affect the next document.
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

    @Test func `a document is stopped if it exceeds the CPU time limit`() async throws {
        try await expect(
            .processorTimeExceeded, saying: "preparing the document took more than 1 s of CPU time",
            from: "burn", under: WorkerLimits(processorSeconds: 1))
    }

    @Test func `a document is stopped if it exceeds the wall-clock limit`() async throws {
        try await expect(
            .timeExceeded, saying: "preparing the document took more than 1 s;",
            from: "sleep", under: WorkerLimits(wallSeconds: 1))
    }

    @Test func `a document is stopped at the memory limit if it uses more and more memory`() async throws {
        try await expect(
            .memoryExceeded, saying: "needed more than 512 MiB of memory",
            from: "eat", under: WorkerLimits(memoryBytes: 512 << 20))
    }

    @Test func `a document is stopped at the memory limit if it requests one terabyte of memory`() async throws {
        try await expect(
            .memoryExceeded, saying: "needed more than 1024 MiB of memory", from: "gulp", under: WorkerLimits())
    }

    @Test func `a document is stopped at the output limit if its output file becomes too large`() async throws {
        try await expect(
            .outputTooLarge, saying: "wrote a file of more than 3 MiB",
            from: "write 1000", under: WorkerLimits(outputBytes: 3 << 20))
    }

    @Test func `a crash of a worker causes a different error than an exceeded limit`() async throws {
        try await expect(
            .workerCrashed, saying: "the worker crashed while preparing the document",
            from: "crash", under: WorkerLimits())
    }

    @Test func `if a worker reports an error, the error is returned unchanged`() async throws {
        try await expect(.damaged, saying: "the document is incomplete", from: "refuse", under: WorkerLimits())
    }
}
