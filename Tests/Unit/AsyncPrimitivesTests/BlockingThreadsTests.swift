import AsyncPrimitives
import Dispatch
import Glibc
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BlockingThreadsTests {
    @Test func `a task runs on the threads of its executor, also after each wait`() async throws {
        let threads = BlockingThreads(most: 2)
        let signal = Signal()
        let places = await withTaskExecutorPreference(threads) {
            var places = [BlockingCall.isSharedByTasks]
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await signal.wait() }
                group.addTask { signal.give() }
            }
            places.append(BlockingCall.isSharedByTasks)
            return places
        }
        #expect(places == [false, false])
        #expect(await Task.detached { BlockingCall.isSharedByTasks }.value)
    }

    @Test func `blocked calls occupy at most the given number of threads, and other calls wait for their end`() async {
        let threads = BlockingThreads(most: 3)
        let isOpen = DispatchSemaphore(value: 0)
        let (started, starts) = AsyncStream.makeStream(of: pthread_t.self)
        for _ in 0..<5 {
            #expect(
                threads.async {
                    starts.yield(pthread_self())
                    isOpen.wait()
                })
        }
        var events = started.makeAsyncIterator()
        var first: Set<pthread_t> = []
        for _ in 0..<3 { if let thread = await events.next() { first.insert(thread) } }
        #expect(first.count == 3 && threads.load == 5)
        for _ in 0..<5 { isOpen.signal() }
        for _ in 0..<2 { if let thread = await events.next() { #expect(first.contains(thread)) } }
        #expect(await threads.run { 7 } == 7)
    }

    @Test func `in debug builds, a blocking call on the thread of an event loop stops the program`() async {
        await #expect(processExitsWith: .failure) {
            BlockingCall.forbidOnThisThread()
            BlockingCall.check()
        }
    }

    @Test func `in debug builds, a blocking call on a thread that tasks share stops the program`() async {
        await #expect(processExitsWith: .failure) {
            BlockingCall.forbidInTasks()
            await Task.detached { BlockingCall.check() }.value
        }
    }

    @Test func `the thread of an event loop may not block, and other threads may`() async {
        let loop = BlockingThreads()
        let before = await loop.run { BlockingCall.mayBlock }
        await loop.run { BlockingCall.forbidOnThisThread() }
        let after = await loop.run { BlockingCall.mayBlock }
        #expect(before && !after)
        #expect(await BlockingThreads().run { BlockingCall.mayBlock })
    }
}
