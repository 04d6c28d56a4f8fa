// Calculates the progress of a job in pages of its documents.

/// The progress of a job, counted in pages of its documents.
///
/// The progress counts the pages of the documents, not the printed sides or sheets. Several pages can share a side, and
/// each copy contains all pages.
///
///     plan.progress(after: 7, sidesPerSheet: 1)?.text      // page 2 of 5, copy 2 of 3
///
/// - Invariant: `1 <= copy <= copies`, `0 <= completed <= pages`.
public struct PageProgress: Hashable, Sendable {
    /// The number of document pages in each copy (IPP `job-pages`, PWG 5100.7).
    public var pages: Int
    /// The number of copies.
    public var copies: Int
    /// The copy that is being printed, from 1.
    public var copy: Int
    /// The number of printed pages of this copy (IPP `job-pages-completed-current-copy`, PWG 5100.7).
    public var completed: Int
    /// The number of printed pages of all copies (IPP `job-pages-completed`, PWG 5100.7).
    package var completedInAllCopies: Int

    /// Creates a progress value.
    ///
    /// - Parameter completedInAllCopies: The number of printed pages of all copies; nil if all copies before this copy
    ///   are complete.
    package init(pages: Int, copies: Int = 1, copy: Int = 1, completed: Int, completedInAllCopies: Int? = nil) {
        (self.pages, self.copies, self.copy, self.completed) = (pages, copies, copy, completed)
        self.completedInAllCopies = completedInAllCopies ?? (copy - 1) * pages + completed
    }

    /// The progress as text for users: `page 2 of 5`, or `page 2 of 5, copy 1 of 3`.
    public var text: String { text(at: completed) }

    /// The page of the current copy that follows the printed pages, at most the last page.
    package var nextPage: Int { min(completed + 1, pages) }

    /// Returns the text for a page of the current copy: `page 2 of 5`.
    func text(at page: Int) -> String {
        "page \(page) of \(pages)" + (copies > 1 ? ", copy \(copy) of \(copies)" : "")
    }
}

extension SheetPlan {
    /// Returns the progress after a number of finished sides of all copies, including blank sides; nil if the number of
    /// pages is unknown.
    ///
    /// If several documents end with partially filled sides, the result is an estimate.
    package func progress(after sides: Int, sidesPerSheet: Int) -> PageProgress? {
        guard pages > 0, sheetsPerCopy > 0 else { return nil }
        let covers = coversBefore * sidesPerSheet
        let done = min(max(0, sides - covers), sheetsPerCopy * copies * sidesPerSheet)
        guard done > 0 else { return PageProgress(pages: pages, copies: copies, completed: 0) }
        let place = place(ofSide: done, sidesPerSheet: sidesPerSheet)
        let completed = pages(onFirst: place.impressions, sidesPerSheet)
        guard !collated else {
            return PageProgress(pages: pages, copies: copies, copy: place.copy, completed: completed)
        }
        let impressions = impressions(onFirstSides: covers + done, sidesPerSheet: sidesPerSheet) - coversBefore
        let left = (sheetsPerCopy * sidesPerSheet - blankBacks.count) * copies - impressions
        return PageProgress(
            pages: pages, copies: copies, copy: place.copy, completed: completed,
            completedInAllCopies: left <= 0
                ? pages * copies
                : sidesPerPage > 1
                    ? impressions / sidesPerPage : min(impressions * pagesPerSide, pages * copies - left))
    }

    /// Returns the text for the first page on the next side: `page 3 of 5`, or `the cover sheet`; nil when no page
    /// remains, or the number of pages is unknown.
    package func textOfNextPage(after sides: Int, sidesPerSheet: Int) -> String? {
        let next = max(0, sides) + 1
        if isCover(side: next, sidesPerSheet: sidesPerSheet), !isBlank(side: next, sidesPerSheet: sidesPerSheet) {
            return "the cover sheet"
        }
        return nextPage(after: sides, sidesPerSheet: sidesPerSheet).map { $0.text(at: $0.nextPage) }
    }

    /// Returns the progress before the next side; nil when no page remains, or the number of pages is unknown.
    ///
    /// `nextPage` of the result is the first page on the next side.
    package func nextPage(after sides: Int, sidesPerSheet: Int) -> PageProgress? {
        let total = sheetsPerCopy * copies * sidesPerSheet
        guard pages > 0, total > 0 else { return nil }
        // The pages start after the cover sheets.
        var side = max(0, sides - coversBefore * sidesPerSheet) + 1
        if side <= total, isBlank(side: coversBefore * sidesPerSheet + side, sidesPerSheet: sidesPerSheet) { side += 1 }
        guard side <= total else { return nil }
        let place = place(ofSide: side, sidesPerSheet: sidesPerSheet)
        return PageProgress(
            pages: pages, copies: copies, copy: place.copy,
            completed: pages(onFirst: place.impressions - 1, sidesPerSheet))
    }

    /// Returns the copy that contains a side, and the number of non-blank sides of that copy up to and including this
    /// side.
    ///
    /// The sides are counted from 1 after the cover sheets.
    private func place(ofSide side: Int, sidesPerSheet: Int) -> (copy: Int, impressions: Int) {
        let (sheet, face) = (side - 1).quotientAndRemainder(dividingBy: sidesPerSheet)
        let (copy, place) =
            collated ? sheet.quotientAndRemainder(dividingBy: sheetsPerCopy) : (sheet % copies, sheet / copies)
        let isBlank = isBlank(side: coversBefore * sidesPerSheet + side, sidesPerSheet: sidesPerSheet)
        let before = place * sidesPerSheet - blankPlaces.count { $0 < place }
        return (copy + 1, before + face + (isBlank ? 0 : 1))
    }

    /// Returns the number of pages on the first `impressions` non-blank sides of a copy.
    private func pages(onFirst impressions: Int, _ sidesPerSheet: Int) -> Int {
        if sidesPerPage > 1 { return min(pages, max(0, impressions) / sidesPerPage) }
        let left = sheetsPerCopy * sidesPerSheet - blankBacks.count - impressions
        // Each remaining side has at least one page.
        return left <= 0 ? pages : max(0, min(impressions * pagesPerSide, pages - left))
    }
}
