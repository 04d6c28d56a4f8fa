// Writes the PDF of a conversion.

import PrintModel
import PrintRaster

/// The PDF file that a conversion writes.
///
/// Until the PDF is complete, the file has a temporary name in the folder of the final path. If this object is released
/// before `finish()`, the temporary file is removed.
final class ConvertedFile {
    private let file: FileReplacement

    /// Creates the temporary file.
    ///
    /// - Throws: `WorkError.writeFailed`.
    init(path: String) throws(WorkError) {
        do throws(RasterError) { file = try FileReplacement(path: path) } catch { throw WorkError(error) }
    }

    /// Appends bytes to the temporary file.
    ///
    /// - Throws: `WorkError.writeFailed`.
    func append(_ bytes: [UInt8]) throws(WorkError) {
        do throws(RasterError) { try file.append(bytes) } catch { throw WorkError(error) }
    }

    /// Renames the temporary file to its final name.
    ///
    /// - Throws: `WorkError.writeFailed`.
    func finish() throws(WorkError) {
        do throws(RasterError) { try file.finish() } catch { throw WorkError(error) }
    }
}
