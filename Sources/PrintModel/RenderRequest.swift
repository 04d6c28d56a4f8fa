// Pages of a prepared PDF that are to become pixels for a printer.

/// Some pages of a prepared PDF, to be made into what the printer takes.
///
/// A long document is rendered in parts, each by a worker of its own: every part goes on where the one before ended.
public struct RenderRequest: Hashable, Sendable, Codable {
    /// The path of the prepared PDF; what is made appears beside it (`DeliveryFormat.files`).
    public var document: String
    /// The pages of this part, counted from 1.
    public var pages: ClosedRange<Int>
    /// How many pages all parts have together.
    public var pageCount: Int
    /// What is made.
    public var delivery: DeliveryFormat
    /// What the printer is asked to do with it, which formats of pixels say of each page.
    public var options: DeviceOptions
    /// How many bytes the parts before this one have made; what is there beyond them is written over.
    public var offset: Int
    /// Whether the request fails when a page cannot be drawn (IPP `ipp-attribute-fidelity`); if not, the page shows a notice
    /// instead.
    public var requiresFidelity: Bool

    /// A request.
    public init(
        document: String, pages: ClosedRange<Int>, pageCount: Int, delivery: DeliveryFormat, options: DeviceOptions,
        offset: Int = 0, requiresFidelity: Bool = false
    ) {
        self.document = document
        self.pages = pages
        self.pageCount = pageCount
        self.delivery = delivery
        self.options = options
        self.offset = offset
        self.requiresFidelity = requiresFidelity
    }

    /// The paths of all that is made.
    public var files: [String] { delivery.files(of: document, pages: pageCount) }
}

/// What `render` made.
public struct RenderedDocument: Hashable, Sendable, Codable {
    /// The bytes of the file so far; of images, those of the part's.
    public var bytes: Int
    /// What was replaced or left out, a sentence each, for people.
    public var notices: [String]

    /// What was made.
    public init(bytes: Int, notices: [String] = []) {
        self.bytes = bytes
        self.notices = notices
    }
}

extension DeliveryFormat {
    /// The parts in which pages are rendered, so that none takes longer than a worker may.
    public func parts(of pageCount: Int, on media: Media) -> [ClosedRange<Int>] {
        guard let pixels, pageCount > 0 else { return [] }
        let (width, height) = pixels.resolution.pixels(of: media)
        let length = max(1, Self.mostPixels / max(1, width * height))
        return stride(from: 1, through: pageCount, by: length).map { $0...min($0 + length - 1, pageCount) }
    }

    /// The most pixels of a part: about a hundred pages of A4 at 300 dpi.
    private static let mostPixels = 1_000_000_000
}
