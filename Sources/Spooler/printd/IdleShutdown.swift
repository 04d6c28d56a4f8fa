// Leaving when nobody is there.

import IPP
import Logging
import PrintIPP
import PrintModel
import PrintSpool
import ServiceLifecycle
import Synchronization

/// Answers requests through another responder, and remembers when the last one was.
final class Activity: IPPResponder {
    private struct State {
        var inHand = 0
        var last = ContinuousClock.now
    }

    private let responder: any IPPResponder
    private let state = Mutex(State())

    init(responder: any IPPResponder) { self.responder = responder }

    func answer(to request: IPPRequest) async -> IPPAnswer {
        var answer = await noting { await responder.answer(to: request) }
        if let more = answer.more {
            answer.more = { [self] () async throws(IPPFailure) in try await noting(more) }
        }
        return answer
    }

    /// Does something that somebody waits for.
    private func noting<Result, Failure>(_ body: () async throws(Failure) -> Result) async throws(Failure) -> Result {
        state.withLock { $0.inHand += 1 }
        defer {
            state.withLock {
                $0.inHand -= 1
                $0.last = .now
            }
        }
        return try await body()
    }

    /// How long nobody has asked for anything; zero while somebody does.
    var quiet: Duration { state.withLock { $0.inHand > 0 ? .zero : $0.last.duration(to: .now) } }
}

/// Ends the spooler when there is no job and nobody has asked for anything for a while.
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
                    logger.info("leaving: there is nothing to do")
                    return
                }
                let pause = max(left, .seconds(min(1, seconds)))
                guard (try? await Task.sleep(for: pause)) != nil else { return }
            }
        }
    }
}
