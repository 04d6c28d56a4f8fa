// The metadata and protection of a PDF.

public import FoundationEssentials

/// The title, author and other metadata of a PDF, its form and its protection (`kCGPDFContext…` keys).
public struct DocumentInfo: Hashable, Sendable {
    /// The title that viewers show instead of the file name; `nil` writes no title.
    public var title: String?
    /// The people who wrote the document; `nil` writes no author.
    public var author: String?
    /// A sentence about the contents; `nil` writes no subject.
    public var subject: String?
    /// The words for searches, which the PDF joins with commas.
    public var keywords: [String]
    /// The application that created the document.
    public var creator: String?
    /// The creation date; `nil` means the time at which the `PDFContext` is created.
    public var creationDate: Date?
    /// The language of the text, as a tag such as `en-US` (BCP 47); `nil` if the language is not stated.
    public var language: String?
    /// The standard for archives to which the document conforms; `nil` for none.
    ///
    /// A document with a password conforms to none of the standards.
    public var conformance: PDFConformance?
    /// Whether the document has a logical structure, for programs that read documents aloud or extract text.
    ///
    /// The default is false. Text tags its paragraphs, and `PDFContext.beginTag(_:alternative:)` tags other parts.
    public var isTagged = false
    /// Whether fills, lines and text with equal red, green and blue are written as gray, so that printers use black ink
    /// only.
    ///
    /// The default is false: these colors are written as RGB. A document with CMYK colors always contains grays.
    public var writesGray = false
    /// The profile of the printing condition for which the document is made (output intent); `nil` for none.
    ///
    /// The profile of a document with a conformance must be an RGB profile. The default is then sRGB.
    public var outputProfile: ICCProfile?
    /// The password that grants all permissions.
    ///
    /// The document is encrypted (AES-256) if an owner or user password is set.
    public var ownerPassword: String?
    /// The password that is required to open the document; `nil` if no password is required.
    public var userPassword: String?
    /// The permissions of a person who does not have the owner password.
    ///
    /// The default is all permissions.
    ///
    /// Permissions have an effect only if the document is encrypted.
    public var permissions: Permissions

    /// The permissions for people who open the document without the owner password.
    ///
    /// PDF readers enforce the permissions (ISO 32000-2 table 22, `kCGPDFContextAccessPermissions`).
    public struct Permissions: OptionSet, Hashable, Sendable {
        /// The bit set, with one bit per permission.
        public let rawValue: Int

        /// Creates a set of permissions from a bit set.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// The permission to print, possibly in low quality.
        public static let printing = Permissions(rawValue: 1)
        /// The permission to print in full quality.
        ///
        /// The permission includes `printing`.
        public static let highQualityPrinting = Permissions(rawValue: 2)
        /// The permission to copy text and images.
        public static let copying = Permissions(rawValue: 4)
        /// The permission to change the content.
        public static let changing = Permissions(rawValue: 8)
        /// The permission to add annotations and to fill in forms.
        public static let commenting = Permissions(rawValue: 16)
        /// The permission to insert, delete and rotate pages.
        public static let assembling = Permissions(rawValue: 32)
        /// The set of all permissions.
        public static let all: Permissions = [
            .printing, .highQualityPrinting, .copying, .changing, .commenting, .assembling,
        ]
    }

    /// Creates the metadata of a document.
    ///
    /// By default, no property is set.
    public init(
        title: String? = nil, author: String? = nil, subject: String? = nil, keywords: [String] = [],
        creator: String? = nil, creationDate: Date? = nil, language: String? = nil,
        conformance: PDFConformance? = nil, isTagged: Bool = false, ownerPassword: String? = nil,
        userPassword: String? = nil, permissions: Permissions = .all
    ) {
        (self.title, self.author, self.subject, self.keywords) = (title, author, subject, keywords)
        (self.creator, self.creationDate, self.language) = (creator, creationDate, language)
        (self.conformance, self.isTagged) = (conformance, isTagged)
        (self.ownerPassword, self.userPassword, self.permissions) = (ownerPassword, userPassword, permissions)
    }
}
