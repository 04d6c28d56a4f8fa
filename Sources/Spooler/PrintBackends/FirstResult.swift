// Resumes a continuation with the first of several results.

import Synchronization

/// A wrapper for a continuation that several tasks or threads can resume.
///
/// Only the first result resumes the continuation.
///
/// Later results are ignored.
final class FirstResult<Value: Sendable, Failure: Error>: Sendable {
    private enum State {
        case waiting
        case running(CheckedContinuation<Result<Value, Failure>, Never>)
        case over(Result<Value, Failure>?)
    }

    private let state = Mutex(State.waiting)

    func begin(_ continuation: CheckedContinuation<Result<Value, Failure>, Never>) {
        let early = state.withLock { state -> Result<Value, Failure>? in
            if case .over(let result?) = state {
                state = .over(nil)
                return result
            }
            state = .running(continuation)
            return nil
        }
        if let early { continuation.resume(returning: early) }
    }

    /// Resumes the continuation with a result; returns `false` if an earlier result has resumed the continuation.
    func end(_ result: Result<Value, Failure>) -> Bool {
        let (isFirst, waiting) = state.withLock {
            state -> (Bool, CheckedContinuation<Result<Value, Failure>, Never>?) in
            switch state {
            case .waiting:
                state = .over(result)
                return (true, nil)
            case .running(let continuation):
                state = .over(nil)
                return (true, continuation)
            case .over: return (false, nil)
            }
        }
        waiting?.resume(returning: result)
        return isFirst
    }
}
