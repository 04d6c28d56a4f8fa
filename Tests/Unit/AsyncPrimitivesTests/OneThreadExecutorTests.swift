import AsyncPrimitives
import Dispatch
import Glibc
import Testing

@Suite(.timeLimit(.minutes(1)))
struct OneThreadExecutorTests {
    @Test func `a task and its child tasks run on the calling thread, also after they have waited`() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let caller = pthread_self()
            OneThreadExecutor.run {
                let threads = await withTaskGroup(of: pthread_t.self) { group in
                    for number in 1...20 {
                        group.addTask {
                            if number.isMultiple(of: 2) { await Task.yield() }
                            // Another thread continues the task.
                            await withCheckedContinuation { waiting in
                                DispatchQueue.global().async { waiting.resume() }
                            }
                            return pthread_self()
                        }
                    }
                    return await group.reduce(into: Set<pthread_t>()) { $0.insert($1) }
                }
                exit(threads == [caller] ? 7 : 8)
            }
        }
    }

    @Test func `the program exits with the code 0 when the task ends`() async {
        await #expect(processExitsWith: .success) { OneThreadExecutor.run {} }
    }
}
