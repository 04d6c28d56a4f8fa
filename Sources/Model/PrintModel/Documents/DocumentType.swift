// Defines the types of documents that can be printed, and the converters that turn them into pages.

/// A type of document: the names of the type, the properties that identify documents of the type, and the converter
/// that turns the documents into pages.
///
///     DocumentTypes.builtIn.type(forExtension: "docx")?.name     // "Word document"
public struct DocumentType: Hashable, Sendable, Codable {
    /// The name for users, in English: `Word document`.
    public var name: String
    /// The uniform type identifier (UTI): `org.openxmlformats.wordprocessingml.document`.
    public var identifier: String
    /// The media types (IPP `document-format`).
    ///
    /// The first media type is the preferred media type.
    public var formats: [DocumentFormat]
    /// The file extensions in lower case, without the dot.
    ///
    /// The first extension is the preferred extension.
    public var extensions: [String]
    /// The converter that turns documents of this type into pages.
    public var converter: DocumentConverter
    /// The rank that describes how well documents of this type are printed.
    public var rank: HandlerRank

    /// Creates a document type.
    public init(
        name: String, identifier: String, formats: [DocumentFormat], extensions: [String],
        converter: DocumentConverter, rank: HandlerRank = .default
    ) {
        (self.name, self.identifier, self.formats) = (name, identifier, formats)
        (self.extensions, self.converter, self.rank) = (extensions, converter, rank)
    }

    /// The rank of a program for a document type (`LSHandlerRank` of document type declarations).
    ///
    /// The rank describes how well the program prints the documents.
    public enum HandlerRank: String, Hashable, Sendable, Codable, Comparable, CaseIterable {
        /// The rank of a program that prints the documents exactly; no other program prints the documents better.
        case owner
        /// The rank of a program that prints the documents completely, but not better than other programs.
        case `default`
        /// The rank of a program that prints the documents in a simplified form.
        case alternate
        /// The rank of a program that does not print documents of this type.
        case none

        /// Returns whether the first rank is better than the second rank.
        public static func < (one: HandlerRank, other: HandlerRank) -> Bool {
            allCases.firstIndex(of: one)! < allCases.firstIndex(of: other)!
        }
    }
}

/// A converter that makes a PDF from a document.
public enum DocumentConverter: Hashable, Sendable, Codable {
    /// No converter: the document already consists of pages (PDF, PWG raster, Apple raster, JPEG).
    case pages
    case text
    /// The converter of comma-separated or tab-separated values, which become a table.
    case table
    case image
    case drawing
    /// The converter that extracts the preview PDF from an iWork document.
    case preview
    case html
    /// The converter of Markdown (CommonMark with tables).
    case markdown
    /// The converter of e-mail messages (RFC 5322) and of mailboxes (RFC 4155).
    case email
    /// The converter of EPUB books.
    case book
    /// The converter of source code, with syntax colors.
    case sourceCode
    /// The converter of Microsoft Office, OpenDocument and RTF documents.
    case office
    case postScript
    case program(ConverterProgram)

    /// The process that runs the converter.
    public enum Engine: String, Hashable, Sendable, Codable, CaseIterable {
        /// No process: the document needs no conversion.
        case none
        /// The program `print-worker`.
        case worker
        /// The HTML engine (WeasyPrint).
        case html
        /// LibreOffice in `print-office`.
        case office
        /// A separate program, started by `print-launcher`.
        case program
    }

    /// The process that runs this converter.
    public var engine: Engine {
        switch self {
        case .pages: .none
        case .text, .table, .image, .drawing, .preview: .worker
        case .html, .markdown, .email, .book, .sourceCode: .html
        case .office: .office
        case .postScript, .program: .program
        }
    }
}

/// A program that converts documents: Ghostscript, or a program that an administrator registered in `types/*.json5` of
/// the spool.
public struct ConverterProgram: Hashable, Sendable, Codable {
    /// The name of the converter for messages.
    public var name: String
    /// The program's path and its arguments.
    ///
    /// `{input}` and `{output}` stand for the paths of the document and of the PDF. No shell reads the arguments.
    public var arguments: [String]

    /// Creates a converter program.
    public init(name: String, arguments: [String]) {
        self.name = name
        self.arguments = arguments
    }
}
