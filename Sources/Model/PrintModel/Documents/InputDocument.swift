// Defines a submitted document and the properties found in it.

/// A document that a worker processes.
public struct InputDocument: Hashable, Sendable, Codable {
    package var path: String
    /// The format that the sender has specified; nil or `application/octet-stream` to detect the format.
    package var format: DocumentFormat?
    /// The password that opens the document; nil if the document requires no password.
    package var password: String?
    /// The document's name for users, if this name differs from the file name.
    package var name: String?
    /// The result of the document's conversion, if `path` is the converted PDF.
    package var conversion: ConvertedDocument?

    package init(path: String, format: DocumentFormat? = nil, password: String? = nil, name: String? = nil) {
        (self.path, self.format, self.password, self.name) = (path, format, password, name)
    }

    /// The name of the document in messages: its name, or the last component of its path.
    package var nameInMessages: String {
        if let name, !name.isEmpty { return name }
        return path.split(separator: "/").last.map(String.init) ?? path
    }

    /// The maximum length of a password in bytes (PWG 5100.13 §5.1).
    package static let longestPassword = 127
}

extension InputDocument: CustomDebugStringConvertible, CustomStringConvertible {
    /// The name of the document, without its password, for logs.
    public var description: String { nameInMessages }
    /// The same name, for output of values that contain the document.
    public var debugDescription: String { nameInMessages }
}

/// The properties of a document that was inspected.
public struct DocumentSummary: Hashable, Sendable, Codable {
    /// The format, detected from the content.
    package var format: DocumentFormat
    package var pageCount: Int
    /// The size of the first page as displayed, in points.
    ///
    /// The size includes the effects of crop box, rotation and user unit.
    package var firstPageSize: Size?
    /// If the password of an encrypted document is missing or wrong, an error is thrown and there is no summary.
    package var isEncrypted: Bool
    package var title: String?
    /// Descriptions of the problems in the document that were repaired, one sentence each.
    package var notices: [String]

    package init(
        format: DocumentFormat, pageCount: Int, firstPageSize: Size? = nil, isEncrypted: Bool = false,
        title: String? = nil, notices: [String] = []
    ) {
        (self.format, self.pageCount, self.firstPageSize) = (format, pageCount, firstPageSize)
        (self.isEncrypted, self.title, self.notices) = (isEncrypted, title, notices)
    }
}
