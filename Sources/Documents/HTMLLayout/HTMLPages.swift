// The result of an HTML layout, and the limits for it.

package import ProcessPools

/// The result of laying out HTML on pages.
public struct HTMLPages: Hashable, Sendable {
    /// A PDF with the laid-out pages in the requested size.
    public var pdf: [UInt8]
    /// The number of pages, at least 1.
    public var pageCount: Int
    /// The distance from the top of the last page to the bottom of the page's content, in points.
    public var lastPageHeight: Double
    /// Messages about resources that were refused or not available.
    public var notes: [String]
    /// The links on the laid-out pages.
    public var links: [Link] = []
    /// The anchors that internal links can refer to.
    public var anchors: [Anchor] = []
}

/// The resource limits for the layout of one HTML document.
///
/// The defaults are far above the needs of normal documents. For example, 1,000 pages of text require about 50 s of CPU
/// time and 500 MB.
public struct HTMLLimits: Hashable, Sendable, Codable {
    /// The maximum size of the engine's address space, in bytes.
    ///
    /// The libraries of the engine need about 400 MB before the first page.
    public var memoryBytes: Int
    /// The maximum CPU time in seconds.
    public var processorSeconds: Int
    /// The maximum wall-clock time in seconds, without the time spent waiting for other documents.
    public var wallSeconds: Double
    /// The maximum number of pages.
    public var pages: Int
    /// The maximum size of the PDF in bytes.
    public var outputBytes: Int
    /// The maximum size of the HTML in bytes.
    public var inputBytes: Int
    /// The maximum number of requests for resources on the network, including redirects.
    ///
    /// Resources beyond this limit and the two following limits are left out, with a note.
    public var networkRequests: Int
    /// The maximum size of all resources from the network together, in bytes.
    public var networkBytes: Int
    /// The maximum time for all requests for resources on the network together, in seconds.
    public var networkSeconds: Int

    /// Creates resource limits.
    ///
    /// Omitted arguments have default values.
    public init(
        memoryBytes: Int = 2 << 30, processorSeconds: Int = 120, wallSeconds: Double = 180, pages: Int = 2000,
        outputBytes: Int = 256 << 20, inputBytes: Int = 64 << 20, networkRequests: Int = 200,
        networkBytes: Int = 64 << 20, networkSeconds: Int = 60
    ) {
        self.memoryBytes = memoryBytes
        self.processorSeconds = processorSeconds
        self.wallSeconds = wallSeconds
        self.pages = pages
        self.outputBytes = outputBytes
        self.inputBytes = inputBytes
        (self.networkRequests, self.networkBytes) = (networkRequests, networkBytes)
        self.networkSeconds = networkSeconds
    }
}

extension HTMLLimits {
    /// Creates the resource limits for documents that a spooler converts with the HTML engine.
    ///
    /// The engine needs more memory than the workers. The engine also keeps the PDF in memory.
    package init(_ limits: WorkerLimits) {
        let usual = HTMLLimits()
        self.init(
            memoryBytes: max(limits.memoryBytes, usual.memoryBytes), processorSeconds: limits.processorSeconds,
            wallSeconds: Double(limits.wallSeconds), outputBytes: min(limits.outputBytes, usual.outputBytes))
    }
}
