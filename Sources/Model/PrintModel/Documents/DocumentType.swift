// Defines the types of documents that can be printed, and the converters that turn them into pages.

/// A type of document: its names, the ways to recognize it, and the converter that turns it into pages.
///
///     DocumentTypeRegistry.builtIn.type(forExtension: "docx")?.name     // "Word document"
public struct DocumentType: Hashable, Sendable, Codable {
    /// The name for users, in English: `Word document`.
    public var name: String
    /// The uniform type identifier (UTI): `org.openxmlformats.wordprocessingml.document`.
    public var identifier: String
    /// The media types (IPP `document-format`), the preferred one first.
    public var formats: [DocumentFormat]
    /// The file extensions in lower case, without the dot, the preferred one first.
    public var extensions: [String]
    /// The converter that turns documents of this type into pages.
    public var converter: DocumentConverter
    /// The quality with which documents of this type are printed.
    public var rank: HandlerRank

    /// Creates a type.
    public init(
        name: String, identifier: String, formats: [DocumentFormat], extensions: [String],
        converter: DocumentConverter, rank: HandlerRank = .default
    ) {
        self.name = name
        self.identifier = identifier
        self.formats = formats
        self.extensions = extensions
        self.converter = converter
        self.rank = rank
    }

    /// The suitability of a program for documents of a type (`LSHandlerRank` of document type declarations).
    public enum HandlerRank: String, Hashable, Sendable, Codable, Comparable, CaseIterable {
        /// The documents are printed exactly; no other program prints them better.
        case owner
        /// The documents are printed as well as other programs print them.
        case `default`
        /// The documents are printed in a simplified form.
        case alternate
        /// The documents are not printed.
        case none

        /// Compares two ranks; the better rank is less than the other.
        public static func < (one: HandlerRank, other: HandlerRank) -> Bool {
            allCases.firstIndex(of: one)! < allCases.firstIndex(of: other)!
        }
    }
}

/// A converter of documents to pages of a PDF.
public enum DocumentConverter: Hashable, Sendable, Codable {
    /// No converter: the document already consists of pages (PDF, PWG raster, Apple raster, JPEG).
    case pages
    /// Plain text.
    case text
    /// Comma-separated or tab-separated values, as a table.
    case table
    /// An image of pixels.
    case image
    /// An SVG drawing.
    case drawing
    /// The preview PDF inside an iWork document.
    case preview
    /// HTML.
    case html
    /// Markdown (CommonMark with tables).
    case markdown
    /// An e-mail message (RFC 5322).
    case email
    /// Source code with syntax colors.
    case sourceCode
    /// Microsoft Office, OpenDocument and RTF documents.
    case office
    /// PostScript.
    case postScript
    /// A program that an administrator registered.
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
        case .html, .markdown, .email, .sourceCode: .html
        case .office: .office
        case .postScript, .program: .program
        }
    }
}

/// A program that converts documents, registered by an administrator in `types/*.json5` of the spool.
public struct ConverterProgram: Hashable, Sendable, Codable {
    /// The name of the converter for messages.
    public var name: String
    /// The program's path and its arguments.
    ///
    /// `{input}` and `{output}` stand for the paths of the document and of the PDF. No shell reads the arguments.
    public var arguments: [String]

    /// Creates a program.
    public init(name: String, arguments: [String]) {
        self.name = name
        self.arguments = arguments
    }
}
