// What a person asked for when printing.

/// The print options of a job, as they were asked for; nil leaves an option to the printer.
///
/// The ticket is kept with the job unchanged. What it means for a printer is `plan(for:)`.
public struct JobTicket: Hashable, Sendable, Codable {
    /// How many copies (IPP `copies`).
    public var copies: Int?
    /// Which pages (IPP `page-ranges`).
    public var pageRanges: PageRanges?
    /// On which sides (IPP `sides`).
    public var duplex: Duplex?
    /// On which medium (IPP `media`, `media-col`).
    public var media: Media?
    /// Of which kind of paper (IPP `media-type` of `media-col`).
    public var mediaType: String?
    /// From which tray (IPP `media-source` of `media-col`).
    public var mediaSource: String?
    /// How the content lies (IPP `orientation-requested`).
    public var orientation: Orientation?
    /// How many pages a side (IPP `number-up`).
    public var numberUp: NumberUp?
    /// How pages are fitted (IPP `print-scaling`).
    public var scaling: PrintScaling?
    /// Colour or grey (IPP `print-color-mode`).
    public var colorMode: ColorMode?
    /// How good (IPP `print-quality`).
    public var quality: PrintQuality?
    /// How many dots per inch are printed (IPP `printer-resolution`).
    public var resolution: RasterResolution?
    /// When a roll is cut (IPP `finishings`).
    public var trimming: Trimming?
    /// What kind of content (UIKit's output type; IPP `print-content-optimize`).
    public var outputType: OutputType?
    /// What printing is best for, as the client sent it (IPP `print-content-optimize`); it is kept and changes nothing.
    public var contentOptimization: String?
    /// How colors are matched, as the client sent it (IPP `print-rendering-intent`); it is kept and changes nothing.
    public var renderingIntent: String?
    /// First page first, or last.
    public var pageOrder: PageOrder?
    /// Copies in sets (IPP `multiple-document-handling`).
    public var collated: Bool?
    /// 1…100, the higher the sooner (IPP `job-priority`, RFC 8011 §5.2.1).
    public var priority: Int?
    /// Until when the job is held (IPP `job-hold-until`).
    public var holdUntil: HoldUntil?
    /// Whether the documents are kept when the job has ended, so that it can be printed once more; nil leaves it to the
    /// queue (IPP `job-retain-until`, PWG 5100.7-2023; false is its `none`).
    public var keepsDocuments: Bool?
    /// Whether the job is aborted when a page cannot be printed as it is (IPP `ipp-attribute-fidelity`); otherwise a page
    /// with a notice takes its place, and the job ends with a warning.
    public var requiresFidelity: Bool?
    /// The spools that sent the job on before it came here, by their identities, the first one first; nil for a job that comes
    /// from a client (`printq-forwarded-by`).
    public var forwardedBy: [String]?

    /// A ticket that asks for nothing.
    public init() {}
}

/// Until when a job is held (IPP `job-hold-until`, RFC 8011 §5.2.2, and CUPS' times).
public enum HoldUntil: Hashable, Sendable, Codable {
    /// It is not held (`no-hold`).
    case noHold
    /// Until someone releases it (`indefinite`).
    case indefinite
    /// Until a moment, in seconds since 1970.
    case time(UnixTime)
}

/// A moment, in seconds since 1970-01-01 00:00 UTC.
public typealias UnixTime = Double
