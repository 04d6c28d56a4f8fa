import AsyncPrimitives
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SignalTests {
    @Test func `everyone who waits hears the signal, early or late`() async {
        let signal = Signal()
        await withDiscardingTaskGroup { group in
            for _ in 0..<10 { group.addTask { await signal.wait() } }
            signal.give()
            signal.give()
        }
        await signal.wait()
        #expect(signal.isGiven)
    }

    @Test func `a wait in a task that is cancelled already returns`() async {
        let signal = Signal()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await signal.wait()
        }
        await task.value
        #expect(!signal.isGiven)
    }

    @Test func `a cancel at whatever moment ends the wait`() async {
        let signal = Signal()
        for _ in 0..<2_000 {
            let task = Task { await signal.wait() }
            task.cancel()
            await task.value
        }
        #expect(!signal.isGiven)
    }
}
