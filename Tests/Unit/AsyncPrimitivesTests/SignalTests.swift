import AsyncPrimitives
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SignalTests {
    @Test func `a signal resumes all waiting tasks, and 'wait()' returns immediately after the signal`() async {
        let signal = Signal()
        await withDiscardingTaskGroup { group in
            for _ in 0..<10 { group.addTask { await signal.wait() } }
            signal.give()
            signal.give()
        }
        await signal.wait()
        #expect(signal.isGiven)
    }

    @Test func `a canceled task does not wait for a signal`() async {
        let signal = Signal()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await signal.wait()
        }
        await task.value
        #expect(!signal.isGiven)
    }

    @Test func `if a task is canceled at any moment, the task stops waiting for a signal`() async {
        let signal = Signal()
        for _ in 0..<2_000 {
            let task = Task { await signal.wait() }
            task.cancel()
            await task.value
        }
        #expect(!signal.isGiven)
    }
}
