import AsyncPrimitives
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DeadlineTests {
    @Test func `work that ends in time gives what it gives`() async {
        #expect(await outcome(within: .seconds(3600)) { 7 } == 7)
    }

    @Test func `work that takes longer is cancelled, and has ended when nil is given`() async {
        let stopped = Signal()
        let answer = await outcome(within: .milliseconds(1)) {
            await Signal().wait()  // until it is cancelled
            stopped.give()
            return 7
        }
        #expect(answer == nil)
        #expect(stopped.isGiven)
    }

    @Test func `whoever is cancelled waits for no deadline`() async {
        let task = Task { await outcome(within: .seconds(3600)) { await Signal().wait() } != nil }
        task.cancel()
        _ = await task.value
        #expect(task.isCancelled)
    }
}
