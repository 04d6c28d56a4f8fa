// Places page numbers, headers, watermarks and cut marks on the sides of sheets.

import CQPDF
import FoundationEssentials
import Glibc
import PrintModel

/// The texts and marks that are drawn on printed sides in addition to the pages.
///
/// Each distinct drawing (`OverlayDrawing`) becomes a page of one PDF. `cqpdf_impose` places this page as a form
/// XObject, so text and lines stay vectors. A watermark that is the same on all sides is stored only once.
struct SideOverlays {
    /// The positions of drawings on one printed side: drawings under the pages, and drawings over the pages.
    typealias Placements = (under: [cqpdf_placement], over: [cqpdf_placement])

    private let imposition: Imposition
    private let documents: [OpenDocument]
    /// The index of the PDF that contains the drawings.
    ///
    /// The index refers to the plan's list of documents.
    private let index: Int
    /// The page numbering of each document: the number of pages that precede the first page of the document, and the
    /// total number of pages.
    ///
    /// Joined documents are numbered as one document. Documents that are not joined are numbered separately.
    private let numbering: [(before: Int, total: Int)]
    /// The numbering of each side: the number of the side in its document, and the total number of sides of this
    /// document.
    ///
    /// Joined documents are numbered as one document.
    private let sideNumbering: [(number: Int, total: Int)]
    private let date: String
    private var drawings: [OverlayDrawing: Int] = [:]

    /// Creates the texts and marks for the sides of documents.
    ///
    /// - Parameter firstDocument: The index for the PDF of all drawings. The index refers to the plan's list of
    ///   documents.
    init(_ documents: [OpenDocument], imposition: Imposition, sides: [SheetSequence.Side], firstDocument: Int) {
        self.imposition = imposition
        self.documents = documents
        index = firstDocument
        date = imposition.texts?.header?.contains("{date}") == true ? Self.today() : ""
        guard imposition.texts != nil else {
            (numbering, sideNumbering) = ([], [])
            return
        }
        let isJoined = imposition.documentJoining != nil
        let counts = documents.map(\.pageCount)
        let all = counts.reduce(0, +)
        numbering = counts.indices.map { isJoined ? (counts[..<$0].reduce(0, +), all) : (0, counts[$0]) }
        let owners = sides.map { side in
            // Cover sheets are not numbered.
            side.cover != nil ? -1 : isJoined ? 0 : side.places.lazy.compactMap { $0 }.first?.document ?? 0
        }
        let totals = Dictionary(owners.map { ($0, 1) }, uniquingKeysWith: +)
        var seen: [Int: Int] = [:]
        sideNumbering = owners.map { owner in
            seen[owner, default: 0] += 1
            return (seen[owner] ?? 1, totals[owner] ?? 1)
        }
    }

    /// Returns the positions of the texts and marks on a printed side.
    ///
    /// - Parameter number: The index of the side in the plan, from 0.
    mutating func placements(on side: SheetSequence.Side, number: Int, _ layout: SideLayout) -> Placements {
        var result: Placements = ([], [])
        if let poster = layout.poster, let tile = side.places.first??.tile {
            let marks = OverlayDrawing.Content.cutMarks(poster, tile: tile)
            result.over.append(place(marks, in: layout.printableRect, layout))
        }
        guard let texts = imposition.texts else { return result }
        for (place, region) in regions(of: side, layout) {
            if let watermark = texts.watermark {
                // A watermark over the content multiplies, so that the content stays readable.
                let isOver = texts.watermarkLayer == .over
                let drawn = self.place(.watermark(watermark), in: region, layout, multiplies: isOver)
                if isOver { result.over.append(drawn) } else { result.under.append(drawn) }
            }
            let lines = lines(texts, for: place, side: number)
            if !lines.isEmpty { result.over.append(self.place(.lines(lines), in: region, layout)) }
        }
        return result
    }

