import PrintScheduler
import Testing

@Suite(.timeLimit(.minutes(1)))
struct StopSignalTests {
    @Test func `everyone who waits hears the request, early or late`() async {
        let signal = StopSignal()
        await withDiscardingTaskGroup { group in
            for _ in 0..<10 { group.addTask { await signal.wait() } }
            signal.request()
            signal.request()
        }
        await signal.wait()
        #expect(signal.isRequested)
    }

    @Test func `a wait in a task that is cancelled already returns`() async {
        let signal = StopSignal()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await signal.wait()
        }
        await task.value
        #expect(!signal.isRequested)
    }

    @Test func `a cancel at whatever moment ends the wait`() async {
        let signal = StopSignal()
        for _ in 0..<2_000 {
            let task = Task { await signal.wait() }
            task.cancel()
            await task.value
        }
        #expect(!signal.isRequested)
    }
}
