// Runs blocking functions on separate threads.

import Glibc

enum Thread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Runs the blocking function `body` on a separate thread, so that the function does not block the shared pool of
    /// threads.
    static func result<Value: Sendable>(of body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in detached { continuation.resume(returning: body()) } }
    }

    private static func detached(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Work(body))
        let code = pthread_create(
            &thread, nil,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        if code == 0 {
            pthread_detach(thread)
        } else {
            work.takeRetainedValue().body()  // no thread available: run on the current thread
        }
    }
}
