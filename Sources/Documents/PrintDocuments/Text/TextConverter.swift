// Converts plain text into a PDF.

import DocumentFiles
import PrintGraphics
import PrintModel

/// A converter of plain text.
///
/// The converter draws the text in rows of monospaced characters.
struct TextConverter {
    /// Converts a text document into a PDF.
    ///
    /// - Throws: `WorkError` if the document cannot be read or is too long, or if the output cannot be written.
    static func convert(_ request: ConvertRequest) throws(WorkError) -> ConvertedDocument {
        let options = request.layout.text
        let source = try DocumentText(request.document, encoding: options.encoding)
        let lines = TextLines(source.utf8)
        let tabWidth = min(max(options.tabWidth ?? 8, 1), 32)
        let extent = lines.extent(tabWidth: tabWidth)
        let digits = options.numbersLines == true ? max(String(extent.lines).count, 4) : 0
        let gutter = digits == 0 ? 0 : digits + 2
        let grid = TextGrid(request.layout, longest: extent.longest, gutter: gutter)
        let rows = TextRows(
            text: lines.text, cells: max(grid.cells - gutter, 1),
            width: max(Double(grid.cells - gutter), 1) * grid.cell, font: grid.font, tabWidth: tabWidth,
            wraps: options.wraps ?? true)

        var header: PageHeader?
        var total = 0
        if options.hasHeader == true {
            header = PageHeader(title: request.title, date: request.layout.date)
            var counted = TextPages(grid: grid, context: nil, header: nil, total: 0, gutter: gutter)
            fill(&counted, with: rows, of: lines, digits: digits)
            total = counted.count
            guard !counted.isFull else { throw tooManyPages(request) }
        }
        let (count, isPlain) = try PDFContext.converting(request, title: request.title) { context throws(WorkError) in
            var pages = TextPages(grid: grid, context: context, header: header, total: total, gutter: gutter)
            fill(&pages, with: rows, of: lines, digits: digits)
            guard !pages.isFull else { throw tooManyPages(request) }
            return (pages.count, pages.isPlain)
        }
        let hasPlainHeader = header == nil || request.title.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        return ConvertedDocument(
            pageCount: count, notices: source.notices,
            keepsMargins: isPlain && hasPlainHeader && grid.keepsMargins(of: request.layout, gutter: gutter))
    }

    /// Fills pages with the lines of a text, up to the maximum number of pages.
    private static func fill(_ pages: inout TextPages, with rows: TextRows, of lines: TextLines, digits: Int) {
        var number = 0
        let continuation = String(repeating: " ", count: digits == 0 ? 0 : digits + 2)
        for line in lines {
            if line.isVisible {
                number += 1
                var label = ""
                if digits > 0 {
                    let text = String(number)
                    label = String(repeating: " ", count: max(digits - text.count, 0)) + text + "  "
                }
                rows.forEach(in: line.range) { row in
                    guard !pages.isFull else { return }
                    pages.add(row, label: label)
                    label = continuation
                }
            }
            if line.endsPage { pages.endPage() }
            if pages.isFull { return }
        }
        pages.finish()
    }

    private static func tooManyPages(_ request: ConvertRequest) -> WorkError {
        .tooManyPages(of: request.document, limit: TextPages.limit)
    }
}

extension WorkError {
    static func tooManyPages(of document: InputDocument, limit: Int) -> WorkError {
        WorkError(
            .outputTooLarge, "\(document.nameInMessages) has more than \(limit) pages; print the document in parts")
    }

    /// Returns the error for pages that could not be drawn or written.
    static func drawingPages(of document: InputDocument, _ error: GraphicsError) -> WorkError {
        let code: Code =
            switch error.code {
            case .writeFailed: .writeFailed
            case .tooLarge: .memoryExceeded
            default: .damaged
            }
        return WorkError(code, "cannot convert \(document.nameInMessages): \(error.message)", detail: error.cause)
    }
}

extension PDFContext {
    /// Writes the PDF of a conversion.
    ///
    /// The closure draws the pages into the current graphics context.
    ///
    /// - Throws: The error of the closure, or a `WorkError` if drawing or writing fails. After an error, no output file
    ///   exists.
    static func converting<Result>(
        _ request: ConvertRequest, title: String, _ draw: (PDFContext) throws(WorkError) -> Result
    ) throws(WorkError) -> Result {
        let context: PDFContext
        do throws(GraphicsError) {
            context = try PDFContext(path: request.output, info: DocumentInfo(title: title, creator: "printq"))
        } catch {
            throw .drawingPages(of: request.document, error)
        }
        let result = try context.draw { () throws(WorkError) in try draw(context) }
        do throws(GraphicsError) {
            try context.close()
        } catch {
            throw .drawingPages(of: request.document, error)
        }
        return result
    }
}
