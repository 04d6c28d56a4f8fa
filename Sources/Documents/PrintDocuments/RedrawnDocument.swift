// Documents that only the renderer can read.

import PrintModel
import PrintRaster

/// Documents whose pages poppler draws into a new PDF, because libqpdf cannot read them.
enum RedrawnDocument {
    /// Whether the renderer may be able to read a document which was refused.
    static func mayHelp(after error: WorkError) -> Bool {
        [.damaged, .noPages, .unsupportedFormat].contains(error.code)
    }

    /// Draws a document again, and opens the result.
    ///
    /// - Parameters:
    ///   - error: Why libqpdf refused the document.
    ///   - output: The file beside which the result is written; it is removed at once.
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
        let name = WorkError.name(of: document)
        let pages = count == 1 ? "its page was" : "its \(count) pages were"
        return try withExtendedLifetime(scratch) { () throws(WorkError) in
            try OpenDocument(
                InputDocument(path: scratch.path, format: .pdf, name: name),
                notices: ["\(name) is damaged; \(pages) drawn again as far as possible"]
                    + missing.prefix(3).map { "page \($0 + 1) of \(name) could not be drawn" })
        }
    }

    /// What the renderer knows of a document that was refused; nil when it cannot read the document either.
    static func summary(of document: InputDocument, after error: WorkError) -> DocumentSummary? {
        guard mayHelp(after: error),
            let pdf = try? PDFDocument(path: document.path, password: document.password),
            pdf.hasMarks
        else { return nil }
        let size = try? pdf.pageSize(at: 0)
        return DocumentSummary(
            format: .pdf, pageCount: pdf.pageCount,
            firstPageSize: size.map { Size(width: $0.width, height: $0.height) }, title: pdf.title,
            notices: ["\(WorkError.name(of: document)) is damaged; its pages are drawn again as far as possible"])
    }
}

extension PDFDocument {
    /// Whether a page has visible marks: a page that cannot be read is often drawn as an empty one.
    fileprivate var hasMarks: Bool {
        (0..<pageCount).contains { (try? hasMarks(outside: .zero, onPage: $0)) == true }
    }
}
