import AsyncPrimitives
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AsyncSemaphoreTests {
    @Test func `the number of concurrent tasks never exceeds the limit of the semaphore`() async throws {
        let semaphore = AsyncSemaphore(places: 3)
        let inside = Crowd()
        try await withThrowingDiscardingTaskGroup { group in
            for _ in 0..<100 {
                group.addTask {
                    try await semaphore.enter()
                    defer { semaphore.leave() }
                    await inside.come()
                    await Task.yield()
                    await inside.go()
                }
            }
        }
        #expect(await inside.most == 3)
    }

    @Test func `a semaphore rejects a task if the semaphore's queue of waiting tasks is full`() async throws {
        let semaphore = AsyncSemaphore(places: 1, waiting: 0)
        try await semaphore.enter()
        await #expect(throws: AsyncSemaphore.Refusal.queueFull) { try await semaphore.enter() }
        semaphore.leave()
        try await semaphore.enter()
    }

    @Test func `if a task is canceled at any moment while waiting, the semaphore still admits a new task`() async throws
    {
        let semaphore = AsyncSemaphore(places: 1)
        for _ in 0..<1_000 {
            try await semaphore.enter()
            let waiting = Task {
                try await semaphore.enter()
                semaphore.leave()
            }
            waiting.cancel()
            semaphore.leave()
            // The task is admitted or canceled, depending on the timing.
            if case .failure(let error) = await waiting.result {
                #expect(error as? AsyncSemaphore.Refusal == .canceled)
            }
        }
        try await semaphore.enter()
    }
}

/// The tasks that are currently admitted.
private actor Crowd {
    private var now = 0
    /// The maximum number of concurrent tasks.
    private(set) var most = 0

    func come() {
        now += 1
        most = max(most, now)
    }

    func go() { now -= 1 }
}
