// Draws the cover sheets of a job.

import FoundationEssentials
import PrintGraphics
import PrintModel

/// The cover sheets of a job, each a page of one PDF.
///
/// PrintGraphics draws the texts, which can be in any script.
struct CoverDrawing {
    private let text: CoverText
    private let paper: PrintPaper
    /// The lines below the title.
    private let lines: [(label: String, value: String)]

    /// Creates the drawing for a job.
    ///
    /// - Parameters:
    ///   - pages: The number of selected pages of the documents.
    ///   - sheets: The number of sheets that are printed, with cover sheets.
    ///   - copies: The number of copies that the imposition makes.
    init(_ text: CoverText, on paper: PrintPaper, pages: Int, sheets: Int, copies: Int) {
        (self.text, self.paper) = (text, paper)
        let all: [(String, String?)] = [
            ("Job", text.job.map { "\($0)" }), ("User", text.user), ("Computer", text.host),
            ("Printer", text.printer), ("Submitted", text.date.map(PageHeader.text)), ("Pages", "\(pages)"),
            ("Copies", copies > 1 ? "\(copies)" : nil), ("Sheets", "\(sheets)"),
        ]
        lines = all.compactMap { label, value in value.map { (label, $0) } }
    }

    /// Returns a PDF with one page for each cover sheet.
    ///
    /// - Throws: `WorkError` if the sheets cannot be written or read.
    func document(_ sheets: [CoverSheet], beside output: String) throws(WorkError) -> OpenDocument {
        let scratch = ScratchFile(beside: output)
        return try withExtendedLifetime(scratch) { () throws(WorkError) in
            do {
                try PDFContext.write(to: scratch.path) { pdf in
                    for sheet in sheets {
                        pdf.beginPage(bounds: Rect(origin: .zero, size: paper.paperSize))
                        draw(sheet)
                    }
                }
            } catch {
                throw WorkError(
                    .writeFailed, "the cover sheets cannot be drawn; omit the option job-sheets", detail: "\(error)")
            }
            let document = try OpenDocument(InputDocument(path: scratch.path, format: .pdf, name: "cover sheets"))
            guard try document.readPages() == sheets.count else {
                throw WorkError(.writeFailed, "the cover sheets cannot be drawn; omit the option job-sheets")
            }
            return document
        }
    }

    private func draw(_ sheet: CoverSheet) {
        var area = paper.printableRect
        // 13 points on common paper; less on labels.
        let base = max(2, min(13, area.width / 30, area.height / 24))
        let inset = min(2 * base, Length.millimeters(12).points)
        area = Rect(
            x: area.minX + inset, y: area.minY + inset, width: area.width - 2 * inset,
            height: area.height - 2 * inset)
        Color.black.setFill()
        if let classification = sheet.classification {
            let font = Font.boldSystem(ofSize: 2.4 * base)
            let height = classification.size(with: font).height
            for y in [area.minY, area.maxY - height] {
                classification.draw(
                    in: Rect(x: area.minX, y: y, width: area.width, height: height + 1), with: font,
                    lineBreakMode: .byClipping, alignment: .center)
            }
            area = Rect(
                x: area.minX, y: area.minY + height + 2 * base, width: area.width,
                height: area.height - 2 * height - 4 * base)
        }
        var y = area.minY
        if let title = text.title, !title.isEmpty {
            let font = Font.boldSystem(ofSize: 2 * base)
            let most = title.size(with: font, constrainedTo: Size(width: area.width, height: 10 * base))
            title.draw(in: Rect(x: area.minX, y: y, width: area.width, height: most.height + 1), with: font)
            y += most.height + base
            var rule = BezierPath()
            rule.lineWidth = base / 12
            rule.move(to: Point(x: area.minX, y: y))
            rule.addLine(to: Point(x: area.maxX, y: y))
            Color.black.setStroke()
            rule.stroke()
            y += base
        }
        let font = Font.system(ofSize: base)
        let labels = (lines.map { $0.label.size(with: font).width }.max() ?? 0) + 2 * base
        for line in lines {
            let width = max(1, area.width - labels)
            let size = line.value.size(with: font, constrainedTo: Size(width: width, height: 4 * base))
            guard y + size.height <= area.maxY + 1 else { break }
            line.label.draw(at: Point(x: area.minX, y: y), with: font)
            line.value.draw(
                in: Rect(x: area.minX + labels, y: y, width: width, height: size.height + 1), with: font)
            y += size.height + base * 0.6
        }
    }
}
