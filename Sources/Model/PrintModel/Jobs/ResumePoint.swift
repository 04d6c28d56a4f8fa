// Defines the point from which a suspended job resumes.

/// The point from which a suspended job resumes: the front of the sheet with the requested side.
///
/// Sides are counted over all copies, including blank backs. Printing starts at the front of a sheet. Therefore, if the
/// sheet is two-sided, the side before the requested side can be printed again.
///
///     ResumePoint(impression: 4, sidesPerSheet: 2).firstImpression      // 3
///
/// - Invariant: `impression >= 1`, `sidesPerSheet` is 1 or 2.
public struct ResumePoint: Hashable, Sendable {
    /// The requested side, counted from 1.
    public let impression: Int
    /// The number of sides that are printed on each sheet: 1 or 2.
    public let sidesPerSheet: Int

    /// Creates the resume point for the requested side.
    ///
    /// Values below 1 become 1.
    public init(impression: Int, sidesPerSheet: Int) {
        self.impression = max(1, impression)
        self.sidesPerSheet = min(max(1, sidesPerSheet), 2)
    }

    /// The number of sheets that are not printed again, because the sheets precede the resume point.
    public var sheetsBefore: Int { (impression - 1) / sidesPerSheet }
    /// The number of sides that are not printed again, because the sides precede the resume point.
    public var impressionsBefore: Int { sheetsBefore * sidesPerSheet }
    /// The first side that is printed, counted from 1.
    public var firstImpression: Int { impressionsBefore + 1 }

    /// Returns the resume point as text: `page 3 of 6, the front of the sheet with page 4`.
    ///
    /// `total` is the number of sides of the job; nil if unknown.
    public func words(of total: Int?) -> String {
        "page \(firstImpression)" + (total.map { " of \($0)" } ?? "")
            + (firstImpression == impression ? "" : ", the front of the sheet with page \(impression)")
    }
}

extension Job {
    /// The point from which the job resumes; nil if the whole job is printed, or the number of sides is unknown.
    public var resumePoint: ResumePoint? {
        guard let resumeFrom, let impressions, let sheets, sheets > 0 else { return nil }
        return ResumePoint(impression: resumeFrom, sidesPerSheet: impressions / sheets)
    }

    /// The number of non-blank sides, over all copies, on the sheets that are fully printed.
    ///
    /// These sides are not printed again when the job resumes after the last printed side.
    public var impressionsOnWholeSheets: Int {
        let point = ResumePoint(impression: impressionsCompleted + 1, sidesPerSheet: sidesPerSheet)
        return impressionCount(ofSides: point.impressionsBefore)
    }

    /// The point from which the job resumes, as text: `page 3 of 5, the front of the sheet with page 4`; nil if the
    /// whole job is printed.
    ///
    /// Only non-blank sides are counted, over all copies, as in `printq resume --from`.
    public var resumeWords: String? {
        guard let resumeFrom else { return nil }
        guard let point = resumePoint, let impressions else { return "\(sideName) \(resumeFrom)" }
        let first = impressionCount(ofSides: point.firstImpression)
        let wanted = impressionCount(ofSides: point.impression)
        return "\(sideName) \(first) of \(impressionCount(ofSides: impressions))"
            + (first == wanted ? "" : ", the front of the sheet with \(sideName) \(wanted)")
    }

    /// The noun for a non-blank side: "page".
    ///
    /// The noun is "side" if several pages share a side or a page is printed on several sides.
    var sideName: String {
        guard let sheetPlan, sheetPlan.pagesPerSide == 1, sheetPlan.sidesPerPage == 1 else {
            return sheetPlan == nil ? "page" : "side"
        }
        return "page"
    }
}
