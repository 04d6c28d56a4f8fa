import AsyncPrimitives
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DeadlineTests {
    @Test func `if work ends within the time limit, the result of the work is returned`() async {
        #expect(await outcome(within: .seconds(3600)) { 7 } == 7)
    }

    @Test func `if work exceeds the time limit, the work is canceled, and nil is returned after the work has ended`()
        async
    {
        let stopped = Signal()
        let answer = await outcome(within: .milliseconds(1)) {
            await Signal().wait()  // until the task is canceled
            stopped.give()
            return 7
        }
        #expect(answer == nil)
        #expect(stopped.isGiven)
    }

    @Test func `a canceled task does not wait for the deadline`() async {
        let task = Task { await outcome(within: .seconds(3600)) { await Signal().wait() } != nil }
        task.cancel()
        _ = await task.value
        #expect(task.isCancelled)
    }
}
