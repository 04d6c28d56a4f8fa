// Examines the files of documents.

import DocumentFiles
package import FoundationEssentials
import Glibc
package import PrintModel

/// A namespace for functions that examine the files of documents.
package enum DocumentKind {
    /// Returns the type of the document at a URL; `nil` for an unknown type, a URL that is not a file, or a file that
    /// cannot be read.
    package static func type(of url: URL) -> DocumentType? {
        url.isFileURL ? type(of: url.path, among: .builtIn) : nil
    }

    package static func type(
        of path: String, declared: DocumentFormat? = nil, among types: DocumentTypes
    ) -> DocumentType? {
        let format = try? types.identify(InputDocument(path: path, format: declared))
        return format.flatMap { types.type(for: $0) }
    }

    /// The program must not open other kinds of files: opening a named pipe can block until a writer opens the pipe.
    package static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}
