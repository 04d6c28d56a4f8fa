// Detects the format of a file from its first bytes.

import DocumentFiles
import PrintModel

extension InputDocument {
    /// Returns the format that the first bytes of the file indicate.
    ///
    /// Returns nil if the format is unknown.
    ///
    /// The function ignores the format that the client declared, so the same bytes always have the same format.
    ///
    /// - Throws: `WorkError` when the file does not exist, is not a regular file, or is empty.
    func sniffedFormat() throws(WorkError) -> DocumentFormat? {
        DocumentFormat.sniff(try DocumentReader(self).bytes(count: 1024))
    }
}
