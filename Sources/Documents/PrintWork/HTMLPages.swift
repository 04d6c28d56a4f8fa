// What the HTML engine is told, and what comes of it.

/// HTML laid out on pages.
public struct HTMLPages: Hashable, Sendable {
    /// A PDF with a page for each page, as large as the room there was.
    public var pdf: [UInt8]
    /// How many pages it has; at least one.
    public var pageCount: Int
    /// How far down the content of the last page reaches, in points.
    public var lastPageHeight: Double
    /// What was left out and why, in words: resources that were refused or could not be had.
    public var notes: [String]
    /// The links on its pages.
    public var links: [Link] = []
    /// The places that links lead to.
    public var anchors: [Anchor] = []
}

/// What one HTML document may use up before its layout is given up.
///
/// The defaults leave a wide margin over what honest documents need: 1,000 pages of text take some 50 s of processor time
/// and 500 MB.
public struct HTMLLimits: Hashable, Sendable, Codable {
    /// The address space of the engine, in bytes; its libraries need some 400 MB of it before the first page.
    public var memoryBytes: Int
    /// The processor time, in seconds.
    public var processorSeconds: Int
    /// The time on the wall, in seconds; waiting for other documents does not count.
    public var wallSeconds: Double
    /// How many pages it may have.
    public var pages: Int
    /// The size of the PDF, in bytes.
    public var outputBytes: Int
    /// The size of the HTML itself, in bytes.
    public var inputBytes: Int

    /// Limits; what is not given is the default.
    public init(
        memoryBytes: Int = 2 << 30, processorSeconds: Int = 120, wallSeconds: Double = 180, pages: Int = 2000,
        outputBytes: Int = 256 << 20, inputBytes: Int = 64 << 20
    ) {
        self.memoryBytes = memoryBytes
        self.processorSeconds = processorSeconds
        self.wallSeconds = wallSeconds
        self.pages = pages
        self.outputBytes = outputBytes
        self.inputBytes = inputBytes
    }
}
