// Waits for the end of standard input, which shows that the parent process has exited.

import AsyncPrimitives
import Glibc

enum StandardInputEnd {
    /// Waits until standard input ends or the task is canceled.
    ///
    /// Input before the end is discarded.
    static func wait() async {
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        // read() blocks, so it runs in a separate thread, which may run until the process exits.
        let code = DedicatedThread.start {
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = read(STDIN_FILENO, &buffer, buffer.count)
                if count == 0 || (count < 0 && errno != EINTR) { break }
            }
            end.finish()
        }
        guard code == 0 else { return }
        for await _ in ended {}
    }
}
