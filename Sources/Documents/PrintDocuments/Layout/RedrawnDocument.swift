// Redraws documents that only the renderer can read.

import DocumentFiles
import PrintModel
import PrintRaster

/// A namespace for functions that draw a document into a new PDF with poppler.
///
/// The functions are used for documents that libqpdf cannot read.
enum RedrawnDocument {
    /// Returns whether poppler can possibly read a document for which libqpdf reported the given error.
    static func mayHelp(after error: WorkError) -> Bool {
        [.damaged, .noPages, .unsupportedFormat].contains(error.code)
    }

    /// Redraws a document, and opens the result.
    ///
    /// - Parameters:
    ///   - error: The reason why libqpdf refused the document.
    ///   - output: The output file of the preparation, which this function does not write. The redrawn document is a
    ///     temporary file in the same folder, and is deleted as soon as it is open.
    /// - Throws: `WorkError` when the renderer cannot read the document either.
    static func open(
        _ document: InputDocument, after error: WorkError, beside output: String
    ) throws(WorkError) -> OpenDocument {
        let scratch = ScratchFile(beside: output)
        let count: Int
        var missing: [Int] = []
        do throws(RasterError) {
            let pdf = try PDFDocument(path: document.path, password: document.password)
            count = pdf.hasMarks ? pdf.pageCount : 0
            if count > 0 { missing = try pdf.redraw(to: scratch.path) }
        } catch let failure {
            throw WorkError(error.code, error.message, detail: failure.description)
        }
        guard count > missing.count else { throw error }
        let name = document.nameInMessages
        let pages = count == 1 ? "its page was" : "its \(count) pages were"
        return try withExtendedLifetime(scratch) { () throws(WorkError) in
            try OpenDocument(
                InputDocument(path: scratch.path, format: .pdf, name: name),
                notices: ["\(name) is damaged; \(pages) drawn again as far as possible"]
                    + missing.prefix(3).map { "page \($0 + 1) of \(name) could not be drawn" })
        }
    }

    /// Returns the summary of a document that poppler can read although libqpdf refused the document.
    ///
    /// Returns nil if poppler cannot read the document either.
    static func summary(of document: InputDocument, after error: WorkError) -> DocumentSummary? {
        guard mayHelp(after: error),
            let pdf = try? PDFDocument(path: document.path, password: document.password),
            pdf.hasMarks
        else { return nil }
        let size = try? pdf.pageSize(at: 0)
        return DocumentSummary(
            format: .pdf, pageCount: pdf.pageCount,
            firstPageSize: size.map { Size(width: $0.width, height: $0.height) }, title: pdf.title,
            notices: ["\(document.nameInMessages) is damaged; its pages are drawn again as far as possible"])
    }
}

extension PDFDocument {
    /// Whether any page has visible marks.
    ///
    /// poppler often draws an unreadable page as an empty page.
    fileprivate var hasMarks: Bool {
        (0..<pageCount).contains { (try? hasMarks(outside: .zero, onPage: $0)) == true }
    }
}
