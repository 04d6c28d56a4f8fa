// Reads the desktop's database of file types.

import CGio
import PrintModel

/// The desktop's database of file types, read by GIO (Shared MIME-info Database 0.21).
enum SharedMIMEDatabase {
    /// The number of bytes from the beginning of a file that identify most types.
    static let headLength = 16_384

    /// Returns the media type that the name and the first bytes of a file indicate; `nil` if the type is unknown.
    ///
    /// A name that belongs to one type takes precedence over the bytes.
    static func format(name: String, head: [UInt8]) -> DocumentFormat? {
        guard let type = text(g_content_type_guess(name, head, gsize(head.count), nil)) else { return nil }
        let format = DocumentFormat(rawValue: type)
        return format == .octetStream || type == "application/x-zerosize" ? nil : format
    }

    /// Returns the media type that the database uses for a type with several names.
    static func canonical(_ format: DocumentFormat) -> DocumentFormat {
        text(g_content_type_from_mime_type(format.rawValue)).map(DocumentFormat.init(rawValue:)) ?? format
    }

    /// Returns whether each document of the first type is also a document of the second type.
    ///
    /// Each text is a document of the type `text/plain`, and each file is one of `application/octet-stream`.
    static func isA(_ format: DocumentFormat, _ other: DocumentFormat) -> Bool {
        g_content_type_is_a(format.rawValue, other.rawValue) != 0
    }

    /// Returns the name of a type for users in the language of the locale; `nil` if the database does not contain the
    /// type.
    static func name(of format: DocumentFormat) -> String? {
        // GIO returns the media type with the word "type" for a type that the database does not contain.
        text(g_content_type_get_description(format.rawValue)).flatMap { $0.contains(format.rawValue) ? nil : $0 }
    }

    /// Returns the names of the icons for a type, the best icon first (Icon Naming Specification).
    static func iconNames(of format: DocumentFormat) -> [String] {
        guard let icon = g_content_type_get_icon(format.rawValue) else { return [] }
        defer { g_object_unref(UnsafeMutableRawPointer(icon)) }
        // A GThemedIcon is a GIcon; Swift does not import the casts of GObject.
        guard let names = g_themed_icon_get_names(icon) else { return [] }
        var found: [String] = []
        var next = names
        while let name = next.pointee {
            found.append(String(cString: name))
            next += 1
        }
        return found.filter { !$0.hasSuffix("-symbolic") }
    }

    /// Returns a text that GIO has allocated, and frees the text.
    private static func text(_ string: UnsafeMutablePointer<CChar>?) -> String? {
        guard let string else { return nil }
        defer { g_free(string) }
        return String(cString: string)
    }
}
