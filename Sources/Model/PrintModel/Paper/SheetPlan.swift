// Defines how the pages of a job are distributed over sheets.

/// The distribution of a job's pages over sheets: the medium, the color mode, and the sheets with a blank back.
///
/// The plan is known after the preparation of the job. The spooler stores the plan with the job, so that pages, sides
/// and sheets can be counted at any stage of the job.
///
///     // Three pages on two sheets, twice: every second sheet has a blank back.
///     SheetPlan(…, copies: 2, sheetsPerCopy: 2, blankBacks: [1]).blanks(onFirst: 4)      // 2
///
/// - Invariant: `copies >= 1`, `sheetsPerCopy >= 0`, `pagesPerSide >= 1`, `sidesPerPage >= 1`; `blankBacks` ascend and
///   are below `sheetsPerCopy`.
public struct SheetPlan: Hashable, Sendable, Codable {
    /// The PWG name of the medium: `iso_a4_210x297mm`.
    package var media: String
    /// Whether the job is printed in color.
    package var isColor: Bool
    /// The number of copies that the printer or the imposition makes.
    package var copies: Int
    package var sheetsPerCopy: Int
    /// The sheets of one copy that have a blank back, as zero-based positions in page order.
    package var blankBacks: [Int]
    /// Otherwise all copies of a sheet are printed together.
    package var collated: Bool
    /// Whether the last sheet is printed first.
    package var isReversed: Bool
    /// The number of document pages in each copy; 0 in a plan that an older version of printq stored.
    package var pages: Int
    package var pagesPerSide: Int
    /// The number of sides for each page of a poster; 1 if each page fits on a side.
    package var sidesPerPage: Int
    /// The number of cover sheets that are printed before the copies.
    package var coversBefore = 0
    /// The number of cover sheets that are printed after the copies.
    package var coversAfter = 0

    package init(
        media: String, isColor: Bool, copies: Int = 1, sheetsPerCopy: Int, blankBacks: [Int] = [],
        collated: Bool = true, isReversed: Bool = false, pages: Int = 0, pagesPerSide: Int = 1,
        sidesPerPage: Int = 1
    ) {
        (self.media, self.isColor, self.copies, self.sheetsPerCopy) = (media, isColor, copies, sheetsPerCopy)
        (self.blankBacks, self.collated, self.isReversed) = (blankBacks, collated, isReversed)
        (self.pages, self.pagesPerSide, self.sidesPerPage) = (pages, pagesPerSide, sidesPerPage)
    }

    /// Decodes a plan that any version of printq stored.
    public init(from decoder: any Decoder) throws {
        let keys = try decoder.container(keyedBy: CodingKeys.self)
        media = try keys.decode(String.self, forKey: .media)
        isColor = try keys.decode(Bool.self, forKey: .isColor)
        copies = try keys.decode(Int.self, forKey: .copies)
        sheetsPerCopy = try keys.decode(Int.self, forKey: .sheetsPerCopy)
        blankBacks = try keys.decode([Int].self, forKey: .blankBacks)
        collated = try keys.decode(Bool.self, forKey: .collated)
        isReversed = try keys.decode(Bool.self, forKey: .isReversed)
        pages = try keys.decodeIfPresent(Int.self, forKey: .pages) ?? 0
        pagesPerSide = max(1, try keys.decodeIfPresent(Int.self, forKey: .pagesPerSide) ?? 1)
        sidesPerPage = max(1, try keys.decodeIfPresent(Int.self, forKey: .sidesPerPage) ?? 1)
        coversBefore = try keys.decodeIfPresent(Int.self, forKey: .coversBefore) ?? 0
        coversAfter = try keys.decodeIfPresent(Int.self, forKey: .coversAfter) ?? 0
    }

    /// The sheets of one copy that have a blank back, as zero-based positions in print order.
    var blankPlaces: [Int] { blankBacks.map { isReversed ? sheetsPerCopy - 1 - $0 : $0 } }

    /// Returns the number of sheets with a blank back among the given number of sheets, counted from the start of the
    /// job.
    package func blanks(onFirst sheets: Int) -> Int {
        guard sheets > 0 else { return 0 }
        // The backs of cover sheets are blank.
        let covers = min(sheets, coversBefore) + min(coversAfter, max(0, sheets - coversBefore - bodySheets))
        guard sheetsPerCopy > 0, !blankBacks.isEmpty else { return covers }
        let sheets = min(max(0, sheets - coversBefore), bodySheets)
        let places = blankPlaces
        guard collated else { return places.reduce(covers) { $0 + min(copies, max(0, sheets - $1 * copies)) } }
        let (whole, rest) = sheets.quotientAndRemainder(dividingBy: sheetsPerCopy)
        return covers + whole * places.count + places.count { $0 < rest }
    }

    /// The number of sheets of all copies, without cover sheets.
    private var bodySheets: Int { sheetsPerCopy * copies }

    /// Whether a side, counted from 1 in print order, is on a cover sheet.
    func isCover(side: Int, sidesPerSheet: Int) -> Bool {
        let sheet = (side - 1) / sidesPerSheet
        return sheet < coversBefore
            || (coversBefore + bodySheets..<coversBefore + bodySheets + coversAfter).contains(sheet)
    }

