// A document as a printer accepts it: by its format, then as pages.

import FoundationEssentials
import PrintModel

/// A document opened for printing, whatever its format.
struct PrintableSource {
    /// Its pages.
    let document: PDFDocument
    /// Whether its pages lie turned on the paper; nil when each page's size decides.
    let isTurned: Bool?

    /// Opens the document of a request: a PDF, or a JPEG image as one page fitted to the paper.
    ///
    /// Throws `documentMissing`, `unsupportedFormat`, `damaged`, `passwordRequired` or `noPages`.
    init(_ request: RasterizeRequest) throws(WorkError) {
        let input = request.document
        let head = try Self.head(of: input.path)
        let sniffed = DocumentFormat.sniff(head)
        let declared = input.format == .octetStream ? nil : input.format
        do throws(RasterError) {
            switch declared ?? sniffed {
            case .pdf:
                document = try PDFDocument(path: input.path, password: input.password)
                isTurned = nil
            case .jpeg:
                let photo = try JPEGPage(path: input.path, paper: request.paper)
                document = try PDFDocument(bytes: photo.pdfBytes, madeOf: input.path)
                isTurned = photo.isTurned
            case let format:
                throw RasterError(
                    code: .unreadable,
                    message: "'\(input.path)' is \(format.map { "of the format \($0)" } ?? "of no known format"), which"
                        + " this printer does not take; send it a PDF or a JPEG image",
                    cause: nil)
            }
        } catch {
            guard error.code == .unreadable else { throw WorkError(error) }
            let looksRight = sniffed != nil && sniffed == (declared ?? sniffed) && (sniffed == .pdf || sniffed == .jpeg)
            throw WorkError(looksRight ? .damaged : .unsupportedFormat, error.message, detail: error.cause)
        }
    }

    /// The first bytes of a file.
    private static func head(of path: String) throws(WorkError) -> Data {
        do {
            let file = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
            return file.prefix(1024)
        } catch {
            throw WorkError(
                .documentMissing, "'\(path)' does not exist or cannot be read; print the document again",
                detail: "\(error)")
        }
    }
}
