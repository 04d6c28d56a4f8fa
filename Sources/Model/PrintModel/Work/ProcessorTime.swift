// Measures the processor time of a request to a document worker.

import Synchronization

/// The processor time that the worker processes of one request have used.
///
/// The caller of a worker sets `current` around the request. The worker adds each of its processes:
///
///     let time = ProcessorTime()
///     try await ProcessorTime.$current.withValue(time) { try await worker.rasterize(request) { _ in } }
package final class ProcessorTime: Sendable {
    /// The measurement of the request that the current task makes; nil if nobody measures the request.
    @TaskLocal package static var current: ProcessorTime?

    private let processes = Mutex<[@Sendable () -> Duration]>([])

    package init() {}

    /// Adds a process of the request.
    ///
    /// - Parameter used: A function that returns the processor time of the process until now, or until the end of the
    ///   process.
    package func add(_ used: @escaping @Sendable () -> Duration) { processes.withLock { $0.append(used) } }

    /// The processor time of all processes; nil if no process was added.
    package var used: Duration? {
        let processes = processes.withLock { $0 }
        return processes.isEmpty ? nil : processes.reduce(.zero) { $0 + $1() }
    }
}
