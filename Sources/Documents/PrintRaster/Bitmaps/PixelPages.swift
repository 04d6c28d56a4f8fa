// Converts raster and JPEG documents to PDF.

public import PrintModel
import SafeFiles

/// A raster document that can be converted to PDF: PWG raster (PWG 5102.4), Apple raster, or a JPEG image.
///
///     let pages = try PixelPages(InputDocument(path: "photo.jpg"), format: .jpeg)
///     try pages.writePDF(to: "photo.pdf")
///
/// The conversion is lossless: lines of raster data are compressed without loss, and a JPEG image is embedded
/// unchanged. Lines are read, compressed and written one at a time, so a page of any size requires little memory.
public struct PixelPages {
    private enum Source { case raster(RasterDocument), photo(JPEGPage) }

    private let source: Source
    /// The format of the document.
    public let format: DocumentFormat

    /// The supported formats.
    public static let formats: Set<DocumentFormat> = [.pwgRaster, .urf, .jpeg]

    /// The maximum size of an unpacked page, in bytes.
    ///
    /// An A0 page in color at 600 dpi has 1.7 GB.
    private static let largestPage = 4 << 30

    /// Opens a document, and reads the whole file to find damage before printing starts.
    ///
    /// Raster data that ends too early or violates its format is rejected. A JPEG image that ends too early is printed
    /// up to the first unreadable part, with a notice.
    ///
    /// - Parameters:
    ///   - document: The file, and its display name for messages.
    ///   - format: The format of the file, one of ``formats``.
    ///   - requiresFidelity: Whether a damaged JPEG image is also rejected.
    /// - Throws: `WorkError` with `damaged`, `unsupportedFormat` or `outputTooLarge`.
    public init(_ document: InputDocument, format: DocumentFormat, requiresFidelity: Bool = false) throws(WorkError) {
        self.format = format
        do throws(RasterError) {
            source =
                format == .jpeg
                ? .photo(try JPEGPage(document, requiresFidelity: requiresFidelity))
                : .raster(try Self.raster(document))
        } catch {
            throw WorkError(error)
        }
    }

    private static func raster(_ document: InputDocument) throws(RasterError) -> RasterDocument {
        do throws(RasterProblem) {
            return try RasterDocument(path: document.path, largestPage: largestPage)
        } catch {
            throw RasterError(error, in: document.label)
        }
    }

    /// The number of pages in the document.
    public var pageCount: Int {
        switch source {
        case .raster(let document): document.pages.count
        case .photo: 1
        }
    }

    /// The size of the first page, in points.
    public var firstPageSize: Size {
        switch source {
        case .raster(let document): document.pages[0].header.size
        case .photo(let page): page.shownSize
        }
    }

    /// Whether the document declares the size of its pages.
    ///
    /// If an image declares no resolution, its size is calculated with 72 pixels per inch.
    public var hasSize: Bool {
        switch source {
        case .raster: true
        case .photo(let page): page.hasSize
        }
    }

    /// The missing or damaged parts of the document, one sentence each.
    public var notices: [String] {
        switch source {
        case .raster: []
        case .photo(let page): page.notice.map { [$0] } ?? []
        }
    }

    /// Writes the pages as a PDF file.
    ///
    /// The file appears under its name only after the file is complete.
    ///
    /// - Parameter pages: The numbers of the pages whose content is needed; all other pages are empty, but keep their
    ///   size and position.
    /// - Throws: `WorkError` with `writeFailed` or `outputTooLarge`.
    public func writePDF(to path: String, pages: PageRanges = .all) throws(WorkError) {
        do throws(RasterError) {
            switch source {
            case .raster(let document):
                let wanted = Set(pages.pages(of: document.pages.count))
                try RasterPagesPDF.write(document, to: path) { wanted.contains($0) }
            case .photo(let page):
                let file = try AtomicFile<RasterError>(path: path)
                try file.append(page.pdfBytes)
                try file.finish()
            }
        } catch {
            throw WorkError(error)
        }
    }
}
