// Ends a wait when the user presses Control-C.

import AsyncPrimitives
import Dispatch
import Glibc

/// Runs the closure `body` until the closure returns, or until SIGINT or SIGTERM arrives.
///
/// If a signal arrives first, the function cancels the task of `body`, waits until the task has finished, and returns
/// nil.
func untilInterrupted<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value? {
    let interrupted = Signal()
    let sources = [SIGINT, SIGTERM].map { number in
        signal(number, SIG_IGN)
        let (source, isObserved) = (DispatchSource.makeSignalSource(signal: number), Signal())
        source.setEventHandler { interrupted.give() }
        source.setRegistrationHandler { isObserved.give() }
        source.resume()
        return (source: source, isObserved: isObserved)
    }
    // Until the sources observe the signals, a signal is lost; the work begins only afterwards.
    for (_, isObserved) in sources { await isObserved.wait() }
    defer { for (source, _) in sources { source.cancel() } }
    return await withTaskGroup(of: Value?.self) { group in
        group.addTask { await body() }
        group.addTask {
            await interrupted.wait()
            return nil
        }
        let first = await group.next() ?? nil
        group.cancelAll()
        await group.waitForAll()
        return first
    }
}
