// Converts documents into PDFs in the calling process: text, tables, images and drawings.
//
// The work is done in the calling process. Untrusted documents must be converted in a `print-worker`.

import DocumentFiles
public import PrintModel

/// The document converters that run in the process `print-worker`.
public struct DocumentConverters: DocumentConverting {
    /// Creates the converters, which keep no state between calls.
    public init() {}

    /// Returns the media type of a document; nil if the type is unknown.
    ///
    /// The content, the name and the declared format of the document determine the type.
    ///
    /// - Throws: `WorkError` when the file is missing, is not a regular file, or is empty.
    public func identify(_ document: InputDocument) async throws(WorkError) -> DocumentFormat? {
        try DocumentTypes.builtIn.identify(document, with: .libraries)
    }

    /// Converts a document into a PDF.
    ///
    /// - Throws: `WorkError` when the document is damaged or has an unsupported type, or when the output cannot be
    ///   written.
    public func convert(_ request: ConvertRequest) async throws(WorkError) -> ConvertedDocument {
        switch request.type.converter {
        case .text: return try TextConverter.convert(request)
        case .table: return try TableConverter.convert(request)
        case .image: return try ImageConverter.convert(request)
        case .drawing: return try DrawingConverter.convert(request)
        case .preview: return try PreviewConverter.convert(request)
        case .pages, .html, .markdown, .email, .book, .sourceCode, .office, .postScript, .program:
            throw .noConverter(for: request.type)
        }
    }
}

extension WorkError {
    /// Returns the error for a document type that these converters do not support.
    static func noConverter(for type: DocumentType) -> WorkError {
        WorkError(
            .unsupportedFormat, "there is no converter for documents of type '\(type.name)'; save the document as PDF")
    }
}
