// Examines the files of documents.

import DocumentFiles
import FoundationEssentials
import Glibc
import PrintModel

/// A namespace for functions that examine the files of documents.
enum DocumentKind {
    /// Returns the type of the document at a URL; `nil` for an unknown type, a URL that is not a file, or a file that
    /// cannot be read.
    static func type(of url: URL) -> DocumentType? { url.isFileURL ? type(of: url.path) : nil }

    static func type(of path: String, declared: DocumentFormat? = nil) -> DocumentType? {
        let format = try? DocumentTypes.builtIn.identify(InputDocument(path: path, format: declared))
        return format.flatMap { DocumentTypes.builtIn.type(for: $0) }
    }

    static func size(of path: String) -> Int? {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : nil
    }

    /// The program must not open other kinds of files: opening a named pipe can block until a writer opens the pipe.
    static func isRegularFile(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}

extension DocumentType {
    /// The names of icons for documents of this type (Icon Naming Specification 0.8), the best icon first.
    var iconNames: [String] {
        let exact = formats.first.map { format in
            String(format.rawValue.map { $0 == "/" ? "-" : $0 })
        }
        return [exact, genericIconName].compactMap(\.self)
    }

    private var genericIconName: String {
        switch converter {
        case .image, .drawing: return "image-x-generic"
        case .text, .sourceCode, .markdown, .postScript, .email: return "text-x-generic"
        case .html: return "text-html"
        case .book: return "x-office-document"
        case .table: return "x-office-spreadsheet"
        case .pages:
            let isImage = formats.first?.rawValue.hasPrefix("image/") == true
            return isImage ? "image-x-generic" : "x-office-document"
        case .office, .preview:
            let name = identifier.lowercased()
            if ["sheet", "excel", "numbers"].contains(where: { name.contains($0) }) { return "x-office-spreadsheet" }
            if ["presentation", "powerpoint", "keynote"].contains(where: { name.contains($0) }) {
                return "x-office-presentation"
            }
            return "x-office-document"
        case .program: return "x-office-document"
        }
    }
}
