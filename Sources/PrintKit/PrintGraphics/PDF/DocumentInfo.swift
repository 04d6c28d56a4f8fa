// What a PDF says of itself.

public import FoundationEssentials

/// A PDF's title, author and the like, and how it is protected (`kCGPDFContext…` keys).
public struct DocumentInfo: Hashable, Sendable {
    /// The title.
    public var title: String?
    /// Who wrote it.
    public var author: String?
    /// What it is about.
    public var subject: String?
    /// Words to find it by.
    public var keywords: [String]
    /// The application that made it.
    public var creator: String?
    /// When it was made; the moment of drawing if `nil`.
    public var creationDate: Date?
    /// The password that allows everything; the document is encrypted (AES-256) when this or the user password is set.
    public var ownerPassword: String?
    /// The password that opens the document; without one anybody can open it.
    public var userPassword: String?
    /// What may be done by who does not give the owner password; everything unless said.
    ///
    /// It counts only when the document is encrypted.
    public var permissions: Permissions

    /// What readers are asked to allow (ISO 32000-2 table 22, `kCGPDFContextAccessPermissions`).
    public struct Permissions: OptionSet, Hashable, Sendable {
        /// One bit a permission.
        public let rawValue: Int

        /// The permissions of the given bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// Printing, at least coarsely.
        public static let printing = Permissions(rawValue: 1)
        /// Printing as well as can be; implies `printing`.
        public static let highQualityPrinting = Permissions(rawValue: 2)
        /// Copying text and pictures.
        public static let copying = Permissions(rawValue: 4)
        /// Changing the content.
        public static let changing = Permissions(rawValue: 8)
        /// Adding comments and filling in forms.
        public static let commenting = Permissions(rawValue: 16)
        /// Putting pages together anew.
        public static let assembling = Permissions(rawValue: 32)
        /// All of them.
        public static let all: Permissions = [
            .printing, .highQualityPrinting, .copying, .changing, .commenting, .assembling,
        ]
    }

    /// What is said of a document; nothing unless said.
    public init(
        title: String? = nil, author: String? = nil, subject: String? = nil, keywords: [String] = [],
        creator: String? = nil, creationDate: Date? = nil, ownerPassword: String? = nil, userPassword: String? = nil,
        permissions: Permissions = .all
    ) {
        (self.title, self.author, self.subject, self.keywords) = (title, author, subject, keywords)
        (self.creator, self.creationDate) = (creator, creationDate)
        (self.ownerPassword, self.userPassword, self.permissions) = (ownerPassword, userPassword, permissions)
    }
}
