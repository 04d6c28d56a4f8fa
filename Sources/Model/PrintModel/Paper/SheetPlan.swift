// How the pages of a job come out on sheets.

/// How the pages of a job come out on sheets: on which medium, in color or not, and which sheets have a blank back.
///
/// The plan is known when the job has been prepared. It is kept with the job, so that pages, sides and sheets can be counted
/// wherever the job ended.
///
///     // Three pages on two sheets, twice: every second sheet has a blank back.
///     SheetPlan(…, copies: 2, sheetsPerCopy: 2, blankBacks: [1]).blanks(onFirst: 4)      // 2
///
/// - Invariant: `copies >= 1`, `sheetsPerCopy >= 0`, `pagesPerSide >= 1`; `blankBacks` ascend and are below `sheetsPerCopy`.
public struct SheetPlan: Hashable, Sendable, Codable {
    /// The medium by its PWG name: `iso_a4_210x297mm`.
    public var media: String
    /// Whether pages come out in colour where they have any; otherwise in grey.
    public var isColor: Bool
    /// How many copies come out, wherever they are made.
    public var copies: Int
    /// How many sheets a copy has.
    public var sheetsPerCopy: Int
    /// The sheets of a copy whose back stays blank, counted from 0 in the order of the pages.
    public var blankBacks: [Int]
    /// Whether copies come out in sets, and not sheet by sheet.
    public var collated: Bool
    /// Whether the last sheet comes out first.
    public var isReversed: Bool
    /// The pages of the documents that are printed, of one copy; 0 when a version of printq that did not count them wrote the
    /// plan.
    public var pages: Int
    /// How many pages share a side.
    public var pagesPerSide: Int

    /// A plan.
    public init(
        media: String, isColor: Bool, copies: Int = 1, sheetsPerCopy: Int, blankBacks: [Int] = [],
        collated: Bool = true, isReversed: Bool = false, pages: Int = 0, pagesPerSide: Int = 1
    ) {
        self.media = media
        self.isColor = isColor
        self.copies = copies
        self.sheetsPerCopy = sheetsPerCopy
        self.blankBacks = blankBacks
        self.collated = collated
        self.isReversed = isReversed
        self.pages = pages
        self.pagesPerSide = pagesPerSide
    }

    /// Reads a plan that any version of printq has written.
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
    }

    /// The sheets of a copy whose back stays blank, counted from 0 in the order in which they come out.
    var blankPlaces: [Int] { blankBacks.map { isReversed ? sheetsPerCopy - 1 - $0 : $0 } }

    /// How many of the first sheets that come out, of all copies, have a blank back.
    public func blanks(onFirst sheets: Int) -> Int {
        guard sheets > 0, sheetsPerCopy > 0, !blankBacks.isEmpty else { return 0 }
        let sheets = min(sheets, sheetsPerCopy * copies)
        let places = blankPlaces
        guard collated else { return places.reduce(0) { $0 + min(copies, max(0, sheets - $1 * copies)) } }
        let (whole, rest) = sheets.quotientAndRemainder(dividingBy: sheetsPerCopy)
        return whole * places.count + places.count { $0 < rest }
    }

    /// Whether a side stays blank, counted from 1 over all copies in the order in which the sides come out.
    func isBlank(side: Int, sidesPerSheet: Int) -> Bool {
        guard sidesPerSheet == 2, side % 2 == 0 else { return false }
        return blanks(onFirst: side / 2) > blanks(onFirst: side / 2 - 1)
    }

    /// How many of the first sides that come out, of all copies, have something on them.
    public func impressions(onFirstSides sides: Int, sidesPerSheet: Int) -> Int {
        sidesPerSheet == 2 ? sides - blanks(onFirst: sides / 2) : sides
    }

    /// The side that has the impression of a number, both counted from 1 over all copies.
    public func side(ofImpression impression: Int, sidesPerSheet: Int) -> Int {
        // Each side more is one impression more, or none.
        var (low, high) = (impression, impression + blankBacks.count * copies)
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

/// What came out of a printer.
public struct PrintedSides: Hashable, Sendable, Codable {
    /// Sides with something on them.
    public var impressions: Int
    /// Sides that were left blank: the backs of last pages.
    public var blanks: Int
    /// Sheets.
    public var sheets: Int

    /// So many.
    public init(impressions: Int = 0, blanks: Int = 0, sheets: Int = 0) {
        self.impressions = impressions
        self.blanks = blanks
        self.sheets = sheets
    }

    /// Both together.
    public static func + (left: PrintedSides, right: PrintedSides) -> PrintedSides {
        PrintedSides(
            impressions: left.impressions + right.impressions, blanks: left.blanks + right.blanks,
            sheets: left.sheets + right.sheets)
    }
}

extension Job {
    /// What came out for it as far as that was seen, over all attempts: a job that goes on after a doubt may print a sheet
    /// twice, and both were paper.
    public var printed: PrintedSides { printedBefore + printedThisTime }

    /// The sides and sheets that came out since the job was last started or resumed.
    var printedThisTime: PrintedSides {
        let before = resumePoint
        let sheetsBefore = before?.sheetsBefore ?? 0
        let sides = max(0, impressionsCompleted - (before?.impressionsBefore ?? 0))
        let sheets = max(0, sheetsCompleted - sheetsBefore)
        // A back is counted with its sheet's second side.
        let blanks =
            sidesPerSheet < 2
            ? 0
            : (sheetPlan?.blanks(onFirst: impressionsCompleted / sidesPerSheet) ?? 0)
                - (sheetPlan?.blanks(onFirst: sheetsBefore) ?? 0)
        return PrintedSides(
            impressions: max(0, sides - max(0, blanks)), blanks: min(sides, max(0, blanks)), sheets: sheets)
    }

    /// How many sides a sheet has: 1 or 2.
    var sidesPerSheet: Int {
        guard let impressions, let sheets, sheets > 0 else { return 1 }
        return impressions / sheets
    }

    /// The sides of one copy that have something on them, once known (IPP `job-impressions`, RFC 8011 §5.3.17.2, which leaves
    /// copies out).
    ///
    /// A blank back is no impression, for no content is imposed upon it (RFC 8011 §2.3.4).
    public var impressionsPerCopy: Int? {
        guard let impressions else { return nil }
        let copies = max(1, sheetPlan?.copies ?? ticket.copies ?? 1)
        return impressionCount(ofSides: impressions) / copies
    }

    /// The sides with something on them that were printed so far, over all copies (IPP `job-impressions-completed`, RFC 8011
    /// §5.3.18.2).
    public var printedImpressions: Int { impressionCount(ofSides: impressionsCompleted) }

    /// How far it has come, in pages of its documents; nil while their number is not known.
    public var pageProgress: PageProgress? {
        sheetPlan?.progress(after: impressionsCompleted, sidesPerSheet: sidesPerSheet)
    }

    /// How many of the first sides, over all copies, have something on them.
    public func impressionCount(ofSides sides: Int) -> Int {
        sheetPlan?.impressions(onFirstSides: sides, sidesPerSheet: sidesPerSheet) ?? sides
    }

    /// The side that has an impression, both counted from 1 over all copies.
    public func side(ofImpression impression: Int) -> Int {
        sheetPlan?.side(ofImpression: impression, sidesPerSheet: sidesPerSheet) ?? impression
    }
}
