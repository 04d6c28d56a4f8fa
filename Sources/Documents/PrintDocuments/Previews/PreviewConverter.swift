// Takes the preview PDF out of iWork documents.

import PrintGraphics
import PrintModel

/// The converter of Pages, Numbers and Keynote documents.
///
/// These documents are ZIP files, and can contain a PDF with a preview of the pages.
struct PreviewConverter {
    /// The possible file names of the preview PDF in the ZIP archive, in order of preference.
    private static let names = ["QuickLook/Preview.pdf", "preview.pdf"]
    /// The maximum size of a preview in bytes.
    private static let mostBytes = 256 << 20

    private let request: ConvertRequest
    private let name: String

    /// Extracts the preview PDF from the document of a request.
    ///
    /// - Throws: `WorkError`: `unsupportedFormat` if the document contains no PDF, `damaged`, `passwordRequired`,
    ///   `outputTooLarge`, `documentMissing` or `writeFailed`.
    static func convert(_ request: ConvertRequest) throws(WorkError) -> ConvertedDocument {
        let converter = PreviewConverter(request: request, name: request.document.nameInMessages)
        return try converter.convert()
    }

    private func convert() throws(WorkError) -> ConvertedDocument {
        let package = try ZipPackage(request.document)
        guard let entry = Self.names.lazy.compactMap({ package.entry($0) }).first else {
            guard package.entry(".iwph") == nil else {
                throw WorkError(
                    .passwordRequired,
                    "'\(name)' is encrypted; export the document as PDF without a password, and print the PDF")
            }
            throw WorkError(
                .unsupportedFormat,
                "'\(name)' contains no preview of its pages; "
                    + "open the document in \(application), choose File > Export To > PDF, and print the PDF")
        }
        guard entry.size <= Self.mostBytes else {
            throw WorkError(
                .outputTooLarge,
                "the preview in '\(name)' is \(entry.size >> 20) MB, and the limit is \(Self.mostBytes >> 20) MB; "
                    + "export the document as PDF in \(application), and print the PDF")
        }
        let output = try ConvertedFile(path: request.output)
        try copy(entry, of: package, to: output)
        try output.finish()
        return ConvertedDocument(pageCount: (try? PDFFile(path: request.output))?.pageCount ?? 0)
    }

    private func copy(
        _ entry: ZipPackage.Entry, of package: ZipPackage, to output: ConvertedFile
    ) throws(WorkError) {
        var count = 0
        var isPDF = true
        var failure: WorkError?
        // The number of bytes is counted, because the size in the directory may be wrong.
        let isRead = package.read(entry) { block in
            if count == 0 { isPDF = block.starts(with: "%PDF-".utf8) }
            count += block.count
            guard isPDF, count <= Self.mostBytes else { return false }
            do throws(WorkError) { try output.append(Array(block)) } catch { failure = error }
            return failure == nil
        }
        if let failure { throw failure }
        guard isRead, isPDF, count > 0 else {
            throw WorkError(
                .damaged,
                "the preview in '\(name)' is damaged; open the document in \(application), choose "
                    + "File > Export To > PDF, and print the PDF",
                detail: isPDF ? "the ZIP entry cannot be decompressed" : "the preview is not a PDF")
        }
    }

    /// The name of the application that creates documents of this type.
    private var application: String {
        switch request.type.extensions.first {
        case "numbers": "Numbers"
        case "key": "Keynote"
        default: "Pages"
        }
    }
}
