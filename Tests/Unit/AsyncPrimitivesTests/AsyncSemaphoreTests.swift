import AsyncPrimitives
import Testing

@Suite(.timeLimit(.minutes(1)))
struct AsyncSemaphoreTests {
    @Test func `no more are through at a time than there are places`() async throws {
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

    @Test func `whoever comes when as many wait as may is refused`() async throws {
        let semaphore = AsyncSemaphore(places: 1, waiting: 0)
        try await semaphore.enter()
        await #expect(throws: AsyncSemaphore.Refusal.crowded) { try await semaphore.enter() }
        semaphore.leave()
        try await semaphore.enter()
    }

    @Test func `a cancel at whatever moment loses no place`() async throws {
        let semaphore = AsyncSemaphore(places: 1)
        for _ in 0..<1_000 {
            try await semaphore.enter()
            let waiting = Task {
                try await semaphore.enter()
                semaphore.leave()
            }
            waiting.cancel()
            semaphore.leave()
            // Let through or refused, whichever came first.
            if case .failure(let error) = await waiting.result {
                #expect(error as? AsyncSemaphore.Refusal == .canceled)
            }
        }
        try await semaphore.enter()
    }
}

/// Those who are through.
private actor Crowd {
    private var now = 0
    /// As many as there ever were at a time.
    private(set) var most = 0

    func come() {
        now += 1
        most = max(most, now)
    }

    func go() { now -= 1 }
}