    /// Returns the PDF with all drawings; nil if no side has drawings.
    ///
    /// - Throws: `WorkError` if the drawings cannot be written or read.
    func document(beside output: String) throws(WorkError) -> OpenDocument? {
        guard !drawings.isEmpty else { return nil }
        let scratch = ScratchFile(beside: output)
        return try withExtendedLifetime(scratch) { () throws(WorkError) in
            try OverlayDrawing.write(drawings.sorted { $0.value < $1.value }.map(\.key), to: scratch.path)
            let overlay = try OpenDocument(InputDocument(path: scratch.path, format: .pdf, name: "page texts"))
            guard try overlay.readPages() == drawings.count else {
                throw WorkError(
                    .writeFailed, "the page numbers, header, footer or watermark cannot be drawn; omit these options")
            }
            return overlay
        }
    }

    /// Returns the areas in which texts are drawn on a side, with the page in each area.
    ///
    /// On a side of a booklet, each page is a separate area. Any other side is a single area.
    private func regions(
        of side: SheetSequence.Side, _ layout: SideLayout
    ) -> [(place: SheetSequence.Place, region: Rect)] {
        if imposition.booklet != nil {
            return zip(side.places, layout.cells).compactMap { place, cell in place.map { ($0, cell) } }
        }
        return side.places.lazy.compactMap { $0 }.prefix(1).map { ($0, layout.printableRect) }
    }

    /// Returns the header text and the page number for an area of a side.
    ///
    /// An area with one whole page, such as half a side of a booklet, shows the number of the page in its document. An
    /// area with several pages, or with a part of a poster, shows the number of the side.
    private func lines(_ texts: PageTexts, for place: SheetSequence.Place, side: Int) -> [OverlayDrawing.Line] {
        let isPage = imposition.poster == nil && imposition.numberUp.count == 1
        let (before, pages) = numbering[place.document]
        let number = isPage ? before + place.page : sideNumbering[side].number
        let total = isPage ? pages : sideNumbering[side].total
        var lines: [OverlayDrawing.Line] = []
        if let header = texts.header {
            let values = ["page": "\(number)", "pages": "\(total)", "date": date, "title": title(of: place.document)]
            let isTopLeft = texts.pageNumbers == .topLeft
            lines.append(.init(text: header.filled(with: values), position: isTopLeft ? .topRight : .topLeft))
        }
        if let position = texts.pageNumbers {
            let text = texts.pageNumberFormat == .number ? "\(number)" : "\(number) / \(total)"
            lines.append(.init(text: text, position: position))
        }
        return lines
    }

    private func title(of document: Int) -> String {
        guard let title = documents[document].title, !title.allSatisfy(\.isWhitespace) else {
            return documents[document].name
        }
        return title
    }

    /// Registers a drawing for an area of a side, and returns the position of the drawing on the side.
    private mutating func place(
        _ content: OverlayDrawing.Content, in region: Rect, _ layout: SideLayout, multiplies: Bool = false
    ) -> cqpdf_placement {
        let drawing = OverlayDrawing(content: content, size: region.size)
        let page = drawings[drawing] ?? drawings.count + 1
        drawings[drawing] = page
        return cqpdf_placement(
            layout.placement(ofDrawingIn: region), document: index, page: page, isOverlay: true,
            multiplies: multiplies)
    }

    /// Returns the local date in the form `2030-01-31`.
    private static func today() -> String {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    }
}

extension String {
    /// Replaces placeholders in braces, such as `{page}`.
    ///
    /// The function replaces neither unknown placeholders nor placeholders within inserted text.
    fileprivate func filled(with values: [String: String]) -> String {
        var result = ""
        var rest = self[...]
        while let open = rest.firstIndex(of: "{") {
            result += rest[..<open]
            rest = rest[open...]
            guard let close = rest.firstIndex(of: "}"), let value = values[String(rest[..<close].dropFirst())] else {
                result.append(rest.removeFirst())
                continue
            }
            result += value
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}
