// A thread for calls that block.

import Glibc

/// Runs calls that block, one after the other, on a thread of its own.
///
/// libdispatch has 255 threads for all queues of a process, and Swift's timers use these threads too. Three hundred printers
/// that accept connections and never answer would occupy all of them. A thread here belongs to one connection or one folder;
/// it starts with the first call and ends when there was none for two seconds.
///
/// `@unchecked Sendable`: what changes is changed with the monitor's lock held.
final class BlockingThread: @unchecked Sendable {
    private let monitor = Monitor()
    private var calls: [@Sendable () -> Void] = []
    /// Whether the thread exists.
    private var isRunning = false

    /// A thread that does not exist before its first call.
    init() {}

    /// How long the thread waits for another call, in seconds.
    private static let patience = 2.0
    /// The size of its stack: libcups and GnuTLS need up to 128 KiB.
    private static let stackBytes = 512 << 10

    /// How many calls wait for their turn, or are carried out.
    var load: Int { monitor.locked { calls.count + (isBusy ? 1 : 0) } }
    private var isBusy = false

    /// Has the thread carry out a call when those before it are done.
    ///
    /// - Returns: Whether there is a thread for it; false when the system gives no more threads, and nothing is done.
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

    /// The next call; nil ends the thread.
    private func next() -> (@Sendable () -> Void)? {
        monitor.locked {
            isBusy = false
            let end = Monitor.moment(in: Self.patience)
            while calls.isEmpty {
                guard Monitor.now < end else {
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
