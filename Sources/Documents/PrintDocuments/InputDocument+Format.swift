// Detects the format of a file from its first bytes.

import DocumentFiles
import PrintModel

extension InputDocument {
    /// Returns the format that the first bytes of the file indicate.
    ///
    /// Returns nil if the format is unknown.
    ///
    /// The format that the client has declared is ignored, so that the same bytes always give the same result.
    ///
    /// - Throws: `WorkError` when the file does not exist, is not a regular file, or is empty.
    func sniffedFormat() throws(WorkError) -> DocumentFormat? {
        DocumentFormat.sniff(try DocumentReader(self).bytes(count: 1024))
    }
}
