// Ends a wait when the user presses Control-C.

import ArgumentParser
import AsyncPrimitives
import Dispatch
import Glibc
import Synchronization

/// Runs the closure `body` until the closure returns, or until SIGINT or SIGTERM arrives.
///
/// If a signal arrives first, the function cancels the task of `body`, and waits until the task has finished.
///
/// - Throws: After a signal, the exit code with which a shell reports the signal: 130 after SIGINT, 143 after SIGTERM.
func untilInterrupted<Value: Sendable>(
    _ body: @escaping @Sendable () async -> Value
) async throws(ExitCode) -> Value {
    let interrupted = Signal()
    let arrived = FirstSignal()
    let sources = [SIGINT, SIGTERM].map { number in
        signal(number, SIG_IGN)
        let (source, isObserved) = (DispatchSource.makeSignalSource(signal: number), Signal())
        source.setEventHandler {
            arrived.note(number)
            interrupted.give()
        }
        source.setRegistrationHandler { isObserved.give() }
        source.resume()
        return (source: source, isObserved: isObserved)
    }
    // Until the sources observe the signals, a signal is lost; the work begins only afterwards.
    for (_, isObserved) in sources { await isObserved.wait() }
    defer { for (source, _) in sources { source.cancel() } }
    let value = await withTaskGroup(of: Value?.self) { group in
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
    guard let value else { throw ExitCode(128 + arrived.number) }
    return value
}

private final class FirstSignal: Sendable {
    private let first = Mutex<Int32?>(nil)

    var number: Int32 { first.withLock { $0 } ?? SIGINT }

    func note(_ number: Int32) { first.withLock { $0 = $0 ?? number } }
}
