// The resource limits of a worker.

/// The resource limits for one request.
///
/// The worker ends when it exceeds a limit.
///
/// The defaults are far above the needs of normal documents: a color page of A3 at 600 dpi needs 280 MB.
public struct WorkerLimits: Hashable, Sendable, Codable {
    /// The address space of the worker in bytes.
    ///
    /// Libraries and thread stacks count, even if they are not used: 100 to 200 MB before the first page.
    public var memoryBytes: Int
    /// The processor time of all threads together, in seconds.
    ///
    /// At least 1.
    public var processorSeconds: Int
    /// The processor time for each page with the first renderer, in seconds.
    ///
    /// At least 1.
    ///
    /// A page that takes longer is drawn with the second renderer, which can use half of `processorSeconds`.
    public var pageSeconds: Int
    /// The wall-clock time from the start of the request, in seconds.
    ///
    /// The time spent waiting for other requests does not count.
    public var wallSeconds: Int
    /// The maximum size of each file that the worker writes, in bytes.
    public var outputBytes: Int
    /// The maximum number of open files.
    public var openFiles: Int

    /// Creates limits.
    ///
    /// Omitted values have their defaults.
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
