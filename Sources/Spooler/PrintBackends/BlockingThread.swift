// A thread for blocking calls.

import Glibc

/// A dedicated thread that runs blocking calls in order.
///
/// libdispatch has at most 255 threads for all queues of a process, and Swift's timers use these threads too. Three
/// hundred printers that accept connections but never respond would block all 255 threads. A blocking thread belongs to
/// one connection or one folder. The thread starts with the first call, and ends after two seconds without a call, or
/// after the call of `finish`.
///
/// `@unchecked Sendable`: mutable state is accessed only with the monitor's lock held.
final class BlockingThread: @unchecked Sendable {
    private let monitor = Monitor()
    private var calls: [@Sendable () -> Void] = []
    /// Whether the thread is running.
    private var isRunning = false
    /// Whether the thread ends as soon as it has no calls.
    private var isFinished = false

    /// Creates a blocking thread.
    ///
    /// The thread starts with the first call.
    init() {}

    /// The time in seconds without a call after which the thread ends.
    private static let patience = 2.0
    /// The stack size of the thread in bytes.
    ///
    /// libcups and GnuTLS need up to 128 KiB.
    private static let stackBytes = 512 << 10

    /// The number of waiting and running calls.
    var load: Int { monitor.locked { calls.count + (isBusy ? 1 : 0) } }
    private var isBusy = false

    /// Adds a call, which runs after all earlier calls.
    ///
    /// - Returns: `false` if the thread cannot be started. In that case the call is discarded.
    func async(_ call: @escaping @Sendable () -> Void) -> Bool {
        monitor.locked {
            calls.append(call)
            if isRunning {
                monitor.wake()
                return true
            }
            isRunning = start()
            if !isRunning { calls.removeAll() }
            return isRunning
        }
    }

    /// Ends the thread after the calls that were added.
    ///
    /// A later call starts the thread again.
    func finish() {
        monitor.locked {
            isFinished = true
            monitor.wake()
        }
    }

    private func start() -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, Self.stackBytes)
        var thread = pthread_t()
        let own = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, &attributes,
            { argument in
                if let argument { Unmanaged<BlockingThread>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, own.toOpaque())
        if code != 0 { own.release() }
        return code == 0
    }

    private func run() {
        while let call = next() { call() }
    }

    /// Waits for the next call and returns that call.
    ///
    /// The result is nil if the thread must end.
    private func next() -> (@Sendable () -> Void)? {
        monitor.locked {
            isBusy = false
            let end = Monitor.moment(in: Self.patience)
            while calls.isEmpty {
                guard !isFinished, Monitor.now < end else {
                    isRunning = false
                    return nil
                }
                monitor.wait(until: end)
            }
            isBusy = true
            return calls.removeFirst()
        }
    }
}
