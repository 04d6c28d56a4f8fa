// Writes the PDF of a conversion.

import PrintModel
import PrintRaster
import SafeFiles

/// The PDF file that a conversion writes.
typealias ConvertedFile = AtomicFile<WorkError>

extension AtomicFile where Failure == WorkError {
    /// Creates the temporary file.
    ///
    /// - Throws: `WorkError.writeFailed`.
    convenience init(path: String) throws(WorkError) {
        try self.init(path: path, mode: OutputFileMode.mode) {
            WorkError(RasterError.writeFailed(path, cause: $0.description))
        }
    }
}
