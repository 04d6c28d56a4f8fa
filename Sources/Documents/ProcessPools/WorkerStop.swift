// The reasons to stop a process, and the processor time of a process.

package import Glibc
package import PrintModel

/// The reason why the spooler stopped a worker.
package enum WorkerStop: Equatable, Sendable {
    case canceled
    case outOfTime
    /// A process whose files exceed the limit on their total size or number.
    case outOfSpace
    /// A process that wrote more messages than the limit allows.
    case tooManyMessages
}

extension ProcessorTime {
    /// Returns the processor time that a process has used before it is reaped, in seconds.
    package static func seconds(of process: pid_t) -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

extension WorkError {
    /// The error for a document whose preparation has used its whole time limit in several attempts.
    package static func timeUsedUp(_ activity: String, tool: String?) -> WorkError {
        let work = "\(activity) the document" + (tool.map { " with \($0)" } ?? "")
        return WorkError(
            .timeExceeded,
            "\(work) took too long: the attempts to prepare the document have used its whole time limit; "
                + "print fewer pages at a time, or raise worker.wallSeconds")
    }
}
