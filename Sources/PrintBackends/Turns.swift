// How many requests of a transport are on their way at one time.

import IPPClient
import Synchronization

/// Gives out so many turns; whoever finds none waits in line, and the line has an end.
final class Turns: Sendable {
    private struct State {
        var free: Int
        var line: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
        var next = 0
        var canceled: Set<Int> = []
    }

    private let state: Mutex<State>
    private let longest: Int

    init(most: Int, waiting: Int) {
        state = Mutex(State(free: most))
        longest = waiting
    }

    /// Waits for a turn.
    func take(of address: IPPAddress) async throws(IPPClientError) {
        let number = state.withLock { state -> Int in
            state.next += 1
            return state.next
        }
        let hasTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if state.canceled.remove(number) != nil { return false }
                    if state.free > 0 {
                        state.free -= 1
                        return true
                    }
                    guard state.line.count < longest else { return false }
                    state.line.append((number, continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            leave(number)
        }
        state.withLock { _ = $0.canceled.remove(number) }
        if hasTurn { return }
        if Task.isCancelled { throw .canceled(sent: false) }
        throw IPPClientError(
            .timedOut, "\(longest) requests wait already for \(address) to answer", mayHaveBeenReceived: false)
    }

    /// Passes a turn on to who has waited longest.
    func giveBack() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            if state.line.isEmpty {
                state.free += 1
                return nil
            }
            return state.line.removeFirst().continuation
        }
        next?.resume(returning: true)
    }

    private func leave(_ number: Int) {
        let leaving = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard let index = state.line.firstIndex(where: { $0.number == number }) else {
                state.canceled.insert(number)
                return nil
            }
            return state.line.remove(at: index).continuation
        }
        leaving?.resume(returning: false)
    }
}
