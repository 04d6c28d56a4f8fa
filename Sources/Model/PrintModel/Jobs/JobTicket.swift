// Defines the print options that a user requested for a job.

/// The requested print options of a job.
///
/// If an option is nil, the default of the printer or of the converter applies.
///
/// The spooler stores the unchanged ticket with the job. `plan(for:)` applies the ticket to a printer.
public struct JobTicket: Hashable, Sendable, Codable {
    /// The number of copies (IPP `copies`).
    public var copies: Int?
    /// The pages to print (IPP `page-ranges`).
    public var pageRanges: PageRanges?
    /// The sides to print on (IPP `sides`).
    public var duplex: Duplex?
    /// The medium (IPP `media`, `media-col`).
    public var media: Media?
    /// Whether the paper has no margins (`media-*-margin` of `media-col`, or `Fullbleed` in a name of a PPD file).
    ///
    /// If the value is nil, the type of content determines whether the paper has margins.
    public var isBorderless: Bool?
    /// The type of paper (IPP `media-type` of `media-col`).
    public var mediaType: String?
    /// The tray (IPP `media-source` of `media-col`).
    public var mediaSource: String?
    /// The output bin (IPP `output-bin`).
    public var outputBin: String?
    /// The orientation of the content (IPP `orientation-requested`).
    public var orientation: Orientation?
    /// The number of pages on each side (IPP `number-up`).
    public var numberUp: NumberUp?
    /// The scaling of pages (IPP `print-scaling`).
    public var scaling: PrintScaling?
    /// The size of the printed pages in percent of their original size (CUPS `scaling`); nil for `scaling`.
    public var scalePercent: Int?
    /// Whether the sides are mirrored (CUPS `mirror`).
    public var isMirrored: Bool?
    /// The printed sides: the odd or the even sides (CUPS `page-set`); nil for all sides.
    public var pageSet: PageSet?
    /// The color mode (IPP `print-color-mode`).
    public var colorMode: ColorMode?
    /// The print quality (IPP `print-quality`).
    public var quality: PrintQuality?
    /// The resolution in dots per inch (IPP `printer-resolution`).
    public var resolution: RasterResolution?
    /// The points at which a paper roll is cut (IPP `finishings`).
    public var trimming: Trimming?
    /// The type of content (UIKit's output type; `output-type`).
    public var outputType: OutputType?
    /// The optimization that the client requested (IPP `print-content-optimize`).
    ///
    /// printq stores the value, but does not use it.
    public var contentOptimization: String?
    /// The rendering intent that the client requested (IPP `print-rendering-intent`).
    ///
    /// printq stores the value, but does not use it.
    public var renderingIntent: String?
    /// The layout of text and source code; the converter chooses the values that are nil.
    public var text: TextOptions?
    /// The order of the pages.
    ///
    /// Printing starts with the first page or with the last page.
    public var pageOrder: PageOrder?
    /// Whether copies are collated (IPP `multiple-document-handling`).
    public var collated: Bool?
    /// The placement of documents that are printed as a single document; nil for separate documents (IPP
    /// `multiple-document-handling`).
    public var documentJoining: DocumentJoining?
    /// Whether the pages are printed as a booklet (IPP `imposition-template` = `signature`).
    public var isBooklet: Bool?
    /// The maximum number of sheets that are folded together; 0 for all sheets (`printq-booklet-signature-size`).
    public var bookletSignatureSheets: Int?
    /// The edge at which the booklet is bound (`printq-booklet-binding`).
    public var bookletBinding: Booklet.Binding?
    /// The printed sides of the booklet's sheets: fronts, backs or both (`printq-booklet-sides`).
    public var bookletSides: Booklet.Sides?
    /// The poster that is printed for each page; nil for no posters (`printq-poster`).
    public var poster: Poster?
    /// The overlap of neighboring sheets of a poster (`printq-poster-overlap`).
    public var posterOverlap: Length?
    /// The position of page numbers; nil for no page numbers (`printq-page-numbers`).
    public var pageNumbers: PageNumberPosition?
    /// The format of page numbers (`printq-page-number-format`).
    public var pageNumberFormat: PageNumberFormat?
    /// The text of the watermark (`printq-watermark`).
    public var watermark: String?
    /// The position of the watermark relative to the content (`printq-watermark-layer`).
    public var watermarkLayer: WatermarkLayer?
    /// The text at the upper edge of each page (`printq-page-header`).
    public var pageHeader: String?
    /// The sheets before and after the documents (IPP `job-sheets`).
    public var coverSheets: CoverSheets?
    /// The priority, 1 to 100; higher values print first (IPP `job-priority`, RFC 8011 §5.2.1).
    public var priority: Int?
    /// The time until which the job is held (IPP `job-hold-until`).
    public var holdUntil: HoldUntil?
    /// Whether the documents are kept after the job ends, so that the job can be reprinted.
    ///
    /// If the value is nil, the settings of the queue apply. In IPP, false is `job-retain-until` with the value `none`
    /// (PWG 5100.7-2023).
    public var keepsDocuments: Bool?
    /// Whether the job is aborted when a page cannot be printed unchanged (IPP `ipp-attribute-fidelity`).
    ///
    /// If the value is false, the printer prints a notice instead of the page, and the job ends with a warning.
    public var requiresFidelity: Bool?
    /// The identities of the spools that forwarded the job, in the order of forwarding; nil for a job that a client
    /// submitted (`printq-forwarded-by`).
    public var forwardedBy: [String]?
    /// Whether the spool keeps the password of a document until the job ends (`document-password`); nil for no password.
    ///
    /// The ticket never contains the password.
    package var hasDocumentPassword: Bool?
    /// The time until which the job waits for its password (`job-password`); nil for a job without a password.
    ///
    /// The ticket never contains the password.
    package var passwordExpiresAt: UnixTime?
    /// The groups of the owner whose quotas limit the job; nil if no quota limited the job when it was submitted.
    package var limitedGroups: [String]?
    /// The requested options that printq does not apply, regardless of the printer; nil for none.
    ///
    /// `PrintPlan.conflicts` lists the options that the printer does not support.
    package var unapplied: [UnappliedOption]?

    /// Creates a ticket without print options.
    public init() {}
}

/// A requested option that is not applied.
package struct UnappliedOption: Hashable, Sendable, Codable {
    /// The name of the IPP attribute.
    package var option: String
    /// The reason, as a sentence for users.
    package var reason: String

    package init(option: String, reason: String) { (self.option, self.reason) = (option, reason) }
}

/// The time until which a job is held (IPP `job-hold-until`, RFC 8011 §5.2.2, and the times that CUPS supports).
public enum HoldUntil: Hashable, Sendable, Codable {
    case noHold
    /// A hold until a user releases the job (`indefinite`).
    case indefinite
    /// A hold until a time, in seconds since 1970.
    case time(UnixTime)
}

/// A time in seconds since 1970-01-01 00:00 UTC.
public typealias UnixTime = Double
