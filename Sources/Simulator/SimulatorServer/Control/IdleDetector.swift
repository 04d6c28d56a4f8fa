// When nobody needs the printers any more.

package import IPP
package import PrintIPP
import Synchronization

/// Passes requests on, and knows when none has come for a while.
///
///     let watch = IdleDetector(operations)                    // the server's responder
///     await watch.untilIdle(for: .seconds(900)) { await service.isBusy }
///
/// The printd that printers belong to has them leave when it ends (``untilLetGo(isBusy:)``).
package final class IdleDetector: IPPResponder {
    private struct State {
        var total = 0
        var open = 0
        /// Who has let the printers go: the number of its process; nil when nobody has, or somebody has come since.
        var letGoBy: Int32?
    }

    private let responder: any IPPResponder
    private let clock: any Clock<Duration>
    private let requests = Mutex(State())
    private let (letGo, lettingGo) = AsyncStream.makeStream(of: Void.self)

    /// A watch over what `responder` is asked.
    package init(_ responder: any IPPResponder, clock: any Clock<Duration> = ContinuousClock()) {
        self.responder = responder
        self.clock = clock
    }

    /// Returns the responder's answer.
    package func answer(to request: IPPRequest) async -> IPPAnswer {
        if let process = Self.processThatLetsGo(request) { return IPPAnswer(note(process, request)) }
        begin(request)
        defer { requests.withLock { $0.open -= 1 } }
        return await responder.answer(to: request)
    }

    private func begin(_ request: IPPRequest) {
        requests.withLock { state in
            state.total += 1
            state.open += 1
            // What the one that ends still asks on its way out is no reason to stay.
            if state.letGoBy != request.peer.process { state.letGoBy = nil }
        }
    }

    /// The process that says, on the Unix socket, that it needs the printers no more.
    private static func processThatLetsGo(_ request: IPPRequest) -> Int32? {
        guard request.message.operation == .controlPrinter,
            request.message[.operation]?.strings("printq-care") == ["leave"]
        else { return nil }
        return request.peer.process
    }

    private func note(_ process: Int32, _ request: IPPRequest) -> Message {
        requests.withLock { $0.letGoBy = process }
        lettingGo.yield()
        return request.message.reply(.successfulOk)
    }

    /// Returns when no request has come and nothing was to be done for the given time, or the task is cancelled.
    ///
    /// It looks ten times in that span, so it may take a tenth longer.
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

    /// Returns when the printers have been let go and have nothing to do, or the task is cancelled.
    ///
    /// `printd` requests the end by `controlPrinter` with the word `leave`, on the Unix socket. A later request of another
    /// process cancels it. To be called once.
    package func untilLetGo(isBusy: () async -> Bool) async {
        for await _ in letGo {
            while isLetGo {
                if await !isBusy(), isLetGo { return }
                do { try await clock.sleep(for: .milliseconds(200)) } catch { return }
            }
        }
    }

    private var isLetGo: Bool { requests.withLock { $0.letGoBy != nil } }
}

extension Peer {
    /// The process at the other end of a Unix socket; nil on TCP.
    fileprivate var process: Int32? { if case .unix(_, _, let pid) = self { pid } else { nil } }
}
