// How the sheets of a job come out, as far as it must be known to count what was printed.

/// How the sheets of a job come out: on what, in what colour, and which of them have a blank back.
///
/// It is known when the job has been prepared, and kept with it, so that what a job has cost can be said wherever it ended.
///
///     // Three pages on two sheets, twice: every second sheet has a blank back.
///     SheetPlan(…, copies: 2, sheetsPerCopy: 2, blankBacks: [1]).blanks(onFirst: 4)      // 2
///
/// - Invariant: `copies >= 1`, `sheetsPerCopy >= 0`; `blankBacks` ascend and are below `sheetsPerCopy`.
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

    /// A plan.
    public init(
        media: String, isColor: Bool, copies: Int = 1, sheetsPerCopy: Int, blankBacks: [Int] = [],
        collated: Bool = true, isReversed: Bool = false
    ) {
        self.media = media
        self.isColor = isColor
        self.copies = copies
        self.sheetsPerCopy = sheetsPerCopy
        self.blankBacks = blankBacks
        self.collated = collated
        self.isReversed = isReversed
    }

    /// How many of the first sheets that come out, of all copies, have a blank back.
    public func blanks(onFirst sheets: Int) -> Int {
        guard sheets > 0, sheetsPerCopy > 0, !blankBacks.isEmpty else { return 0 }
        let sheets = min(sheets, sheetsPerCopy * copies)
        let places = blankBacks.map { isReversed ? sheetsPerCopy - 1 - $0 : $0 }
        guard collated else { return places.reduce(0) { $0 + min(copies, max(0, sheets - $1 * copies)) } }
        let (whole, rest) = sheets.quotientAndRemainder(dividingBy: sheetsPerCopy)
        return whole * places.count + places.count { $0 < rest }
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
    /// What came out for it as far as that was seen, in all its goes: a job that goes on after a doubt may print a sheet
    /// twice, and both were paper.
    public var printed: PrintedSides { printedBefore + printedThisTime }

    /// What came out since it was last begun, or gone on with.
    var printedThisTime: PrintedSides {
        let before = resumePoint
        let sheetsBefore = before?.sheetsBefore ?? 0
        let sides = max(0, impressionsCompleted - (before?.impressionsBefore ?? 0))
        let sheets = max(0, sheetsCompleted - sheetsBefore)
        // A back is counted with its sheet's second side.
        let sidesPerSheet = sidesPerSheet
        let blanks =
            sidesPerSheet < 2
            ? 0
            : (sheetPlan?.blanks(onFirst: impressionsCompleted / sidesPerSheet) ?? 0)
                - (sheetPlan?.blanks(onFirst: sheetsBefore) ?? 0)
        return PrintedSides(
            impressions: max(0, sides - max(0, blanks)), blanks: min(sides, max(0, blanks)), sheets: sheets)
    }

    private var sidesPerSheet: Int {
        guard let impressions, let sheets, sheets > 0 else { return 1 }
        return impressions / sheets
    }
}
