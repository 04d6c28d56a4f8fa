import AsyncPrimitives
import Dispatch
import Glibc
import PrintTestSupport
import Synchronization
import Testing

@testable import PrintBackends

/// Tests of threads for blocking calls, and of timers that do not depend on a thread pool.
@Suite(.timeLimit(.minutes(1)))
struct BlockingThreadTests {
    @Test func `in debug builds, a check of a folder on the thread of an event loop stops the program`() async {
        await #expect(processExitsWith: .failure) {
            BlockingCall.forbidOnThisThread()
            try? FolderFiles(folder: "/").check()
        }
    }

    /// A call that blocks until the other end of a pipe is closed.
    private final class Block: Sendable {
        private let ends: (reading: Int32, writing: Int32)

        init() {
            var pair: [Int32] = [0, 0]
            pipe(&pair)
            ends = (pair[0], pair[1])
        }

        deinit { close(ends.reading) }

        func wait() {
            var byte: UInt8 = 0
            _ = read(ends.reading, &byte, 1)
        }

        func open() { close(ends.writing) }
    }

    private func value(of thread: BlockingThreads) async -> Bool {
        await withCheckedContinuation { continuation in
            if !thread.async({ continuation.resume(returning: true) }) { continuation.resume(returning: false) }
        }
    }

    @Test
    func `300 blocked threads do not delay timers, the shared thread pool or calls on a thread that is not blocked`()
        async throws
    {
        let block = Block()
        defer { block.open() }
        let threads = (0..<300).map { _ in BlockingThreads() }
        for thread in threads { #expect(thread.async { block.wait() }) }
        #expect(await value(of: BlockingThreads()))
        await withCheckedContinuation { continuation in
            DeadlineTimer.shared.schedule(after: 0.01) { continuation.resume() }
        }
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume() }
        }
    }

    @Test func `calls on a blocking thread run in the order of submission, even after a pause`() async throws {
        let thread = BlockingThreads()
        let seen = Mutex<[Int]>([])
        for number in 1...100 { #expect(thread.async { seen.withLock { $0.append(number) } }) }
        #expect(await value(of: thread))
        #expect(seen.withLock { $0 } == Array(1...100))
        #expect(await value(of: thread))
    }

    @Test func `the alarms of a timer fire in order of time, and canceled alarms do not fire`() async throws {
        let rung = Mutex<[Int]>([])
        // The earliest and the latest possible time of each alarm, because this task can be interrupted at any time.
        var times: [Int: ClosedRange<ContinuousClock.Instant>] = [:]
        let clock = DeadlineTimer()
        let start = ContinuousClock.now
        await withCheckedContinuation { continuation in
            for number in (1...50).reversed() {
                let (delay, before) = (Duration.milliseconds(2 * number), ContinuousClock.now)
                clock.schedule(after: Double(number) * 0.002) { rung.withLock { $0.append(number) } }
                times[number] = (before + delay)...(.now + delay)
            }
            for number in 1...200 {
                clock.cancel(clock.schedule(after: Double(number) * 0.0005) { rung.withLock { $0.append(-number) } })
            }
            clock.schedule(after: 0.12) { continuation.resume() }
        }
        let fired = rung.withLock { $0 }
        #expect(fired.sorted() == Array(1...50))
        for (earlier, later) in zip(fired, fired.dropFirst()) {
            #expect(try #require(times[earlier]).lowerBound <= #require(times[later]).upperBound)
        }
        #expect(.now - start >= .milliseconds(120) && clock.count == 0)
    }
}
