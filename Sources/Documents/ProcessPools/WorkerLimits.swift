// The resource limits of a worker.

/// The resource limits for one request.
///
/// A worker that exceeds a limit ends. The defaults are far above the needs of normal documents. For example, a color
/// page of A3 at 600 dpi requires 280 MB.
public struct WorkerLimits: Hashable, Sendable, Codable {
    /// The maximum size of the worker's address space, in bytes.
    ///
    /// Libraries and thread stacks require 100 to 200 MB before the first page, even if the libraries and threads are
    /// not used.
    public var memoryBytes: Int
    /// The maximum CPU time of all threads together, in seconds, at least 1.
    public var processorSeconds: Int
    /// The maximum CPU time for each page with the first renderer, in seconds, at least 1.
    ///
    /// A page that exceeds this time is drawn with the second renderer, which can use half of `processorSeconds`.
    public var pageSeconds: Int
    /// The maximum wall-clock time of the request, in seconds.
    ///
    /// The limit applies to all attempts together (`WorkTime`). The time spent waiting for other requests does not
    /// count.
    public var wallSeconds: Int
    /// The maximum size of each file that the worker writes, in bytes.
    public var outputBytes: Int
    /// The maximum number of open files.
    public var openFiles: Int

    /// Creates resource limits.
    ///
    /// Omitted arguments have default values.
    public init(
        memoryBytes: Int = 1 << 30, processorSeconds: Int = 120, pageSeconds: Int = 10, wallSeconds: Int = 300,
        outputBytes: Int = 2 << 30, openFiles: Int = 256
    ) {
        self.memoryBytes = memoryBytes
        self.processorSeconds = processorSeconds
        self.pageSeconds = pageSeconds
        self.wallSeconds = wallSeconds
        self.outputBytes = outputBytes
        self.openFiles = openFiles
    }
}
