// Where a worker's answers go, kept clean of everything else that is printed.

import FoundationEssentials
import Glibc
import PrintModel
import Synchronization

/// Writes a worker's lines, whole, one after the other, from any thread.
final class ReplyChannel: Sendable {
    private let descriptor: Mutex<CInt>

    private init(descriptor: CInt) { self.descriptor = Mutex(descriptor) }

    /// Takes standard output for itself; what libraries print there goes to standard error from now on.
    static func takingStandardOutput() -> ReplyChannel {
        let descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard descriptor >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else { _exit(1) }
        return ReplyChannel(descriptor: descriptor)
    }

    /// Writes a line.
    ///
    /// Ends the process when nobody reads it.
    func send(_ line: WorkerLine) {
        descriptor.withLock { Self.write(line, to: $0) }
    }

    /// Writes the last line and ends the process; nothing is said after it.
    func end(_ line: WorkerLine) -> Never {
        descriptor.withLock { descriptor in
            Self.write(line, to: descriptor)
            // Not exit(): other threads may be at work, and there is nothing left to put in order.
            if case .failed = line { _exit(1) }
            _exit(0)
        }
    }

    private static func write(_ line: WorkerLine, to descriptor: CInt) {
        guard var bytes = try? JSONEncoder().encode(line) else { _exit(1) }
        bytes.append(UInt8(ascii: "\n"))
        bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { _exit(1) }
                rest = rest.dropFirst(count)
            }
        }
    }
}
