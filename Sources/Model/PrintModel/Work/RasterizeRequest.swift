// Defines the request to convert documents into page images.

/// A request to convert documents into page images that show how a simulated printer prints the documents.
public struct RasterizeRequest: Hashable, Sendable, Codable {
    /// The first document, in a format that the simulated printer supports.
    package var document: InputDocument
    /// The documents that are printed after `document`.
    ///
    /// Each document starts on a new sheet.
    package var others: [InputDocument]
    /// The paper on which all pages are printed, except pages after a sheet change (`sheetChanges`).
    package var paper: PrintPaper
    /// The resolution of the images, in dots per inch.
    package var resolution: Int
    package var monochrome: Bool
    /// A printer that receives a whole document prints all pages.
    package var pageRanges: PageRanges
    /// The existing folder for `page-0001.png`, `page-0002.png` and so on.
    package var outputFolder: String
    /// The path of the PDF that shows all printed sides in the order of the output bin; nil if the request creates no
    /// PDF.
    ///
    /// The file name is `sheets.pdf`.
    package var sheets: String?
    /// The number of copies in the PDF `sheets`.
    package var copies: Int
    package var collated: Bool
    /// For two-sided printing, each copy starts on a new sheet.
    package var duplex: Duplex
    /// The orientation of an image on the paper; nil to choose the orientation in which the image is printed larger.
    ///
    /// Documents that consist of pages already contain an orientation.
    package var orientation: Orientation?
    /// The orientation of the backs in a raster document.
    package var sheetBack: SheetBack
    /// Raster documents are printed unscaled.
    package var scaling: PrintScaling
    /// The changes of the sheet size during the job, each with the number of the first page image that has the new
    /// size.
    package var sheetChanges: [SheetChange]
    /// Whether the last sheet is on top of the stack in the output bin.
    ///
    /// If true, the PDF `sheets` starts with the last sheet.
    package var isStackReversed: Bool
    /// Whether the edge of the printable area is drawn on the images.
    package var overlay: Bool
    /// Whether the request fails when a page cannot be drawn (IPP `ipp-attribute-fidelity`).
    ///
    /// If false, the page's image shows a notice.
    package var requiresFidelity: Bool
    /// The printer and the owner of the job for which the request is made; nil for work without a job.
    package var origin: WorkOrigin?
    /// Several workers can share the work.
    package var part = Part.everything
    /// The fallbacks for pages that the first renderer cannot draw.
    ///
    /// The keys are the numbers of the page images.
    package var fallbacks: [Int: RenderingFallback] = [:]

    package enum Part: Hashable, Sendable, Codable {
        /// The whole work: all page images and the PDF `sheets`.
        case everything
        /// The page images whose numbers are in the range.
        ///
        /// The numbers start at 1 and continue across all documents. The PDF `sheets` is included only if the range
        /// contains all page images.
        case images(ClosedRange<Int>)
        /// Only the PDF `sheets`, which is made from the page images in the output folder. The associated value is the
        /// number of page images of each document.
        case sheets(documentPages: [Int])
    }

    /// The number of the last requested page image; nil means the last image of the documents.
    package var lastImage: Int? {
        if case .images(let images) = part { images.upperBound } else { nil }
    }

    /// A change to another sheet size during a job.
    ///
    /// The printer does not detect the change.
    public struct SheetChange: Hashable, Sendable, Codable {
        /// The number of the first page image on the sheets with the new size, counted from 1 over all documents.
        package var page: Int
        package var media: Media

        package init(page: Int, media: Media) {
            self.page = page
            self.media = media
        }
    }

    package init(
        document: InputDocument, others: [InputDocument] = [], paper: PrintPaper, resolution: Int = 100,
        monochrome: Bool = false,
        pageRanges: PageRanges = .all, outputFolder: String, sheets: String? = nil, copies: Int = 1,
        collated: Bool = true, duplex: Duplex = .none, orientation: Orientation? = nil, sheetBack: SheetBack = .normal,
        scaling: PrintScaling = .auto, sheetChanges: [SheetChange] = [], isStackReversed: Bool = false,
        overlay: Bool = false, requiresFidelity: Bool = false
    ) {
        (self.document, self.others, self.paper) = (document, others, paper)
        (self.resolution, self.monochrome, self.pageRanges) = (resolution, monochrome, pageRanges)
        (self.outputFolder, self.sheets, self.copies) = (outputFolder, sheets, copies)
        (self.collated, self.duplex, self.orientation) = (collated, duplex, orientation)
        (self.sheetBack, self.scaling, self.sheetChanges) = (sheetBack, scaling, sheetChanges)
        (self.isStackReversed, self.overlay, self.requiresFidelity) = (isStackReversed, overlay, requiresFidelity)
    }
}

extension RasterizeRequest: WorkerTaskRequest {
    package var workerFiles: WorkerFiles {
        get {
            let output = WorkerFiles.Output(folder: outputFolder, file: sheets)
            return WorkerFiles(documents: [document] + others, output: output, origin: origin)
        }
        set {
            (document, others) = (newValue.document, Array(newValue.documents.dropFirst()))
            (outputFolder, sheets) = (newValue.output?.folder ?? "", newValue.output?.file)
            origin = newValue.origin
        }
    }
}

/// The result of a request to rasterize documents.
public struct RasterizedDocument: Hashable, Sendable, Codable {
    /// The page images, in page order.
    package var pages: [PageImage]
    package var documentPages: [Int]
    /// The number of printed sides over all copies, including blank padding.
    package var impressions: Int
    /// The number of printed sheets over all copies.
    package var sheets: Int
    /// Notices about repaired, replaced or omitted content, one sentence each, for users.
    package var notices: [String]
    /// The names of the fonts that the documents use but do not contain.
    package var missingFonts: [String] = []

    /// Without `documentPages`, all page images belong to one document.
    package init(
        pages: [PageImage], documentPages: [Int]? = nil, impressions: Int, sheets: Int, notices: [String] = []
    ) {
        self.pages = pages
        self.documentPages = documentPages ?? [pages.count]
        (self.impressions, self.sheets, self.notices) = (impressions, sheets, notices)
    }
}

/// One printed side as an image.
public struct PageImage: Hashable, Sendable, Codable {
    /// The number of the printed side, from 1.
    package var page: Int
    package var file: String
    /// The width of the image in pixels.
    package var width: Int
    /// The height of the image in pixels.
    package var height: Int
    /// The edges at which content outside the printable area was cropped.
    package var clipped: [Edge]
    package var isBlank: Bool
    /// True if a printer without color printed colored content in gray; otherwise nil.
    package var isColored: Bool?

    /// An edge of a page.
    public enum Edge: String, Hashable, Sendable, Codable, CaseIterable {
        case top, left, bottom, right
    }

    package init(page: Int, file: String, width: Int, height: Int, clipped: [Edge] = [], isBlank: Bool = false) {
        (self.page, self.file, self.width) = (page, file, width)
        (self.height, self.clipped, self.isBlank) = (height, clipped, isBlank)
    }
}
