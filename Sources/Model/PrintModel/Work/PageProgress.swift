// How far a job has come, in pages of its documents.

/// How far a job has come, in pages of its documents.
///
/// Pages belong to the documents: several of them may share a side, and each copy has all of them. Sides and sheets belong to
/// the printout.
///
///     plan.progress(after: 7).words      // page 2 of 5, copy 2 of 3
///
/// - Invariant: `1 <= copy <= copies`, `0 <= completed <= pages`.
public struct PageProgress: Hashable, Sendable {
    /// The pages of the documents that are printed, counted once however many copies there are (IPP `job-pages`, PWG 5100.7).
    public var pages: Int
    /// The number of copies.
    public var copies: Int
    /// The copy that the printer is at, from 1.
    public var copy: Int
    /// The pages of this copy that are printed (IPP `job-pages-completed-current-copy`, PWG 5100.7).
    public var completed: Int
    /// The pages of all copies that are printed (IPP `job-pages-completed`, PWG 5100.7).
    public var completedInAllCopies: Int

    /// A progress.
    ///
    /// - Parameter completedInAllCopies: nil when the copies before this one are whole.
    public init(pages: Int, copies: Int = 1, copy: Int = 1, completed: Int, completedInAllCopies: Int? = nil) {
        self.pages = pages
        self.copies = copies
        self.copy = copy
        self.completed = completed
        self.completedInAllCopies = completedInAllCopies ?? (copy - 1) * pages + completed
    }

    /// `page 2 of 5`, or `page 2 of 5, copy 1 of 3`.
    public var words: String { words(at: completed) }

    /// `page 2 of 5` for a page of the copy that the printer is at.
    func words(at page: Int) -> String {
        "page \(page) of \(pages)" + (copies > 1 ? ", copy \(copy) of \(copies)" : "")
    }
}

extension SheetPlan {
    /// How far the job has come when so many sides of all copies are done, blank sides included; nil while the number of pages
    /// is not known.
    ///
    /// When several documents end with sides that are not full, the pages in between are an estimate.
    ///
    /// - Parameters:
    ///   - sides: The sides that are done.
    ///   - sidesPerSheet: How many sides a sheet has.
    public func progress(after sides: Int, sidesPerSheet: Int) -> PageProgress? {
        guard pages > 0, sheetsPerCopy > 0 else { return nil }
        let done = min(max(0, sides), sheetsPerCopy * copies * sidesPerSheet)
        guard done > 0 else { return PageProgress(pages: pages, copies: copies, completed: 0) }
        let place = place(ofSide: done, sidesPerSheet: sidesPerSheet)
        let completed = pages(onFirst: place.impressions, sidesPerSheet)
        guard !collated else {
            return PageProgress(pages: pages, copies: copies, copy: place.copy, completed: completed)
        }
        let impressions = impressions(onFirstSides: done, sidesPerSheet: sidesPerSheet)
        let left = (sheetsPerCopy * sidesPerSheet - blankBacks.count) * copies - impressions
        return PageProgress(
            pages: pages, copies: copies, copy: place.copy, completed: completed,
            completedInAllCopies: left <= 0 ? pages * copies : min(impressions * pagesPerSide, pages * copies - left))
    }

    /// The page on the side after those that are done: `page 3 of 5`; nil when no page is left, or their number is not known.
    public func wordsOfNextPage(after sides: Int, sidesPerSheet: Int) -> String? {
        let total = sheetsPerCopy * copies * sidesPerSheet
        guard pages > 0, total > 0 else { return nil }
        var side = max(0, sides) + 1
        if side <= total, isBlank(side: side, sidesPerSheet: sidesPerSheet) { side += 1 }
        guard side <= total else { return nil }
        let place = place(ofSide: side, sidesPerSheet: sidesPerSheet)
        let progress = PageProgress(
            pages: pages, copies: copies, copy: place.copy,
            completed: pages(onFirst: place.impressions - 1, sidesPerSheet))
        return progress.words(at: min(progress.completed + 1, pages))
    }

    /// Which copy a side belongs to, and how many sides of that copy have something on them up to and with it.
    private func place(ofSide side: Int, sidesPerSheet: Int) -> (copy: Int, impressions: Int) {
        let (sheet, face) = (side - 1).quotientAndRemainder(dividingBy: sidesPerSheet)
        let (copy, place) =
            collated ? sheet.quotientAndRemainder(dividingBy: sheetsPerCopy) : (sheet % copies, sheet / copies)
        let isBlank = isBlank(side: side, sidesPerSheet: sidesPerSheet)
        let before = place * sidesPerSheet - blankPlaces.count { $0 < place }
        return (copy + 1, before + face + (isBlank ? 0 : 1))
    }

    /// The pages on the first sides of a copy that have something on them.
    private func pages(onFirst impressions: Int, _ sidesPerSheet: Int) -> Int {
        let left = sheetsPerCopy * sidesPerSheet - blankBacks.count - impressions
        // Each side that is left has a page at least.
        return left <= 0 ? pages : max(0, min(impressions * pagesPerSide, pages - left))
    }
}
