// Defines the processing of a document's pages before printing.

/// The layout of pages on the sides of sheets, with all options that the printer does not apply.
///
/// `JobTicket.plan(for:)` creates the imposition. A worker applies the imposition to the documents of a
/// `PrepareRequest`.
///
/// Each option is applied by the imposition or by the printer (`DeviceOptions`), but never by both.
public struct Imposition: Hashable, Sendable, Codable {
    /// The selected pages of each document, or of the whole sequence if the documents are printed as a single document.
    public var pageRanges: PageRanges
    /// The order of the pages.
    ///
    /// Printing starts with the first page or with the last page.
    public var pageOrder: PageOrder
    /// The number of copies in the prepared document; 1 when the printer makes the copies.
    public var copies: Int
    /// Whether several copies in the prepared document are collated: 1,2,3,1,2,3 instead of 1,1,2,2,3,3.
    public var collated: Bool
    /// The number of pages on each side.
    public var numberUp: NumberUp
    /// The paper on which the pages are laid out.
    public var paper: PrintPaper
    /// The scaling of pages to the paper or to their cells.
    public var scaling: PrintScaling
    /// The orientation of content on the paper.
    ///
    /// If the value is nil, each page is rotated to fit the paper.
    public var orientation: Orientation?
    /// The sides of the sheets to print on.
    ///
    /// For two-sided printing, each copy of each document is padded to full sheets.
    public var duplex: Duplex
    /// The placement of documents that are printed as a single document; nil for separate documents.
    public var documentJoining: DocumentJoining?
    /// The booklet; nil if the sheets are not folded.
    public var booklet: Booklet?
    /// The poster; nil if each page fits on a sheet.
    public var poster: Poster?
    /// The texts that are printed on the pages in addition to the page content; nil for no texts.
    public var texts: PageTexts?
    /// The side of the job that must be printed first, counted from 1 over all copies.
    ///
    /// The prepared document begins with the sheet that contains this side. Earlier sheets are omitted.
    public var firstImpression: Int

    /// Creates an imposition.
    ///
    /// The defaults change the pages as little as possible.
    public init(
        paper: PrintPaper, pageRanges: PageRanges = .all, pageOrder: PageOrder = .normal, copies: Int = 1,
        collated: Bool = true, numberUp: NumberUp = .one, scaling: PrintScaling = .auto,
        orientation: Orientation? = nil, duplex: Duplex = .none, firstImpression: Int = 1,
        documentJoining: DocumentJoining? = nil, booklet: Booklet? = nil, poster: Poster? = nil, texts: PageTexts? = nil
    ) {
        self.pageRanges = pageRanges
        self.pageOrder = pageOrder
        self.copies = copies
        self.collated = collated
        self.numberUp = numberUp
        self.paper = paper
        self.scaling = scaling
        self.orientation = orientation
        self.duplex = duplex
        self.firstImpression = firstImpression
        self.documentJoining = documentJoining
        self.booklet = booklet
        self.poster = poster
        self.texts = texts
    }

    /// The number of cells on each side.
    public var pagesPerSide: Int { booklet == nil ? numberUp.count : 2 }

    /// The number of sides for each page; 1 if each page fits on a side.
    public var sidesPerPage: Int { poster?.sheets ?? 1 }

    /// The point in the job at which the prepared sheets start.
    ///
    /// The job resumes at this point.
    public var resumePoint: ResumePoint {
        ResumePoint(impression: firstImpression, sidesPerSheet: duplex == .none ? 1 : 2)
    }
}

/// The options that the printer applies.
public struct DeviceOptions: Hashable, Sendable, Codable {
    /// The number of copies that the printer makes.
    public var copies: Int
    /// Whether several copies are collated (`multiple-document-handling`).
    public var collated: Bool
    /// The sides of the sheets to print on.
    public var duplex: Duplex
    /// The paper to print on.
    public var paper: PrintPaper
    /// The color mode in which the printer prints.
    public var colorMode: ColorMode
    /// The print quality; nil means the printer's default.
    public var quality: PrintQuality?
    /// The tray, an IPP `media-source` keyword.
    ///
    /// If the value is nil, the printer chooses the tray.
    public var mediaSource: String?
    /// The scaling of pages to the paper.
    ///
    /// If the value is nil, the printer chooses the scaling.
    ///
    /// A prepared document already has the size of the paper, so the printer must not scale the document.
    public var scaling: PrintScaling?
    /// The points at which a paper roll is cut; nil means the printer's default.
    public var trimming: Trimming?
    /// The resolution (IPP `printer-resolution`).
    ///
    /// If the value is nil, the printer chooses the resolution.
    public var resolution: RasterResolution?

    /// Creates options that the printer applies.
    public init(
        paper: PrintPaper, copies: Int = 1, collated: Bool = true, duplex: Duplex = .none,
        colorMode: ColorMode = .auto, quality: PrintQuality? = nil, mediaSource: String? = nil,
        scaling: PrintScaling? = nil,
        trimming: Trimming? = nil, resolution: RasterResolution? = nil
    ) {
        self.copies = copies
        self.collated = collated
        self.duplex = duplex
        self.paper = paper
        self.colorMode = colorMode
        self.quality = quality
        self.mediaSource = mediaSource
        self.scaling = scaling
        self.trimming = trimming
        self.resolution = resolution
    }
}
