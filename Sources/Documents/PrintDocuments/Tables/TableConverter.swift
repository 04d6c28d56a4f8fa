// Converts comma-separated or tab-separated values into a PDF.

import DocumentFiles
import PrintGraphics
import PrintModel

/// A converter of tables.
///
/// The columns fit their content, and each page repeats the header row.
struct TableConverter {
    /// The maximum number of columns of a table.
    private static let mostColumns = 2000

    private let layout: TableLayout
    private let regular: (font: Font, widths: CharacterWidths)
    private let bold: (font: Font, widths: CharacterWidths)

    /// Converts a table into a PDF.
    ///
    /// - Throws: `WorkError` if the document cannot be read or is too long, or if the output cannot be written.
    static func convert(_ request: ConvertRequest) throws(WorkError) -> ConvertedDocument {
        let source = try DocumentText(request.document, encoding: request.layout.text.encoding)
        let isTabSeparated = request.type.formats.contains(DocumentFormat(rawValue: "text/tab-separated-values"))
        let table = DelimitedRecords(
            source.utf8, delimiter: DelimitedRecords.delimiter(of: source.utf8, isTabSeparated: isTabSeparated))
        let (font, boldFont) = (
            Font(family: "DejaVu Sans", size: 9), Font(family: "DejaVu Sans", size: 9, weight: .bold)
        )
        let (widths, boldWidths) = (CharacterWidths(font), CharacterWidths(boldFont))
        let measured = TableMeasurements(table, regular: widths, bold: boldWidths)
        guard measured.widths.count <= mostColumns else {
            throw WorkError(
                .outputTooLarge,
                "\(request.document.nameInMessages) has \(measured.widths.count) columns, but at most "
                    + "\(mostColumns) columns can be printed; print fewer columns")
        }

        let pageSize = request.layout.pageSize
        let content = request.layout.contentArea(of: pageSize, margin: TextGrid.margin)
        let layout = TableLayout(relativeWidths: measured.widths, width: content.width)
        let converter = TableConverter(
            layout: layout, regular: (font.withSize(layout.fontSize), widths),
            bold: (boldFont.withSize(layout.fontSize), boldWidths))
        let geometry = TablePages.Geometry(
            pageSize: pageSize, content: content, layout: layout,
            isNumeric: measured.widths.indices.map(measured.isNumeric), regular: converter.regular.font,
            bold: converter.bold.font, lineHeight: layout.fontSize * 1.25)
        var notices = source.notices
        if measured.cutCells > 0 {
            let cells = measured.cutCells == 1 ? "1 cell" : "\(measured.cutCells) cells"
            notices.append("the text of \(cells) was cut off after \(TableCell.limit) bytes")
        }
        let (count, isPlain) = try PDFContext.converting(request, title: request.title) { context throws(WorkError) in
            try converter.draw(table, measured, geometry, on: context, request, &notices)
        }
        let hasPlainTitle = request.title.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        return ConvertedDocument(
            pageCount: count, notices: notices,
            keepsMargins: isPlain && hasPlainTitle
                && request.layout.keepsMargins(content, of: pageSize, overhang: geometry.lineHeight))
    }

    private func draw(
        _ table: DelimitedRecords, _ measured: TableMeasurements, _ geometry: TablePages.Geometry,
        on context: PDFContext, _ request: ConvertRequest, _ notices: inout [String]
    ) throws(WorkError) -> (pages: Int, isPlain: Bool) {
        var records = table
        var header = measured.hasHeader ? records.next().map { row($0, regular: bold) } : nil
        let mostLines = geometry.lines(fitting: geometry.rowsHeight / 2)
        if let cut = header, cut.lineCount > mostLines {
            header?.lineCount = mostLines
            header?.cells = cut.cells.map { cell in
                if case .lines(let lines) = cell { .lines(Array(lines.prefix(mostLines))) } else { cell }
            }
            notices.append("the header row was cut off, because the row is higher than half a page")
        }
        var pages = TablePages(geometry: geometry, context: context, title: request.title, header: header)
        while let record = records.next() {
            pages.add(row(record, regular: regular))
            if pages.count > TextPages.limit { break }
        }
        pages.finish()
        guard pages.count <= TextPages.limit else { throw .tooManyPages(of: request.document, limit: TextPages.limit) }
        return (pages.count, pages.isPlain)
    }

    /// Lays out the cells of a record as a row.
    private func row(_ record: [DelimitedRecords.Field], regular: (font: Font, widths: CharacterWidths)) -> TableRow {
        var lineCount = 1
        let cells = record.enumerated().map { column, field -> TableRow.Cell in
            let text = TableCell.text(field).bytes
            let room = layout.widths[column] - 2 * TableLayout.padding
            guard !text.isEmpty else { return .empty }
            let isPlain = text.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
            if isPlain, regular.widths.width(of: text) * layout.fontSize <= room { return .plain(text) }
            let lines = Framesetter(String(decoding: text, as: UTF8.self), font: regular.font)
                .frame(in: Rect(x: 0, y: 0, width: max(room, 1), height: 1e7)).lines
            lineCount = max(lineCount, lines.count)
            return lines.isEmpty ? .empty : .lines(lines)
        }
        return TableRow(cells: cells, lineCount: lineCount)
    }
}
