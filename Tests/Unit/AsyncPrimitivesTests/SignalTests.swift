import AsyncPrimitives
import Testing

@Suite(.timeLimit(.minutes(1)))
struct SignalTests {
    @Test func `all tasks receive the signal, whether they wait before or after the signal is given`() async {
        let signal = Signal()
        await withDiscardingTaskGroup { group in
            for _ in 0..<10 { group.addTask { await signal.wait() } }
            signal.give()
            signal.give()
        }
        await signal.wait()
        #expect(signal.isGiven)
    }

    @Test func `waiting for a signal in a canceled task returns`() async {
        let signal = Signal()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await signal.wait()
        }
        await task.value
        #expect(!signal.isGiven)
    }

    @Test func `canceling a task at any moment ends the wait for a signal`() async {
        let signal = Signal()
        for _ in 0..<2_000 {
            let task = Task { await signal.wait() }
            task.cancel()
            await task.value
        }
        #expect(!signal.isGiven)
    }
}
