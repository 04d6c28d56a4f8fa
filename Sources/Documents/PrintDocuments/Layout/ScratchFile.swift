// Temporary files for the preparation of a document.

import FoundationEssentials
import Glibc

/// A temporary file in the folder of an output file.
///
/// The file is removed when the last reference to this object is released. The name ends in `.partial`. Therefore a
/// file that remains after a crash is removed with other unfinished files.
final class ScratchFile {
    let path: String

    /// Chooses a name for a temporary file in the folder of `output`.
    ///
    /// The initializer does not create the file.
    init(beside output: String) { path = "\(output).\(UUID().uuidString).partial" }

    deinit { unlink(path) }
}
