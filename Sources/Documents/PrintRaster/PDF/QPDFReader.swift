// libqpdf, for what poppler cannot tell of a document.

import CQPDFReader

/// Readers of libqpdf's C interface.
enum QPDFReader {
    /// Lends out a reader that prints nothing; returns nil when there is no memory for it.
    static func with<T>(_ body: (qpdf_data) -> T?) -> T? {
        var reader = qpdf_init()
        guard let open = reader else { return nil }
        qpdf_silence_errors(open)
        qpdf_set_suppress_warnings(open, QPDF_TRUE)
        defer {
            // An error that nobody has looked at would be printed.
            qpdf_get_error(open)
            qpdf_cleanup(&reader)
        }
        return body(open)
    }
}
