// Sends the responses of a worker, separate from all other output.

import FoundationEssentials
import Glibc
package import PrintModel
import Synchronization

/// A channel for the response lines of a worker.
///
/// Any thread can use the channel.
package final class ReplyChannel: Sendable {
    private let descriptor: Mutex<CInt>

    private init(descriptor: CInt) { self.descriptor = Mutex(descriptor) }

    /// Reserves standard output for responses.
    ///
    /// The output of libraries goes to standard error.
    package static func takingStandardOutput() -> ReplyChannel {
        let descriptor = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        guard descriptor >= 0, dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 else { _exit(1) }
        return ReplyChannel(descriptor: descriptor)
    }

    /// Writes a response line.
    ///
    /// The function ends the process if the reader has closed the pipe.
    package func send(_ line: WorkerLine) {
        descriptor.withLock { Self.write(line, to: $0) }
    }

    /// Writes `line` as the last response line, and ends the process.
    package func end(_ line: WorkerLine) -> Never {
        descriptor.withLock { descriptor in
            Self.write(line, to: descriptor)
            // `exit()` is not used, because other threads may be running and no cleanup is necessary.
            if case .failed = line { _exit(1) }
            _exit(0)
        }
    }

    /// Starts a thread that ends the process after a delay, with `line` as the last response line.
    ///
    /// If another thread ends the process during the delay, `line` is not written.
    func end(_ line: WorkerLine, afterMilliseconds milliseconds: Int32) {
        let deadline = Unmanaged.passRetained(Deadline(milliseconds: milliseconds, line: line, replies: self))
        let wait: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
            guard let argument else { return nil }
            let deadline = Unmanaged<Deadline>.fromOpaque(argument).takeRetainedValue()
            poll(nil, 0, deadline.milliseconds)
            deadline.replies.end(deadline.line)
        }
        var thread = pthread_t()
        if pthread_create(&thread, nil, wait, deadline.toOpaque()) != 0 { deadline.release() }
    }

    /// The data for the thread that ends the process after a delay.
    private final class Deadline {
        let milliseconds: Int32
        let line: WorkerLine
        let replies: ReplyChannel

        init(milliseconds: Int32, line: WorkerLine, replies: ReplyChannel) {
            (self.milliseconds, self.line, self.replies) = (milliseconds, line, replies)
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
