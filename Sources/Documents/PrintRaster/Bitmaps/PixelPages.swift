// Documents of pixels as pages of a PDF.

public import PrintModel

/// A document of pixels whose pages can be made into a PDF: PWG raster (PWG 5102.4), Apple raster, or a JPEG image.
///
///     let pages = try PixelPages(InputDocument(path: "photo.jpg"), format: .jpeg)
///     try pages.writePDF(to: "photo.pdf")
///
/// Nothing is lost on the way: the lines of raster data are compressed without loss, and a JPEG image goes into the PDF as
/// it is. Lines are read, compressed and written one after the other, so a page of any size takes little memory.
public struct PixelPages {
    private enum Source { case raster(RasterDocument), photo(JPEGPage) }

    private let source: Source
    /// What the document is.
    public let format: DocumentFormat

    /// The formats that are read here.
    public static let formats: Set<DocumentFormat> = [.pwgRaster, .urf, .jpeg]

    /// The most bytes of a page, unpacked: A0 in color at 600 dpi has 1.7 GB.
    private static let largestPage = 4 << 30

    /// Opens a document and reads it once, so that damage is known before anything is printed.
    ///
    /// Raster data that end too early or break the rules of their format are refused. Of a JPEG image that ends too early
    /// the part that is there is printed, with a notice.
    ///
    /// - Parameters:
    ///   - document: The file, and the name that people know it by.
    ///   - format: What it is, one of ``formats``.
    ///   - requiresFidelity: Whether a damaged image is refused, too.
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

    /// How many pages the document has.
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

    /// Whether the document says how large its pages are; an image without a resolution has 72 pixels to the inch.
    public var hasSize: Bool {
        switch source {
        case .raster: true
        case .photo(let page): page.hasSize
        }
    }

    /// What of the document is missing or wrong, a sentence each.
    public var notices: [String] {
        switch source {
        case .raster: []
        case .photo(let page): page.notice.map { [$0] } ?? []
        }
    }

    /// Writes the pages as a PDF; the file appears whole or not at all.
    ///
    /// - Parameter pages: The pages whose content is needed; the others are empty, and have their size and place.
    /// - Throws: `WorkError` with `writeFailed` or `outputTooLarge`.
    public func writePDF(to path: String, pages: PageRanges = .all) throws(WorkError) {
        do throws(RasterError) {
            switch source {
            case .raster(let document):
                let wanted = Set(pages.pages(of: document.pages.count))
                try RasterPagesPDF.write(document, to: path) { wanted.contains($0) }
            case .photo(let page):
                let file = try FileReplacement(path: path)
                try file.append(page.pdfBytes)
                try file.finish()
            }
        } catch {
            throw WorkError(error)
        }
    }
}
