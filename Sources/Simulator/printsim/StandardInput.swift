// The end of standard input, by which a program that was started for another one learns that it is gone.

import Glibc

enum StandardInput {
    /// Waits until standard input has ended, or the task is cancelled; what comes before is thrown away.
    static func untilEnd() async {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        // Reading blocks a thread; it has one of its own, which may go on until the process ends.
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
