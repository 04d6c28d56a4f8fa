// What is to be done to a document's pages before a printer gets them.

/// How pages become the sides of sheets: everything that the printer does not do itself.
///
/// Made by `JobTicket.plan(for:)`, carried out by the worker's `prepare`. Each option is either here or in
/// `DeviceOptions`, never in both, so nothing is applied twice.
public struct Imposition: Hashable, Sendable, Codable {
    /// The pages to print, of each document.
    public var pageRanges: PageRanges
    /// First page first, or last.
    public var pageOrder: PageOrder
    /// How many copies to lay out here; 1 when the printer makes the copies.
    public var copies: Int
    /// With several copies laid out here: 1,2,3,1,2,3 rather than 1,1,2,2,3,3.
    public var collated: Bool
    /// How many pages share a side.
    public var numberUp: NumberUp
    /// The paper the sides are made for.
    public var paper: PrintPaper
    /// How pages are fitted onto the paper or their cell.
    public var scaling: PrintScaling
    /// How content lies on the paper; nil turns each page to suit the paper.
    public var orientation: Orientation?
    /// The sides that the printer will print on: with two, each copy and document is padded to full sheets.
    public var duplex: Duplex
    /// The first side to make, over all copies, from 1; sheets before the one that holds it are left out.
    public var firstImpression: Int

    /// An imposition that changes no more than asked.
    public init(
        paper: PrintPaper, pageRanges: PageRanges = .all, pageOrder: PageOrder = .normal, copies: Int = 1,
        collated: Bool = true, numberUp: NumberUp = .one, scaling: PrintScaling = .auto,
        orientation: Orientation? = nil, duplex: Duplex = .none, firstImpression: Int = 1
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
    }

    /// Where the sheets to make begin.
    public var resumePoint: ResumePoint {
        ResumePoint(impression: firstImpression, sidesPerSheet: duplex == .none ? 1 : 2)
    }
}

/// What the printer is asked to do itself.
public struct DeviceOptions: Hashable, Sendable, Codable {
    /// How many copies the printer makes.
    public var copies: Int
    /// With several copies: in sets, rather than page by page (`multiple-document-handling`).
    public var collated: Bool
    /// On which sides it prints.
    public var duplex: Duplex
    /// On which paper.
    public var paper: PrintPaper
    /// In colour or not.
    public var colorMode: ColorMode
    /// How well; nil is the printer's own default.
    public var quality: PrintQuality?
    /// From which tray, an IPP `media-source` keyword; nil lets the printer choose.
    public var mediaSource: String?
    /// How the printer fits pages onto the paper; nil leaves it to the printer.
    ///
    /// A prepared document has the paper's size already: it is to be printed as it is.
    public var scaling: PrintScaling?
    /// When it cuts its roll; nil as it does by itself.
    public var trimming: Trimming?
    /// How fine it prints (IPP `printer-resolution`); nil leaves it to the printer.
    public var resolution: RasterResolution?

    /// Options for the printer.
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
