// Divides long pages over the pieces of a paper roll.

/// The pieces of a paper roll on which the pages of a job keep their size.
///
/// A receipt of 80 mm × 2.1 m on a roll of 101.6 mm from which the printer cuts at most 2 m is printed on two pieces:
///
///     RollPieces(pages: [[receipt]], imposition: plan.imposition)?.counts     // [[2]]
package struct RollPieces: Hashable, Sendable, Codable {
    /// The paper of each piece.
    package var paper: PrintPaper
    /// The number of pieces of each selected page, for each document.
    package var counts: [[Int]]

    /// Chooses the length of the pieces; nil if the pages need no other length than that of the imposition's paper.
    ///
    /// The pieces are as long as the longest page. If the printer cannot print this length, the page is divided into
    /// equal parts. Pages that are wider than the roll are scaled to the piece.
    ///
    /// - Parameter pages: The sizes of the selected pages of each document, in points; nil for images without a size.
    package init?(pages: [[Size?]], imposition: Imposition) {
        guard let roll = imposition.roll else { return nil }
        let loaded = imposition.paper
        let lengths = pages.map { $0.map { $0.flatMap { loaded.lengthOnRoll(ofPage: $0) } } }
        let isLonger = zip(pages.joined(), lengths.joined()).contains { page, length in
            guard let page, length != nil else { return false }
            return !loaded.holds(page)
        }
        guard isLonger, let longest = lengths.joined().compactMap({ $0 }).max() else { return nil }
        var paper = PrintPaper(media: loaded.media, margins: roll.margins, type: loaded.type)
        let ends = roll.margins.top.points + roll.margins.bottom.points
        let most = Length(hundredths: roll.height.upperBound).points
        guard most > ends else { return nil }
        let parts = longest <= most + PrintPaper.tolerance ? 1 : (longest / (most - ends)).rounded(.up)
        let length = parts == 1 ? longest : longest / parts + ends
        // Rounded up, so that the parts contain the whole page.
        let hundredths = Int((length * 2540 / 72 - 0.001).rounded(.up))
        paper.media = .of(
            width: loaded.media.width,
            height: Length(hundredths: min(max(hundredths, roll.height.lowerBound), roll.height.upperBound)))
        self.paper = paper
        counts = lengths.map { $0.map { length in length.map(paper.pieceCount(ofLength:)) ?? 1 } }
    }

    /// A sentence for users about the pieces.
    package var note: String {
        let most = counts.joined().max() ?? 1
        let size = paper.media.localizedName
        return most > 1
            ? "the longest page is printed on \(most) pieces of the roll, each \(size)"
            : "the roll is used at the length of the longest page (\(size))"
    }

    /// The number of pieces for each page, rounded up.
    package var piecesPerPage: Int {
        let (pages, pieces) = counts.joined().reduce((0, 0)) { ($0.0 + 1, $0.1 + $1) }
        return pages == 0 ? 1 : (pieces + pages - 1) / pages
    }
}

extension PrintPaper {
    /// The tolerance for rounded page sizes, in points: A4 is 595.28 × 841.89 points, and most files state 595 × 842.
    static let tolerance = 1.0

    /// Returns whether a page keeps its size on this paper, upright or turned.
    fileprivate func holds(_ page: Size) -> Bool {
        func fits(_ page: Size) -> Bool {
            page.width <= paperSize.width + Self.tolerance && page.height <= paperSize.height + Self.tolerance
        }
        return fits(page) || fits(page.turned)
    }

    /// Returns the length of a page along the roll, in points; nil if the page is wider than the roll.
    fileprivate func lengthOnRoll(ofPage page: Size) -> Double? {
        if page.width <= paperSize.width + Self.tolerance { return page.height }
        return page.height <= paperSize.width + Self.tolerance ? page.width : nil
    }

    /// Returns the number of pieces of this paper that a page of the given length in points needs.
    func pieceCount(ofLength length: Double) -> Int {
        guard length > paperSize.height + Self.tolerance, printableRect.height > 0 else { return 1 }
        return max(1, Int(((length - Self.tolerance) / printableRect.height).rounded(.up)))
    }
}

extension PrintPlan {
    /// Returns the plan for a document that was laid out on pieces of the roll; nil leaves the plan unchanged.
    ///
    /// Pieces that the printer cannot cut also leave the plan unchanged, because a worker may return anything.
    package func cut(into pieces: RollPieces?) -> PrintPlan {
        guard let pieces, let roll = imposition.roll, roll.contains(pieces.paper.media),
            pieces.paper.media.width == imposition.paper.media.width
        else { return self }
        var plan = self
        plan.imposition.paper = pieces.paper
        plan.device.paper = pieces.paper
        return plan
    }
}
