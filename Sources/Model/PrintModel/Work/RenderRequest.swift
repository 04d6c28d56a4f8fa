// Pages of a prepared PDF that are to become pixels for a printer.

/// Some pages of a prepared PDF, to be made into what the printer takes.
///
/// Several workers share a long document: each makes some of its pages.
public struct RenderRequest: Hashable, Sendable, Codable {
    /// The path of the prepared PDF; what is made appears beside it (`DeliveryFormat.files`).
    public var document: String
    /// The pages to make, counted from 1.
    public var pages: ClosedRange<Int>
    /// How many pages the prepared PDF has.
    public var pageCount: Int
    /// What is made.
    public var delivery: DeliveryFormat
    /// What the printer is asked to do with it, which formats of pixels say of each page.
    public var options: DeviceOptions
    /// How many bytes of the part's file are finished; what is there beyond them is written over.
    package var offset = 0
    /// The path of the part's file; nil for the file that is made (`files`).
    package var partFile: String?
    /// The pages that cannot be drawn in the usual way.
    package var detours: [Int: RenderingFallback] = [:]
    /// Whether the request fails when a page cannot be drawn (IPP `ipp-attribute-fidelity`); if not, the page shows a notice
    /// instead.
    public var requiresFidelity: Bool
    /// Whom the work is done for; a pool of workers takes turns by it.
    public var origin: WorkOrigin?

    /// A request.
    public init(
        document: String, pages: ClosedRange<Int>, pageCount: Int, delivery: DeliveryFormat, options: DeviceOptions,
        requiresFidelity: Bool = false
    ) {
        self.document = document
        self.pages = pages
        self.pageCount = pageCount
        self.delivery = delivery
        self.options = options
        self.requiresFidelity = requiresFidelity
    }

    /// The paths of all that is made.
    public var files: [String] { delivery.files(of: document, pages: pageCount) }
}

/// What `render` made.
public struct RenderedDocument: Hashable, Sendable, Codable {
    /// The length of what was made, in bytes.
    public var bytes: Int
    /// What was replaced or left out, a sentence each, for people.
    public var notices: [String]

    /// What was made.
    public init(bytes: Int, notices: [String] = []) {
        self.bytes = bytes
        self.notices = notices
    }
}
