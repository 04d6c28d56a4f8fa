// Waits for the end of standard input, which shows that the parent process has exited.

import Glibc

enum StandardInputEnd {
    /// Waits until standard input ends or the task is canceled.
    ///
    /// Input before the end is discarded.
    static func wait() async {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        // read() blocks, so it runs in a separate thread, which may run until the process exits.
        let box = Unmanaged.passRetained(Box { end.finish() })
        var thread = pthread_t()
        let started = pthread_create(
            &thread, nil,
            { box in
                var buffer = [UInt8](repeating: 0, count: 4096)
                while true {
                    let count = read(STDIN_FILENO, &buffer, buffer.count)
                    if count == 0 || (count < 0 && errno != EINTR) { break }
                }
                if let box { Unmanaged<Box>.fromOpaque(box).takeRetainedValue().tell() }
                return nil
            }, box.toOpaque())
        guard started == 0 else { return box.release() }
        for await _ in ended {}
    }

    private final class Box: Sendable {
        let tell: @Sendable () -> Void

        init(_ tell: @escaping @Sendable () -> Void) { self.tell = tell }
    }
}
