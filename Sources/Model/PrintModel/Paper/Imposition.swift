// Defines the processing of a document's pages before printing.

/// The layout of pages on the sides of sheets, with all options that the printer does not apply.
///
/// `JobTicket.plan(for:)` creates the imposition. A worker applies the imposition to the documents of a
/// `PrepareRequest`.
///
/// Each option is applied by the imposition or by the printer (`DeviceOptions`), but never by both.
public struct Imposition: Hashable, Sendable, Codable {
    /// The selected pages of each document, or of the whole sequence if the documents are printed as a single document.
    package var pageRanges: PageRanges
    package var pageOrder: PageOrder
    /// The number of copies in the prepared document; 1 when the printer makes the copies.
    package var copies: Int
    /// Whether several copies in the prepared document are collated: 1,2,3,1,2,3 instead of 1,1,2,2,3,3.
    package var collated: Bool
    package var numberUp: NumberUp
    package var paper: PrintPaper
    /// The sizes that the printer can cut from its paper roll for pages that are longer than `paper`.
    ///
    /// If the value is nil, every page is printed on `paper`.
    package var roll: PrinterCapabilities.MediaRange?
    /// The scaling of pages to the paper or to their cells.
    package var scaling: PrintScaling
    /// The size of the pages in percent of their original size; nil for `scaling`.
    package var scalePercent: Int?
    /// Whether the sides are mirrored; nil means false.
    package var isMirrored: Bool?
    /// The printed sides; nil for all sides.
    package var pageSet: PageSet?
    /// If the value is nil, each page is rotated to fit the paper.
    package var orientation: Orientation?
    /// The sides of the sheets to print on.
    ///
    /// For two-sided printing, each copy of each document is padded to full sheets.
    package var duplex: Duplex
    /// The placement of documents that are printed as a single document; nil for separate documents.
    package var documentJoining: DocumentJoining?
    /// The booklet; nil if the sheets are not folded.
    package var booklet: Booklet?
    /// The poster; nil if each page fits on a sheet.
    package var poster: Poster?
    /// The sheets before and after all copies of the documents; nil for no cover sheets.
    package var coverSheets: CoverSheets?
    /// The texts that are printed on the pages in addition to the page content; nil for no texts.
    package var texts: PageTexts?
    /// The side of the job that must be printed first, counted from 1 over all copies.
    ///
    /// The prepared document begins with the sheet that contains this side. Earlier sheets are omitted.
    package var firstImpression: Int

    /// The defaults change the pages as little as possible.
    package init(
        paper: PrintPaper, pageRanges: PageRanges = .all, pageOrder: PageOrder = .normal, copies: Int = 1,
        collated: Bool = true, numberUp: NumberUp = .one, scaling: PrintScaling = .auto,
        orientation: Orientation? = nil, duplex: Duplex = .none, firstImpression: Int = 1,
        documentJoining: DocumentJoining? = nil, booklet: Booklet? = nil, poster: Poster? = nil, texts: PageTexts? = nil
    ) {
        (self.pageRanges, self.pageOrder, self.copies, self.collated) = (pageRanges, pageOrder, copies, collated)
        (self.numberUp, self.paper, self.scaling, self.orientation) = (numberUp, paper, scaling, orientation)
        (self.duplex, self.firstImpression, self.documentJoining) = (duplex, firstImpression, documentJoining)
        (self.booklet, self.poster, self.texts) = (booklet, poster, texts)
    }

    /// Returns the pages to print from each document, counted from 1.
    ///
    /// The page ranges apply to each document. If the documents are joined, the ranges apply to the sequence of all
    /// pages. `pageSet` then selects sides of each document, or of all documents that continue on the same side.
    ///
    /// - Parameter counts: The number of pages of each document.
    package func pages(of counts: [Int]) -> [[Int]] {
        var chosen = counts.map { pageRanges.pages(of: $0) }
        if documentJoining != nil {
            var (before, rest) = (0, pageRanges.pages(of: counts.reduce(0, +))[...])
            chosen = counts.map { count in
                let own = rest.prefix { $0 <= before + count }.map { $0 - before }
                rest = rest.dropFirst(own.count)
                before += count
                return own
            }
        }
        guard let pageSet else { return chosen }
        var place = 0
        return chosen.map { pages in
            if documentJoining != .sameSide { place = 0 }
            defer { place += pages.count }
            return pages.enumerated().filter { index, _ in
                ((place + index) / pagesPerSide % 2 == 0) == (pageSet == .odd)
            }.map(\.element)
        }
    }

    package var pagesPerSide: Int { booklet == nil ? numberUp.count : 2 }

    /// The number of sides for each page; 1 if each page fits on a side.
    package var sidesPerPage: Int { poster?.sheets ?? 1 }

    /// The point in the job at which the prepared sheets start.
    package var resumePoint: ResumePoint {
        ResumePoint(impression: firstImpression, sidesPerSheet: duplex == .none ? 1 : 2)
    }
}

/// The options that the printer applies.
public struct DeviceOptions: Hashable, Sendable, Codable {
    package var copies: Int
    /// Whether several copies are collated (`multiple-document-handling`).
    package var collated: Bool
    package var duplex: Duplex
    package var paper: PrintPaper
    package var colorMode: ColorMode
    /// The print quality; nil means the printer's default.
    package var quality: PrintQuality?
    /// The tray, an IPP `media-source` keyword.
    ///
    /// If the value is nil, the printer chooses the tray.
    package var mediaSource: String?
    /// The output bin (IPP `output-bin`); nil means the printer's default.
    package var outputBin: String?
    /// If the value is nil, the printer chooses the scaling.
    ///
    /// A prepared document already has the size of the paper, so the printer must not scale the document.
    package var scaling: PrintScaling?
    /// The points at which a paper roll is cut; nil means the printer's default.
    package var trimming: Trimming?
    /// The resolution (IPP `printer-resolution`).
    ///
    /// If the value is nil, the printer chooses the resolution.
    package var resolution: RasterResolution?

    package init(
        paper: PrintPaper, copies: Int = 1, collated: Bool = true, duplex: Duplex = .none,
        colorMode: ColorMode = .auto, quality: PrintQuality? = nil, mediaSource: String? = nil,
        scaling: PrintScaling? = nil,
        trimming: Trimming? = nil, resolution: RasterResolution? = nil
    ) {
        (self.copies, self.collated, self.duplex, self.paper) = (copies, collated, duplex, paper)
        (self.colorMode, self.quality, self.mediaSource) = (colorMode, quality, mediaSource)
        (self.scaling, self.trimming, self.resolution) = (scaling, trimming, resolution)
    }
}
