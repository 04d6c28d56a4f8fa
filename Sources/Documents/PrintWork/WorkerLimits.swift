// How much a worker may take.

/// What one request may use up before its worker is ended.
///
/// The defaults leave a wide margin over what honest documents need: a page of A3 at 600 dpi in colour is 280 MB.
public struct WorkerLimits: Hashable, Sendable, Codable {
    /// The address space of the worker, in bytes.
    ///
    /// Libraries and the stacks of threads count, used or not: 100 to 200 MB before the first page.
    public var memoryBytes: Int
    /// The processor time, in seconds, of all threads together; at least 1.
    public var processorSeconds: Int
    /// The processor time for each page that is drawn in the usual way, in seconds; at least 1.
    ///
    /// A page that takes longer is drawn with the second renderer, which may take half of `processorSeconds`.
    public var pageSeconds: Int
    /// The wall-clock time, in seconds, from the request on; waiting for other requests does not count.
    public var wallSeconds: Int
    /// The size of any one file that it writes, in bytes.
    public var outputBytes: Int
    /// How many files it may have open.
    public var openFiles: Int

    /// Limits; what is not given is the default.
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
