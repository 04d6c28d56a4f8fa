// Errors of pixels as errors of work.

import PrintModel

extension WorkError {
    /// What a failure to draw or to write means for the document.
    init(_ error: RasterError) {
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
            "\(document) has \(pageCount) \(pageCount == 1 ? "page" : "pages"), and none of them is among the pages"
                + " \(ranges); choose others")
    }
}
