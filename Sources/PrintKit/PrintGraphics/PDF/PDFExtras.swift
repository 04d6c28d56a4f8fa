// The parts of a PDF that cairo does not write.

import CQPDF
import FoundationEssentials

/// The page boxes, links and other parts that cairo does not write.
///
/// Drawing collects the parts, and libqpdf adds the parts after cairo has written the pages.
///
/// Positions are in points from the lower left corner of the page, as in PDF.
struct PDFExtras {
    /// The creation date of the document.
    let created: Date
    var boxes: [(page: Int, boxes: PageBoxes, bounds: Rect)] = []
    var links: [Link] = []
    var destinations: [(name: String, page: Int, point: Point)] = []
    var outline: [(title: String, level: Int, page: Int, point: Point)] = []
    var attachments: [Attachment] = []
    var metadata: Data?
    /// The attachment that is an electronic invoice.
    var invoice: (name: String, profile: PDFContext.InvoiceProfile)?
    /// The colors that are drawn as markers.
    var marks = ColorMarks()
    /// The tags in the order in which they begin: for each tag, the text in place of its content, or `nil`.
    var tags: [String?] = []
    /// The embedded pages of other documents, with the names of their marker images.
    var forms: [(marker: String, page: PDFPage, image: Image)] = []

    init(created: Date) { self.created = created }

    struct Link {
        var page: Int
        var rect: Rect
        var target: Target
    }

    enum Target {
        case address(String)
        case destination(String)
    }

    struct Attachment {
        var name: String
        var description: String
        var type: String
        var relationship: AttachmentRelationship?
        var data: Data
    }

    /// Returns whether the document has parts that cairo does not write.
    func isNeeded(for info: DocumentInfo) -> Bool {
        info.isProtected || info.needsCompletion || metadata != nil || marks.hasInks
            || !marks.profiles.isEmpty
            || !(boxes.isEmpty && links.isEmpty && destinations.isEmpty && outline.isEmpty && attachments.isEmpty
                && forms.isEmpty)
    }

    /// Writes the PDF at `path` with the collected parts to the existing file `output`.
    ///
    /// Error messages contain `name` instead of the paths.
    func add(
        to path: String, output: String, named name: String, info: DocumentInfo
    ) throws(GraphicsError) {
        let work = try Finishing(path: path, name: name)
        for (page, boxes, bounds) in boxes {
            for (key, box) in [
                ("/CropBox", boxes.crop), ("/BleedBox", boxes.bleed), ("/TrimBox", boxes.trim), ("/ArtBox", boxes.art),
            ] {
                guard let box, box.isFinite, !box.isEmpty else { continue }
                try work.run { cqpdf_finish_box($0, page, key, box.upwards(in: bounds).edges, $1) }
            }
        }
        for link in links { try add(link, work) }
        for (name, page, point) in destinations {
            try work.run { cqpdf_finish_destination($0, name, page, point.x, point.y, $1) }
        }
        for (title, level, page, point) in outline {
            try work.run { cqpdf_finish_outline($0, title, max(level, 0), page, point.x, point.y, $1) }
        }
        for file in attachments {
            try work.run { finishing, status in
                file.data.withUnsafeBytes {
                    cqpdf_finish_attachment(
                        finishing, file.name, file.description, file.type, file.relationship?.rawValue,
                        PDFDate.text(created), $0.baseAddress, $0.count, status)
                }
            }
        }
        try work.complete(info, self)
        if let metadata { try work.add(metadata: metadata) }
        for (marker, page, _) in forms {
            try work.run { cqpdf_finish_form($0, marker, page.file.document, page.index, $1) }
        }
        try work.write(info, to: output)
    }

    private func add(_ link: Link, _ work: Finishing) throws(GraphicsError) {
        let edges = link.rect.edges
        switch link.target {
        case .address(let address):
            try work.run { cqpdf_finish_link($0, link.page, edges, address, nil, $1) }
        case .destination(let name):
            try work.run { cqpdf_finish_link($0, link.page, edges, nil, name, $1) }
        }
    }
}

extension cqpdf_status {
    var text: String {
        withUnsafeBytes(of: words) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

extension Rect {
    /// The coordinates of the left, bottom, right and top edges of a rectangle; y grows upwards.
    fileprivate var edges: [Double] { [minX, minY, maxX, maxY] }

    /// Returns the rectangle relative to the lower left corner of a page, with y growing upwards.
    func upwards(in page: Rect) -> Rect {
        Rect(x: minX - page.minX, y: page.maxY - maxY, width: width, height: height)
    }
}
