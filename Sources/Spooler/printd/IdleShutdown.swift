// Ends printd when it is idle.

import IPP
import Logging
import PrintIPP
import PrintModel
import PrintSpool
import ServiceLifecycle
import Synchronization

/// A responder that forwards requests to another responder, and records the time of the last request.
final class Activity: IPPResponder {
    private struct State {
        var inProgress = 0
        var last = ContinuousClock.now
    }

    private let responder: any IPPResponder
    private let state = Mutex(State())

    init(responder: any IPPResponder) { self.responder = responder }

    func answer(to request: IPPRequest) async -> IPPAnswer {
        var answer = await noting { await responder.answer(to: request) }
        if let more = answer.more {
            answer.more = { [self] in try await noting(more) }
        }
        return answer
    }

    /// Runs `body`, and counts a request as in progress while `body` runs.
    private func noting<Result, Failure>(_ body: () async throws(Failure) -> Result) async throws(Failure) -> Result {
        state.withLock { $0.inProgress += 1 }
        defer {
            state.withLock {
                $0.inProgress -= 1
                $0.last = .now
            }
        }
        return try await body()
    }

    /// Counts a request as in progress until the returned closure is called.
    func begin() -> @Sendable () -> Void {
        state.withLock { $0.inProgress += 1 }
        return { [self] in
            state.withLock {
                $0.inProgress -= 1
                $0.last = .now
            }
        }
    }

    /// The time since the end of the last request; zero while a request is in progress.
    var quiet: Duration { state.withLock { $0.inProgress > 0 ? .zero : $0.last.duration(to: .now) } }
}

/// A service that ends the spooler after an idle time without jobs and without requests.
struct IdleShutdown: Service {
    let seconds: Double
    let activity: Activity
    let spool: Spool
    let logger: Logger

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                let left = Duration.seconds(seconds) - activity.quiet
                if left <= .zero, try await spool.jobs(JobFilter(.notCompleted), in: JobListRange(limit: 1)).isEmpty {
                    logger.info("exiting: there are no jobs and no requests")
                    return
                }
                let pause = max(left, .seconds(min(1, seconds)))
                guard (try? await Task.sleep(for: pause)) != nil else { return }
            }
        }
    }
}
