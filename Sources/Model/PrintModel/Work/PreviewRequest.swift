// Defines the request to show documents before they are printed.

/// A request to draw a preview of the printed sides, separately for each document.
///
/// `print-preview` reads this request from its standard input as one line of JSON, and writes a line of JSON for each
/// `PreviewEvent`.
public struct PreviewRequest: Hashable, Sendable, Codable {
    /// Each document is shown separately.
    package var documents: [InputDocument]
    package var ticket: JobTicket
    /// The capabilities of the printer; nil means a typical printer (`PrinterCapabilities.usual`).
    package var printer: PrinterCapabilities?
    /// The existing folder for prepared documents and page images: `1/page-0001.png`, `2/page-0001.png` and so on.
    package var folder: String
    /// Whether `print-preview` removes the folder when its standard input ends.
    ///
    /// The input ends when the program that requested the preview exits.
    package var isTemporary: Bool
    /// The resolution of the page images, in dots per inch.
    package var resolution: Int
    /// The maximum number of page images for each document; 0 for no images.
    package var imageLimit: Int

    package init(
        documents: [InputDocument], ticket: JobTicket = JobTicket(), printer: PrinterCapabilities? = nil,
        folder: String, isTemporary: Bool = false, resolution: Int = 100, imageLimit: Int = 0
    ) {
        (self.documents, self.ticket, self.printer, self.folder) = (documents, ticket, printer, folder)
        (self.isTemporary, self.resolution, self.imageLimit) = (isTemporary, resolution, imageLimit)
    }
}

/// An event of a preview: a document, a page image, an error or the end of the preview.
public enum PreviewEvent: Hashable, Sendable, Codable {
    /// A document that was laid out. Its page images follow.
    case document(PreviewedDocument)
    /// An image of a side.
    ///
    /// - Parameters:
    ///   - side: The number of the side, from 1.
    ///   - path: The path of the image, a PNG file.
    case page(index: Int, side: Int, path: String)
    /// A document that cannot be shown.
    case failed(index: Int, error: WorkError)
    /// The end of the preview: all documents were shown or have failed.
    case finished
}

/// The properties of a document in a preview.
public struct PreviewedDocument: Hashable, Sendable, Codable {
    package var index: Int
    /// The name of the document's type for users: `Word document`; nil if the type is unknown.
    package var type: String?
    /// The media type; nil if the type is unknown.
    package var format: DocumentFormat?
    /// The title that the document contains; nil if the document contains no title.
    package var title: String?
    package var pages: Int
    /// The number of printed sides, including blank sides.
    package var sides: Int
    package var sheets: Int
    package var paper: PrintPaper
    /// Notices about replaced or omitted content and about options that cannot be applied, one sentence each, for
    /// users.
    package var notices: [String]

    package init(
        index: Int, type: String? = nil, format: DocumentFormat? = nil, title: String? = nil, pages: Int, sides: Int,
        sheets: Int, paper: PrintPaper, notices: [String] = []
    ) {
        (self.index, self.type, self.format, self.title, self.pages) = (index, type, format, title, pages)
        (self.sides, self.sheets, self.paper, self.notices) = (sides, sheets, paper, notices)
    }
}

extension PrinterCapabilities {
    /// Returns the capabilities of a typical printer: color, two-sided printing, and every common paper with and
    /// without margins.
    ///
    /// - Parameter region: An ISO 3166 code such as `US`, which decides between Letter and A4; nil means A4.
    package static func usual(region: String?) -> PrinterCapabilities {
        let papers = Media.standard.flatMap { media in
            [PrintPaper(media: media, margins: .all(.millimeters(4.2))), PrintPaper(media: media)]
        }
        return PrinterCapabilities(
            makeAndModel: "usual printer", papers: papers,
            defaultMedia: PrintPaper.defaultPaper(for: .general, region: region).media,
            customMedia: MediaRange(width: 2_000...100_000, height: 2_000...200_000, margins: .all(.millimeters(4.2))),
            duplexModes: [.none, .longEdge, .shortEdge], colorModes: [.auto, .color, .monochrome],
            qualities: [.draft, .normal, .high], resolutions: [300, 600], formats: [.pdf], maxCopies: 999,
            collates: true)
    }
}

extension PreviewedDocument {
    /// The summary of a document in one line: type, pages and paper, such as `PDF document, 4 pages on 2 sides, A4`.
    package var text: String {
        let count = "\(pages) page\(pages == 1 ? "" : "s")"
        let shared = sides == pages ? "" : " on \(sides) side\(sides == 1 ? "" : "s")"
        let title = title.map { ", \"\($0)\"" } ?? ""
        return "\(type ?? "unknown type"), \(count)\(shared), \(paper.media.localizedName)\(title)"
    }
}
