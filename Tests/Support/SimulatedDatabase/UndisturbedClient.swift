// A process that uses the simulated server on the machine of a test.

import Foundation
package import Synchronization

/// A client of a simulated server whose requests all arrive, unless the test sets other results.
///
/// Its work runs step by step on a queue, because a write can start the next write after a lost connection.
package final class UndisturbedClient: SimulatedDatabaseServer.Client {
    private let steps = DispatchQueue(label: "UndisturbedClient")
    /// The results of the next commits.
    package let fates = Mutex<[SimulatedDatabaseServer.CommitFate]>([])
    /// A function that runs between the work of the server and its answer.
    package let beforeAnswer = Mutex<@Sendable () -> Void>({})

    package init() {}

    package var failure: MemoryDatabase.CommitFailure? { nil }
    package func schedule(_ work: @escaping @Sendable () -> Void) { steps.async(execute: work) }
    package func willCommit() -> MemoryDatabase.CommitFailure? { nil }
    package func didCommit() {}
    package func connect(_ work: @escaping @Sendable (Bool) -> Void) { steps.async { work(true) } }
    package func notify(_ work: @escaping @Sendable () -> Void) {}
    package func wait(_ seconds: Double, _ work: @escaping @Sendable () -> Void) {}
    package func read(_ path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map(Array.init) }

    package var isStopped: Bool { false }
    package func start(_ transaction: @escaping @Sendable () -> Void) { transaction() }
    package func isInterrupted(beforeChange isChange: Bool) -> Bool { false }

    package func request(arrive: @escaping @Sendable () -> Void, answer: @escaping @Sendable (Bool) -> Void) {
        arrive()
        beforeAnswer.withLock { $0 }()
        answer(true)
    }

    package func fateOfCommit() -> SimulatedDatabaseServer.CommitFate {
        fates.withLock { $0.isEmpty ? .answered : $0.removeFirst() }
    }
}
