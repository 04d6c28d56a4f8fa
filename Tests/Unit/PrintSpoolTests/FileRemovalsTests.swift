import Synchronization
import Testing

@testable import PrintSpool

/// Tests of the removal of files after the response.
struct FileRemovalsTests {
    /// How often the removal of each job has run.
    private final class Counts: Sendable {
        let byJob = Mutex([Int](repeating: 0, count: 40_000))
    }

    @Test(.timeLimit(.minutes(1)))
    func `each removal runs once, and each wait ends, while several tasks add removals`() async {
        let (removals, files) = (FileRemovals(), Files(system: POSIXFileSystem()))
        let counts = Counts()
        await withDiscardingTaskGroup { group in
            for task in 0..<4 {
                group.addTask {
                    for job in stride(from: task, to: 40_000, by: 4) {
                        removals.add([job], in: files) { counts.byJob.withLock { $0[job] += 1 } }
                        await removals.finish(of: job)
                    }
                }
            }
        }
        #expect(counts.byJob.withLock { $0.allSatisfy { $0 == 1 } })
    }
}
