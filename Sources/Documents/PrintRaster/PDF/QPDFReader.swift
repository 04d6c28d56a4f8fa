// Reads PDF files with libqpdf.

import CQPDFReader

/// A namespace for readers of libqpdf's C interface.
enum QPDFReader {
    /// Calls `body` with a reader that prints no messages; returns nil when there is not enough memory.
    static func with<T>(_ body: (qpdf_data) -> T?) -> T? {
        var reader = qpdf_init()
        guard let open = reader else { return nil }
        qpdf_silence_errors(open)
        qpdf_set_suppress_warnings(open, QPDF_TRUE)
        defer {
            // libqpdf prints errors that were not read.
            qpdf_get_error(open)
            qpdf_cleanup(&reader)
        }
        return body(open)
    }
}
