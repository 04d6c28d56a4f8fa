// A program's declaration of a type of document.

public import PrintKit

/// A type of document that a program declares (`CFBundleDocumentTypes` and `UTExportedTypeDeclarations`).
///
///     let score = DocumentTypeDeclaration(
///         name: "Acme score", identifiers: ["com.acme.score"], formats: ["application/vnd.acme.score"],
///         extensions: ["score"], icons: ["/usr/share/acme/score.png"], application: "com.acme.Composer.desktop",
///         rank: .owner)
///     DocumentTypeRegistry.shared.declare(score)
///
/// One declaration can contain several media types and identifiers, such as an old and a new format of an application.
public struct DocumentTypeDeclaration: Hashable, Sendable {
    /// The name for users: `Acme score`.
    public var name: String
    /// The uniform type identifiers, the preferred identifier first.
    public var identifiers: [String]
    /// The media types, the preferred media type first.
    public var formats: [DocumentFormat]
    /// The file extensions without the dot, the preferred extension first; their case is ignored.
    public var extensions: [String]
    /// The icons, the best icon first: absolute paths, or names of the Icon Naming Specification.
    ///
    /// If the array is empty, the icons come from the desktop's database of file types.
    public var icons: [String]
    /// The program that declares the type: the name of its desktop entry; `nil` if the program has no desktop entry.
    public var application: String?
    /// The rank of `application` in menus for documents of this type; with `none`, menus do not contain the application.
    public var rank: DocumentType.HandlerRank

    /// Creates a declaration.
    ///
    /// - Precondition: There is a media type, because the desktop finds applications by media types.
    public init(
        name: String, identifiers: [String] = [], formats: [String], extensions: [String] = [], icons: [String] = [],
        application: String? = nil, rank: DocumentType.HandlerRank = .default
    ) {
        precondition(!formats.isEmpty, "the declaration of '\(name)' requires a media type")
        (self.name, self.identifiers, self.icons) = (name, identifiers, icons)
        self.formats = formats.map(DocumentFormat.init(rawValue:))
        self.extensions = extensions.map { $0.lowercased() }
        (self.application, self.rank) = (application, rank)
    }
}

extension DocumentTypeDeclaration {
    /// The groups of types that are one type for users: the old and the new formats of Microsoft Office.
    static let builtIn = [
        DocumentTypeDeclaration(
            name: "Word document",
            identifiers: [
                "org.openxmlformats.wordprocessingml.document", "com.microsoft.word.doc", "com.microsoft.word.wordml",
            ],
            formats: [
                "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/msword",
                "application/vnd.ms-wordml",
            ], extensions: ["docx", "dotx", "doc", "dot"]),
        DocumentTypeDeclaration(
            name: "Excel workbook",
            identifiers: [
                "org.openxmlformats.spreadsheetml.sheet", "com.microsoft.excel.xls",
                "com.microsoft.excel.spreadsheetml",
            ],
            formats: [
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "application/vnd.ms-excel",
                "application/vnd.ms-spreadsheetml",
            ], extensions: ["xlsx", "xltx", "xls", "xlt"]),
        DocumentTypeDeclaration(
            name: "PowerPoint presentation",
            identifiers: ["org.openxmlformats.presentationml.presentation", "com.microsoft.powerpoint.ppt"],
            formats: [
                "application/vnd.openxmlformats-officedocument.presentationml.presentation",
                "application/vnd.ms-powerpoint",
            ], extensions: ["pptx", "potx", "ppsx", "ppt", "pot", "pps"]),
    ]

    /// The uniform type identifiers of types that are not printed, by media type.
    static let identifiersOfFormats = [
        "application/zip": "public.zip-archive", "application/gzip": "org.gnu.gnu-zip-archive",
        "application/x-tar": "public.tar-archive", "text/calendar": "com.apple.ical.ics", "text/vcard": "public.vcard",
        "video/mp4": "public.mpeg-4", "video/quicktime": "com.apple.quicktime-movie", "video/mpeg": "public.mpeg",
        "audio/mp4": "public.mpeg-4-audio", "audio/mpeg": "public.mp3", "audio/x-wav": "com.microsoft.waveform-audio",
        "audio/flac": "org.xiph.flac", "font/ttf": "public.truetype-ttf-font", "font/otf": "public.opentype-font",
    ]
}
