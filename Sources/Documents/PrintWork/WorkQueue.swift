// Where requests wait for a place in the pool.

import FoundationEssentials
import Glibc
import PrintModel
import Synchronization

/// Lets requests through in the order of `WorkScheduler`.
final class WorkQueue: Sendable {
    /// The request was canceled while it waited; it has no place to give back.
    struct Canceled: Error {}

    private struct State {
        var turns: WorkScheduler
        var lastID = 0
        var continuations: [Int: CheckedContinuation<Bool, Never>] = [:]
        /// Requests that were canceled before they came to wait.
        var canceled: Set<Int> = []
    }

    private let state: Mutex<State>

    /// A queue before so many places.
    init(places: Int) { state = Mutex(State(turns: WorkScheduler(places: places))) }

    /// Waits for a place for a request, and returns the number by which `leave` gives the place back.
    func enter(_ request: WorkerRequest) async throws(Canceled) -> Int {
        let (origin, isSmall) = (request.origin, request.isSmall)
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

    /// Gives a place back.
    func leave(_ id: Int) {
        let next = state.withLock { state in
            state.turns.leave(id).compactMap { state.continuations.removeValue(forKey: $0) }
        }
        for continuation in next { continuation.resume(returning: true) }
    }
}

extension WorkerRequest {
    /// Whom it is made for.
    var origin: WorkOrigin? {
        switch self {
        case .probe, .inspect: nil
        case .prepare(let request): request.origin
        case .render(let request): request.origin
        case .rasterize(let request): request.origin
        }
    }

    /// Whether it probably takes less than a second: the documents are not large, and the pages to draw are few.
    var isSmall: Bool {
        let pages =
            switch self {
            case .probe, .inspect, .prepare: 0
            case .render(let request): request.pages.count
            case .rasterize(let request):
                switch request.part {
                case .everything: Int.max
                case .images(let images): images.count
                case .sheets: 0
                }
            }
        return pages <= Self.mostPagesOfSmall && inputs.reduce(0) { $0 + Self.size(of: $1) } <= Self.mostBytesOfSmall
    }

    private static let mostBytesOfSmall = 1 << 20
    private static let mostPagesOfSmall = 8

    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
