// Converts raster errors to work errors.

package import PrintModel

extension WorkError {
    /// Creates a document error from an error that occurred while pages were drawn, read or written.
    package init(_ error: RasterError) {
        let code: Code =
            switch error.code {
            case .unreadable: .damaged
            case .encrypted: .passwordRequired
            case .empty: .noPages
            case .tooLarge: .outputTooLarge
            case .writeFailed: .writeFailed
            }
        self.init(code, error.message, detail: error.cause)
    }

    static func noPageChosen(_ ranges: PageRanges, of document: String, pageCount: Int) -> WorkError {
        WorkError(
            .noPages,
            "page range \(ranges) is outside of the document: \(document) has \(pageCount)"
                + " \(pageCount == 1 ? "page" : "pages")")
    }
}
