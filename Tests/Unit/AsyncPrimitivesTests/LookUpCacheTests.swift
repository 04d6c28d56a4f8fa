import AsyncPrimitives
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct LookUpCacheTests {
    /// A clock that a test moves, and the questions that were looked up.
    private final class World: Sendable {
        private let time = Mutex(ContinuousClock.now)
        let asked = Mutex<[String]>([])

        var now: ContinuousClock.Instant { time.withLock { $0 } }
        func pass(_ duration: Duration) { time.withLock { $0 += duration } }

        func cache(mostKnown: Int = 10) -> LookUpCache<String, Int> {
            LookUpCache(lifetime: .seconds(5), mostKnown: mostKnown, mostThreads: 2, now: { self.now }) { question in
                self.asked.withLock { asked in
                    asked.append(question)
                    return asked.count
                }
            }
        }
    }

    private let world = World()

    @Test func `a question is looked up again after the lifetime of the answer`() async {
        let cache = world.cache()
        #expect(await cache.answer(to: "a") == 1)
        world.pass(.milliseconds(4_999))
        #expect(await cache.answer(to: "a") == 1)
        world.pass(.milliseconds(1))
        #expect(await cache.answer(to: "a") == 2)
        #expect(await cache.answer(to: "b") == 3)
        #expect(world.asked.withLock { $0 } == ["a", "a", "b"])
    }

    @Test func `concurrent equal questions share one lookup`() async {
        let cache = world.cache()
        let answers = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { await cache.answer(to: "a") } }
            return await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(answers == [1])
    }

    @Test func `a full cache keeps the newest answer`() async {
        let cache = world.cache(mostKnown: 1)
        for question in ["a", "b", "b", "a"] { _ = await cache.answer(to: question) }
        #expect(world.asked.withLock { $0 } == ["a", "b", "a"])
    }
}
