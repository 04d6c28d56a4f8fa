// Shows pages of documents that stay open.

package import PrintModel
import PrintRaster

extension DocumentWorker {
    /// Initializes the libraries that draw pages, in a process that forks workers.
    package static func warmUp() { PDFDocument.warmUp() }

    /// Opens documents for viewing.
    ///
    /// - Returns: The sizes and properties of the pages, and a function that executes view commands.
    /// - Throws: `WorkError` if a document cannot be opened.
    package static func view(
        _ request: ViewRequest
    ) throws(WorkError) -> (pages: OpenedPages, answer: (ViewCommand) throws(WorkError) -> WorkerLine) {
        let view = try PageView(request)
        return (view.pages, { (command) throws(WorkError) in try view.answer(command) })
    }
}
