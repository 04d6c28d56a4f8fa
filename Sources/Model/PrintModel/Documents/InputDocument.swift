// Defines a submitted document and the properties found in it.

/// A document that a worker processes.
public struct InputDocument: Hashable, Sendable, Codable {
    /// The path of the document's file.
    public var path: String
    /// The format that the sender has specified; nil or `application/octet-stream` to detect the format.
    public var format: DocumentFormat?
    /// The password that opens the document; nil if the document requires no password.
    public var password: String?
    /// The document's name for users, if this name differs from the file name.
    public var name: String?
    /// The result of the document's conversion, if `path` is the converted PDF.
    ///
    /// The value is nil for a document that was not converted.
    public var conversion: ConvertedDocument?

    /// Creates a document from a file.
    public init(path: String, format: DocumentFormat? = nil, password: String? = nil, name: String? = nil) {
        self.path = path
        self.format = format
        self.password = password
        self.name = name
    }
}

/// The properties of a document that was inspected.
public struct DocumentSummary: Hashable, Sendable, Codable {
    /// The format, detected from the content.
    public var format: DocumentFormat
    /// The number of pages of the document.
    public var pageCount: Int
    /// The size of the first page as displayed, in points.
    ///
    /// The size includes the effects of crop box, rotation and user unit.
    public var firstPageSize: Size?
    /// Whether the document is encrypted.
    ///
    /// If the password of an encrypted document is missing or wrong, an error is thrown and there is no summary.
    public var isEncrypted: Bool
    /// The title; nil if the document has no title.
    public var title: String?
    /// Descriptions of the problems in the document that were repaired, one sentence each.
    public var notices: [String]

    /// Creates a summary of a document.
    public init(
        format: DocumentFormat, pageCount: Int, firstPageSize: Size? = nil, isEncrypted: Bool = false,
        title: String? = nil, notices: [String] = []
    ) {
        self.format = format
        self.pageCount = pageCount
        self.firstPageSize = firstPageSize
        self.isEncrypted = isEncrypted
        self.title = title
        self.notices = notices
    }
}
