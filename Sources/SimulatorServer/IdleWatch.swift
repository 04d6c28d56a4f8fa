// When nobody needs the printers any more.

package import IPP
package import PrintIPP
import Synchronization

/// Passes requests on, and knows when none has come for a while.
///
///     let watch = IdleWatch(operations)                    // the server's responder
///     await watch.untilIdle(for: .seconds(900)) { await service.isBusy }
package final class IdleWatch: IPPResponder {
    private let responder: any IPPResponder
    private let clock: any Clock<Duration>
    private let requests = Mutex((total: 0, open: 0))

    /// A watch over what `responder` is asked.
    package init(_ responder: any IPPResponder, clock: any Clock<Duration> = ContinuousClock()) {
        self.responder = responder
        self.clock = clock
    }

    /// The responder's answer.
    package func respond(to request: IPPRequest) async -> Message {
        requests.withLock {
            $0.total += 1
            $0.open += 1
        }
        defer { requests.withLock { $0.open -= 1 } }
        return await responder.respond(to: request)
    }

    /// The responder's answer, in parts.
    package func answer(to request: IPPRequest) async -> IPPAnswer {
        requests.withLock {
            $0.total += 1
            $0.open += 1
        }
        defer { requests.withLock { $0.open -= 1 } }
        return await responder.answer(to: request)
    }

    /// Returns when no request has come and nothing was to be done for the given time, or the task is cancelled.
    ///
    /// It looks ten times in that span, so it may take a tenth longer.
    package func untilIdle(for span: Duration, isBusy: () async -> Bool) async {
        var quiet = 0
        var seen = 0
        while quiet < 10 {
            do { try await clock.sleep(for: span / 10) } catch { return }
            let (total, open) = requests.withLock { $0 }
            let isQuiet = total == seen && open == 0
            seen = total
            quiet = if isQuiet, await !isBusy() { quiet + 1 } else { 0 }
        }
    }
}
