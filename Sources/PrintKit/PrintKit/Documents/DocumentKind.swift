// Detects the type of a document.

import FoundationEssentials
import Glibc
import PrintModel

/// A namespace for functions that detect the type of a document from its first bytes and its name.
enum DocumentKind {
    /// Returns the type of the document at a URL; `nil` for an unknown type, a URL that is not a file, or a file that
    /// cannot be read.
    static func type(of url: URL) -> DocumentType? {
        guard url.isFileURL, isRegularFile(url.path), let head = try? FilePrefix.read(url.path, count: 1024),
            !head.isEmpty
        else { return nil }
        return DocumentTypes.builtIn.type(ofHead: head, name: url.lastPathComponent)
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
