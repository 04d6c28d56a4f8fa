// The queue of requests that wait for a worker.

import FoundationEssentials
import Glibc
package import PrintModel
import Synchronization

/// A queue that admits requests in the order that `WorkScheduler` determines.
final class WorkQueue: Sendable {
    /// An error for a request that was canceled before the request began.
    ///
    /// The caller of such a request must not call `leave`.
    struct Canceled: Error {}

    private struct State {
        var turns: WorkScheduler
        var lastID = 0
        var continuations: [Int: CheckedContinuation<Bool, Never>] = [:]
        /// The requests that were canceled before they started to wait.
        var canceled: Set<Int> = []
    }

    private let state: Mutex<State>

    /// Creates a queue for a number of concurrent requests.
    init(places: Int) { state = Mutex(State(turns: WorkScheduler(places: places))) }

    /// Waits until a request for the given printer and owner can begin, and returns the number to pass to `leave`.
    func enter(from origin: WorkOrigin?, isSmall: Bool) async throws(Canceled) -> Int {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let mayBegin = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let verdict: Bool? = state.withLock { state in
                    if state.canceled.remove(id) != nil { return false }
                    if state.turns.arrive(id, from: origin, isSmall: isSmall) { return true }
                    state.continuations[id] = continuation
                    return nil
                }
                if let verdict { continuation.resume(returning: verdict) }
            }
        } onCancel: {
            let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
                if state.turns.cancel(id) { return state.continuations.removeValue(forKey: id) }
                state.canceled.insert(id)
                return nil
            }
            continuation?.resume(returning: false)
        }
        state.withLock { _ = $0.canceled.remove(id) }
        if !mayBegin { throw Canceled() }
        return id
    }

    /// Ends a request and admits the next request.
    func leave(_ id: Int) {
        let next = state.withLock { state in
            state.turns.leave(id).compactMap { state.continuations.removeValue(forKey: $0) }
        }
        for continuation in next { continuation.resume(returning: true) }
    }
}

extension WorkerRequest {
    /// Whether the request probably takes less than a second, because its documents are small and few pages must be
    /// drawn.
    package var isSmall: Bool {
        // Reads a few parts of a document of any size.
        if case .identify = task { return true }
        let pages =
            switch task {
            case .render(let request): request.pages.count
            case .rasterize(let request):
                switch request.part {
                case .everything: Int.max
                case .images(let images): images.count
                case .sheets: 0
                }
            default: 0
            }
        return pages <= Self.mostPagesOfSmall
            && files.inputs.reduce(0) { $0 + Self.size(of: $1) } <= Self.mostBytesOfSmall
    }

    private static let mostBytesOfSmall = 1 << 20
    private static let mostPagesOfSmall = 8

    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
