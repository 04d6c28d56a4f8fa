// Reads PDF files with libqpdf.

import CQPDFReader

/// A namespace for functions that use libqpdf's C interface.
enum QPDFReader {
    /// Calls `body` with a libqpdf reader that prints no messages; returns nil if there is not enough memory.
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
