// Temporary files for the preparation of a document.

import FoundationEssentials
import Glibc

/// A temporary file in the folder of an output file.
///
/// The file is removed with the last reference.
///
/// The name ends in `.partial`, so that files left behind by a crash are removed with other unfinished files.
final class ScratchFile {
    let path: String

    /// Chooses a name for a file in the folder of `output`.
    ///
    /// This initializer does not create the file.
    init(beside output: String) { path = "\(output).\(UUID().uuidString).partial" }

    deinit { unlink(path) }
}
