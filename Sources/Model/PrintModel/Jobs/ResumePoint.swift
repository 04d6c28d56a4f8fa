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
    package let impression: Int
    /// The number of sides that are printed on each sheet: 1 or 2.
    package let sidesPerSheet: Int

    /// Values below 1 become 1.
    package init(impression: Int, sidesPerSheet: Int) {
        self.impression = max(1, impression)
        self.sidesPerSheet = min(max(1, sidesPerSheet), 2)
    }

    /// The number of sheets that are not printed again, because the sheets precede the resume point.
    package var sheetsBefore: Int { (impression - 1) / sidesPerSheet }
    /// The number of sides that are not printed again, because the sides precede the resume point.
    package var impressionsBefore: Int { sheetsBefore * sidesPerSheet }
    /// The first side that is printed, counted from 1.
    package var firstImpression: Int { impressionsBefore + 1 }
}

extension Job {
    /// The point from which the job resumes; nil if the whole job is printed, or the number of sides is unknown.
    package var resumePoint: ResumePoint? {
        guard let resumeFrom, let impressions, let sheets, sheets > 0 else { return nil }
        return ResumePoint(impression: resumeFrom, sidesPerSheet: impressions / sheets)
    }

    /// The number of non-blank sides, over all copies, on the sheets that are fully printed.
    ///
    /// These sides are not printed again when the job resumes after the last printed side.
    package var impressionsOnWholeSheets: Int {
        let point = ResumePoint(impression: impressionsCompleted + 1, sidesPerSheet: sidesPerSheet)
        return impressionCount(ofSides: point.impressionsBefore)
    }

    /// The place at which the job resumes; nil if the whole job is printed.
    package var resumePlace: ResumePlace? {
        guard let resumeFrom else { return nil }
        guard let point = resumePoint, let impressions else {
            return ResumePlace(sideUnit, resumeFrom)
        }
        return ResumePlace(
            sideUnit, impressionCount(ofSides: point.firstImpression), of: impressionCount(ofSides: impressions),
            requested: impressionCount(ofSides: point.impression))
    }

    /// The place at which the job resumes, as text: `page 3 of 5, the front of the sheet with page 4`; nil if the
    /// whole job is printed.
    package var resumeText: String? { resumePlace?.text }

    /// The unit in which the progress of the job is counted.
    ///
    /// The unit is `side` if several pages share a side, a page is printed on several sides, or the job has cover sheets.
    var sideUnit: ResumePlace.Unit {
        guard let sheetPlan else { return .page }
        let hasCovers = sheetPlan.coversBefore + sheetPlan.coversAfter > 0
        return sheetPlan.pagesPerSide == 1 && sheetPlan.sidesPerPage == 1 && !hasCovers ? .page : .side
    }

    /// The noun for a non-blank side: "page" or "side".
    var sideName: String { sideUnit.rawValue }
}

/// The place at which a job resumes.
///
/// Only non-blank sides are counted, over all copies, as in `printq resume --from`.
public struct ResumePlace: Hashable, Sendable {
    /// The unit in which the place is counted.
    public var unit: Unit
    /// The number of the first page that is printed, from 1.
    public var first: Int
    /// The number of pages of the job; nil if unknown.
    public var total: Int?
    /// The number of the requested page, which is on the sheet with the first page.
    public var requested: Int

    /// A page, or a side with several pages or with a part of a page.
    public enum Unit: String, Hashable, Sendable, CaseIterable {
        case page, side
    }

    /// Creates a place.
    ///
    /// - Parameter requested: The number of the requested page; nil if the first page was requested.
    package init(_ unit: Unit, _ first: Int, of total: Int? = nil, requested: Int? = nil) {
        (self.unit, self.first, self.total, self.requested) = (unit, first, total, requested ?? first)
    }

    /// The place as text: `page 3 of 5, the front of the sheet with page 4`.
    public var text: String {
        "\(unit.rawValue) \(first)" + (total.map { " of \($0)" } ?? "")
            + (first == requested ? "" : ", the front of the sheet with \(unit.rawValue) \(requested)")
    }
}
