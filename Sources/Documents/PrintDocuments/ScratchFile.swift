// Files that exist only while a document is prepared.

import FoundationEssentials
import Glibc

/// A file beside an output, removed with its last reference.
///
/// Its name ends in `.partial`, so that one left behind by a crash is removed with other unfinished files.
final class ScratchFile {
    let path: String

    /// A name for a file beside `output`; the file is not made yet.
    init(beside output: String) { path = "\(output).\(UUID().uuidString).partial" }

    deinit { unlink(path) }
}
