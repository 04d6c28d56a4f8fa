// Where a job goes on after a doubt.

/// Where a job goes on after a doubt: at the front of the sheet that holds the side wanted.
///
/// Sides are counted over all copies, blank backs included. Printing starts at the front of a sheet, so on two-sided sheets the
/// side before the requested side may be printed again.
///
///     ResumePoint(impression: 4, sidesPerSheet: 2).firstImpression      // 3
///
/// - Invariant: `impression >= 1`, `sidesPerSheet` is 1 or 2.
public struct ResumePoint: Hashable, Sendable {
    /// The side wanted, from 1.
    public let impression: Int
    /// How many sides a sheet has.
    public let sidesPerSheet: Int

    /// The point at a side; what is below 1 is 1.
    public init(impression: Int, sidesPerSheet: Int) {
        self.impression = max(1, impression)
        self.sidesPerSheet = min(max(1, sidesPerSheet), 2)
    }

    /// The sheets before the point.
    public var sheetsBefore: Int { (impression - 1) / sidesPerSheet }
    /// The sides on these sheets.
    public var impressionsBefore: Int { sheetsBefore * sidesPerSheet }
    /// The first side that is printed, from 1.
    public var firstImpression: Int { impressionsBefore + 1 }

    /// `page 3 of 6, the front of the sheet with page 4`, of so many sides in all.
    public func words(of total: Int?) -> String {
        "page \(firstImpression)" + (total.map { " of \($0)" } ?? "")
            + (firstImpression == impression ? "" : ", the front of the sheet with page \(impression)")
    }
}

extension Job {
    /// Where it goes on; nil when all of it is printed, or while its sides are not known.
    public var resumePoint: ResumePoint? {
        guard let resumeFrom, let impressions, let sheets, sheets > 0 else { return nil }
        return ResumePoint(impression: resumeFrom, sidesPerSheet: impressions / sheets)
    }

    /// The sides with something on them, over all copies, that are not printed again when the job goes on after those that were
    /// seen printed: those on whole sheets.
    public var impressionsOnWholeSheets: Int {
        let point = ResumePoint(impression: impressionsCompleted + 1, sidesPerSheet: sidesPerSheet)
        return impressionCount(ofSides: point.impressionsBefore)
    }

    /// Where it goes on, in words: `page 3 of 5, the front of the sheet with page 4`; nil when all of it is printed.
    ///
    /// Only sides with something on them are counted, over all copies, as for `printq resume --from`.
    public var resumeWords: String? {
        guard let resumeFrom else { return nil }
        guard let point = resumePoint, let impressions else { return "\(sideNoun) \(resumeFrom)" }
        let first = impressionCount(ofSides: point.firstImpression)
        let wanted = impressionCount(ofSides: point.impression)
        return "\(sideNoun) \(first) of \(impressionCount(ofSides: impressions))"
            + (first == wanted ? "" : ", the front of the sheet with \(sideNoun) \(wanted)")
    }

    /// What people call a side with something on it: a page, unless several pages share it.
    var sideNoun: String { (sheetPlan?.pagesPerSide ?? 1) > 1 ? "side" : "page" }
}