    /// Sides are counted from 1 over all copies, in print order.
    func isBlank(side: Int, sidesPerSheet: Int) -> Bool {
        guard sidesPerSheet == 2, side % 2 == 0 else { return false }
        return blanks(onFirst: side / 2) > blanks(onFirst: side / 2 - 1)
    }

    /// Returns the number of non-blank sides among the given number of sides, counted from the start of the job.
    package func impressions(onFirstSides sides: Int, sidesPerSheet: Int) -> Int {
        sidesPerSheet == 2 ? sides - blanks(onFirst: sides / 2) : sides
    }

    /// Converts the position of a side among the non-blank sides to the position of the same side among all sides.
    ///
    /// `impression` is the position among the non-blank sides. Both positions count from 1 over all copies.
    package func side(ofImpression impression: Int, sidesPerSheet: Int) -> Int {
        // Each additional side adds at most one non-blank side.
        var (low, high) = (impression, impression + blankBacks.count * copies + coversBefore + coversAfter)
        while low < high {
            let middle = (low + high) / 2
            if impressions(onFirstSides: middle, sidesPerSheet: sidesPerSheet) >= impression {
                high = middle
            } else {
                low = middle + 1
            }
        }
        return low
    }
}

/// The numbers of printed sides and sheets.
public struct PrintedSides: Hashable, Sendable, Codable {
    /// The number of non-blank sides.
    package var impressions: Int
    /// All blank sides are backs of sheets.
    package var blanks: Int
    package var sheets: Int

    package init(impressions: Int = 0, blanks: Int = 0, sheets: Int = 0) {
        (self.impressions, self.blanks, self.sheets) = (impressions, blanks, sheets)
    }

    /// Returns the sum of two values.
    ///
    /// The sides and the sheets are added separately.
    package static func + (left: PrintedSides, right: PrintedSides) -> PrintedSides {
        PrintedSides(
            impressions: left.impressions + right.impressions, blanks: left.blanks + right.blanks,
            sheets: left.sheets + right.sheets)
    }
}

extension Job {
    /// The sides and sheets that the printer reported as printed, over all attempts.
    ///
    /// If a resumed job prints a sheet twice, the sheet counts twice.
    package var printed: PrintedSides { printedBefore + printedThisTime }

    /// The sides and sheets that were printed since the job was last started or resumed.
    var printedThisTime: PrintedSides {
        let before = resumePoint
        let sheetsBefore = before?.sheetsBefore ?? 0
        let sides = max(0, impressionsCompleted - (before?.impressionsBefore ?? 0))
        let sheets = max(0, sheetsCompleted - sheetsBefore)
        // A blank back is counted together with the second side of its sheet.
        let blanks =
            sidesPerSheet < 2
            ? 0
            : (sheetPlan?.blanks(onFirst: impressionsCompleted / sidesPerSheet) ?? 0)
                - (sheetPlan?.blanks(onFirst: sheetsBefore) ?? 0)
        return PrintedSides(
            impressions: max(0, sides - max(0, blanks)), blanks: min(sides, max(0, blanks)), sheets: sheets)
    }

    /// The number of sides of a sheet: 1 or 2.
    var sidesPerSheet: Int {
        guard let impressions, let sheets, sheets > 0 else { return 1 }
        return impressions / sheets
    }

    /// The number of non-blank sides of one copy (IPP `job-impressions`, RFC 8011 §5.3.17.2, which excludes copies);
    /// nil until the number is known.
    ///
    /// A blank back is not an impression, because no content is imposed on the back (RFC 8011 §2.3.4).
    package var impressionsPerCopy: Int? {
        guard let impressions else { return nil }
        let copies = max(1, sheetPlan?.copies ?? ticket.copies ?? 1)
        // Cover sheets are printed once.
        let covers = (sheetPlan?.coversBefore ?? 0) + (sheetPlan?.coversAfter ?? 0)
        return (impressionCount(ofSides: impressions) - covers) / copies + covers
    }

    /// The number of non-blank sides printed so far, over all copies (IPP `job-impressions-completed`, RFC 8011
    /// §5.3.18.2).
    package var printedImpressions: Int { impressionCount(ofSides: impressionsCompleted) }

    /// The progress of the job, in document pages; nil while the number of pages is unknown.
    package var pageProgress: PageProgress? {
        sheetPlan?.progress(after: impressionsCompleted, sidesPerSheet: sidesPerSheet)
    }

    /// Returns the number of non-blank sides among the first `sides` sides of the job, over all copies.
    package func impressionCount(ofSides sides: Int) -> Int {
        sheetPlan?.impressions(onFirstSides: sides, sidesPerSheet: sidesPerSheet) ?? sides
    }

    /// Converts the position of a side among the non-blank sides to the position of the same side among all sides.
    ///
    /// `impression` is the position among the non-blank sides. Both positions count from 1 over all copies.
    package func side(ofImpression impression: Int) -> Int {
        sheetPlan?.side(ofImpression: impression, sidesPerSheet: sidesPerSheet) ?? impression
    }
}
