// Detects when the printers are no longer in use.

import IPP
package import PrintIPP
import Synchronization

/// A responder that forwards requests and detects when no request has arrived for some time.
///
///     let watch = IdleDetector(operations)                    // the server's responder
///     await watch.untilIdle(for: .seconds(900)) { await service.isBusy }
///
/// If `printd` has started the printers, `printd` stops the printers before exiting (``untilReleased(isBusy:)``).
package final class IdleDetector: IPPResponder {
    private struct State {
        var total = 0
        var open = 0
        /// The process ID of the client that has released the printers; nil if no client has released the printers, or
        /// if another client has sent a request after the release.
        var letGoBy: Int32?
    }

    private let responder: any IPPResponder
    private let clock: any Clock<Duration>
    private let requests = Mutex(State())
    private let (stopWhenIdle, lettingGo) = AsyncStream.makeStream(of: Void.self)

    package init(_ responder: any IPPResponder, clock: any Clock<Duration> = ContinuousClock()) {
        self.responder = responder
        self.clock = clock
    }

    /// The detector itself responds to a request that releases the printers.
    package func answer(to request: IPPRequest) async -> IPPAnswer {
        if let process = Self.releasingProcess(request) { return IPPAnswer(note(process, request)) }
        let end = begin(by: request.peer.process)
        defer { end() }
        return await responder.answer(to: request)
    }

    /// Returns a responder that forwards requests to the given responder.
    ///
    /// The detector counts these requests as requests to the printers.
    package func counting(_ responder: any IPPResponder) -> any IPPResponder {
        CountedResponder(responder: responder, detector: self)
    }

    /// Counts a request as in progress until the returned closure is called.
    package func begin(by process: Int32? = nil) -> @Sendable () -> Void {
        requests.withLock { state in
            state.total += 1
            state.open += 1
            // Requests of the process that has released the printers do not cancel the release.
            if state.letGoBy != process { state.letGoBy = nil }
        }
        return { [self] in requests.withLock { $0.open -= 1 } }
    }

    private struct CountedResponder: IPPResponder {
        let responder: any IPPResponder
        let detector: IdleDetector

        func answer(to request: IPPRequest) async -> IPPAnswer {
            let end = detector.begin()
            defer { end() }
            return await responder.answer(to: request)
        }
    }

    /// Returns the ID of the client process if the request releases the printers; otherwise nil.
    ///
    /// Only a request on the Unix socket can release the printers.
    private static func releasingProcess(_ request: IPPRequest) -> Int32? {
        guard request.message.operation == .controlPrinter,
            request.message[.operation]?.strings("printq-control") == ["leave"]
        else { return nil }
        return request.peer.process
    }

    private func note(_ process: Int32, _ request: IPPRequest) -> Message {
        requests.withLock { $0.letGoBy = process }
        lettingGo.yield()
        return request.message.reply(.successfulOk)
    }

    /// Waits until the given time has passed without a request and without an active job, or until the task is
    /// canceled.
    ///
    /// The function checks the state ten times during the given time. Therefore the function can return late by up to a
    /// tenth of that time.
    package func untilIdle(for span: Duration, isBusy: () async -> Bool) async {
        var quiet = 0
        var seen = 0
        while quiet < 10 {
            do { try await clock.sleep(for: span / 10) } catch { return }
            let (total, open) = requests.withLock { ($0.total, $0.open) }
            let isQuiet = total == seen && open == 0
            seen = total
            quiet = if isQuiet, await !isBusy() { quiet + 1 } else { 0 }
        }
    }

    /// Waits until the printers have been released and have no jobs, or until the task is canceled.
    ///
    /// Call this function only once.
    ///
    /// `printd` releases the printers by sending `controlPrinter` with the word `leave` on the Unix socket. A later
    /// request of another process cancels the release.
    package func untilReleased(isBusy: () async -> Bool) async {
        for await _ in stopWhenIdle {
            while isLetGo {
                if await !isBusy(), isLetGo { return }
                do { try await clock.sleep(for: .milliseconds(200)) } catch { return }
            }
        }
    }

    private var isLetGo: Bool { requests.withLock { $0.letGoBy != nil } }
}

extension Peer {
    fileprivate var process: Int32? { if case .unix(_, _, let pid) = self { pid } else { nil } }
}
