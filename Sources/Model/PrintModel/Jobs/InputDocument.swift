// A document that someone sent, and what it turned out to be.

/// A document to be worked on.
public struct InputDocument: Hashable, Sendable, Codable {
    /// The path of the file.
    public var path: String
    /// What the sender says it is; nil or `application/octet-stream` when it must be found out.
    public var format: DocumentFormat?
    /// The password that opens it, if it needs one.
    public var password: String?
    /// What people call it, where that is not the file's name.
    public var name: String?

    /// A document in a file.
    public init(path: String, format: DocumentFormat? = nil, password: String? = nil, name: String? = nil) {
        self.path = path
        self.format = format
        self.password = password
        self.name = name
    }
}

/// What a document turned out to be.
public struct DocumentSummary: Hashable, Sendable, Codable {
    /// Its format, by content.
    public var format: DocumentFormat
    /// The number of its pages.
    public var pageCount: Int
    /// The size of the first page as it is seen (crop box, rotation and user unit respected), in points.
    public var firstPageSize: Size?
    /// Whether it is encrypted (it was opened all the same).
    public var isEncrypted: Bool
    /// Its title, if it says one.
    public var title: String?
    /// What was wrong with it and mended, in words.
    public var notices: [String]

    /// A summary.
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
