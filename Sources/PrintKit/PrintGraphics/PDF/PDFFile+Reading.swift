// Reads the properties, outline and attachments of PDFs.

import CQPDF
public import FoundationEssentials

extension PDFFile {
    /// The title, author and other metadata of the document (`CGPDFDocumentGetInfo`).
    ///
    /// `keywords` contains the parts of the text between commas or semicolons. Dates in an invalid form are `nil`.
    /// Passwords and permissions have their default values.
    ///
    /// - Throws: `GraphicsError`: `damaged`.
    public func info() throws(GraphicsError) -> DocumentInfo {
        let properties = try properties()
        var info = DocumentInfo(
            title: properties["/Title"], author: properties["/Author"], subject: properties["/Subject"],
            creator: properties["/Creator"])
        info.keywords = (properties["/Keywords"] ?? "").split { $0 == "," || $0 == ";" }
            .map { String($0.trimmingPrefix(while: \.isWhitespace)) }
        info.creationDate = properties["/CreationDate"].flatMap(PDFDate.date)
        return info
    }

    /// An entry of the outline, which PDF readers show beside the pages.
    public struct OutlineEntry: Hashable, Sendable {
        /// The title of the entry.
        public var title: String
        /// The target of the entry; `nil` if the entry leads to no page and no URL.
        public var target: PDFLink.Target?
        /// The entries below this entry.
        public var children: [OutlineEntry]

        /// Creates an entry, for comparison with the entries of a document.
        public init(title: String, target: PDFLink.Target?, children: [OutlineEntry] = []) {
            (self.title, self.target, self.children) = (title, target, children)
        }
    }

    /// Returns the outline: the entries of the top level, with the entries below them.
    ///
    /// The result is empty if the document has no outline.
    ///
    /// - Throws: `GraphicsError`: `damaged`.
    public func outline() throws(GraphicsError) -> [OutlineEntry] {
        let reader = Reader(self)
        try reader.run { document, context, status in
            cqpdf_outline(
                document, context,
                { context, level, title, target in
                    guard let title, let target else { return }
                    let reader = Reader.from(context)
                    let entry = OutlineEntry(title: String(cString: title), target: reader.file.target(target.pointee))
                    reader.entries.append((level, entry))
                }, status)
        }
        return Self.tree(reader.entries[...])
    }

    /// Returns the entries, of which the first has the lowest level, as a tree.
    private static func tree(_ entries: ArraySlice<(level: Int, entry: OutlineEntry)>) -> [OutlineEntry] {
        var (tree, rest) = ([OutlineEntry](), entries)
        while let (level, first) = rest.popFirst() {
            let below = rest.prefix { $0.level > level }
            rest = rest.dropFirst(below.count)
            tree.append(OutlineEntry(title: first.title, target: first.target, children: self.tree(below)))
        }
        return tree
    }

    /// A file that is embedded in the document.
    public struct Attachment: Hashable, Sendable {
        /// The name of the attachment.
        public var name: String
        /// The description for people; empty if there is none.
        public var description: String
        /// The media type, such as `text/csv`; empty if it is unknown.
        public var type: String
        /// The relationship to the document (`AFRelationship`, ISO 32000-2 §7.11.3); `nil` if it is not stated.
        public var relationship: AttachmentRelationship?
    }

    /// Returns the list of attachments, sorted by name.
    ///
    /// - Throws: `GraphicsError`: `damaged`.
    public func attachments() throws(GraphicsError) -> [Attachment] {
        let reader = Reader(self)
        try reader.run { document, context, status in
            cqpdf_attachments(
                document, context,
                { context, name, description, type, relationship in
                    guard let name, let description, let type, let relationship else { return }
                    Reader.from(context).attachments.append(
                        Attachment(
                            name: String(cString: name), description: String(cString: description),
                            type: String(cString: type),
                            relationship: AttachmentRelationship(rawValue: String(cString: relationship))))
                }, status)
        }
        return reader.attachments
    }

    /// Returns the data of the attachment with the given name; `nil` if there is no such attachment.
    ///
    /// - Throws: `GraphicsError`: `damaged`.
    public func data(ofAttachment name: String) throws(GraphicsError) -> Data? {
        let reader = Reader(self)
        try reader.run { cqpdf_attachment_data($0, name, $1, Reader.receive, $2) }
        return reader.data
    }

    /// Returns the document's metadata, an XMP packet in XML; `nil` if there is none.
    ///
    /// - Throws: `GraphicsError`: `damaged`.
    public func metadata() throws(GraphicsError) -> Data? {
        let reader = Reader(self)
        try reader.run { cqpdf_metadata($0, $1, Reader.receive, $2) }
        return reader.data
    }

    func properties() throws(GraphicsError) -> [String: String] {
        let reader = Reader(self)
        try reader.run { document, context, status in
            cqpdf_properties(
                document, context,
                { context, key, text in
                    guard let key, let text else { return }
                    Reader.from(context).properties[String(cString: key)] = String(cString: text)
                }, status)
        }
        return reader.properties
    }
}

/// The purpose of an attachment for the document (`AFRelationship`, ISO 32000-2 §7.11.3).
public enum AttachmentRelationship: String, Hashable, Sendable, CaseIterable {
    /// The source from which the document was made.
    case source = "Source"
    /// Data that the document shows, such as the figures of a chart.
    case data = "Data"
    /// The same content in another form, such as the XML of an electronic invoice.
    case alternative = "Alternative"
    /// A supplement to the document.
    case supplement = "Supplement"
    /// An unknown purpose.
    case unspecified = "Unspecified"
}

extension PDFPage {
    /// A box of a page (ISO 32000-1 §14.11.2).
    public enum Box: String, Hashable, Sendable, CaseIterable {
        /// The whole page.
        case media = "/MediaBox"
        /// The part of the page that PDF readers show.
        case crop = "/CropBox"
        /// The part of the page that is printed before the paper is trimmed.
        case bleed = "/BleedBox"
        /// The part of the page that remains after the paper is trimmed.
        case trim = "/TrimBox"
        /// The part of the page with the meaningful content.
        case art = "/ArtBox"
    }

    /// Returns a box of the page in its user space, as the file contains it (`CGPDFPageGetBoxRect`).
    ///
    /// Y grows upwards, and the box is not rotated. A page without a valid crop box has the crop box of its media box,
    /// and a page without another box has its crop box. The default media box is US Letter.
    public func box(_ box: Box) -> Rect {
        var edges = (0.0, 0.0, 0.0, 0.0)
        let isFound = withUnsafeMutableBytes(of: &edges) {
            cqpdf_page_box(file.document, index, box.rawValue, $0.baseAddress?.assumingMemoryBound(to: Double.self))
        }
        if isFound { return Rect(x: edges.0, y: edges.1, width: edges.2 - edges.0, height: edges.3 - edges.1) }
        switch box {
        case .media: return Rect(x: 0, y: 0, width: 612, height: 792)
        case .crop: return self.box(.media)
        case .bleed, .trim, .art: return self.box(.crop)
        }
    }

    /// The clockwise rotation in which readers show the page: 0, 90, 180 or 270 degrees (`CGPDFPageGetRotationAngle`).
    public var rotation: Int { Int(cqpdf_page_geometry(file.document, index).turns) * 90 }

    /// Returns the links of the page to URLs and pages.
    ///
    /// - Throws: `GraphicsError`: `damaged`.
    public func links() throws(GraphicsError) -> [PDFLink] {
        let reader = Reader(file)
        reader.page = self
        try reader.run { document, context, status in
            cqpdf_links(
                document, index, context,
                { context, rect, target in
                    let reader = Reader.from(context)
                    guard let rect, let target, let page = reader.page,
                        let found = reader.file.target(target.pointee)
                    else { return }
                    let (one, other) = (page.shown(x: rect[0], y: rect[1]), page.shown(x: rect[2], y: rect[3]))
                    let corner = Point(x: min(one.x, other.x), y: min(one.y, other.y))
                    let size = Size(width: abs(one.x - other.x), height: abs(one.y - other.y))
                    reader.links.append(PDFLink(rect: Rect(origin: corner, size: size), target: found))
                }, status)
        }
        return reader.links
    }

    /// Converts a point in user space to points from the upper left corner of the displayed page.
    fileprivate func shown(x: Double, y: Double) -> Point {
        let box = cqpdf_page_geometry(file.document, index)
        let (left, right) = ((x - box.left) * box.user_unit, (box.right - x) * box.user_unit)
        let (above, below) = ((box.top - y) * box.user_unit, (y - box.bottom) * box.user_unit)
        return switch box.turns {
        case 1: Point(x: below, y: left)
        case 2: Point(x: right, y: below)
        case 3: Point(x: above, y: right)
        default: Point(x: left, y: above)
        }
    }
}

/// A link on a page of a PDF.
public struct PDFLink: Hashable, Sendable {
    /// The area of the link, in points from the upper left corner of the displayed page, as for drawing.
    public var rect: Rect
    /// The place to which a reader goes.
    public var target: Target

    /// Creates a value to compare with the links of a page; `PDFContext.setURL` adds links.
    public init(rect: Rect, target: Target) { (self.rect, self.target) = (rect, target) }

    /// The target of a link or of an outline entry.
    public enum Target: Hashable, Sendable {
        /// A URL, as the document contains it.
        case url(String)
        /// A page, by its index from 0, and a point from the upper left corner of the displayed page.
        ///
        /// A coordinate that the document does not contain is 0.
        case page(Int, at: Point)
    }
}

extension PDFFile {
    fileprivate func target(_ target: cqpdf_target) -> PDFLink.Target? {
        if let uri = target.uri { return .url(String(cString: uri)) }
        guard let page = page(at: Int(target.page)) else { return nil }
        let box = cqpdf_page_geometry(document, page.index)
        // The upper left corner of the displayed page.
        let corner = (x: box.turns < 2 ? box.left : box.right, y: box.turns % 3 == 0 ? box.top : box.bottom)
        let point = page.shown(
            x: target.x.isFinite ? target.x : corner.x, y: target.y.isFinite ? target.y : corner.y)
        return .page(page.index, at: point)
    }
}

/// The receiver of the callbacks of CQPDF.
private final class Reader {
    let file: PDFFile
    var page: PDFPage?
    var properties: [String: String] = [:]
    var entries: [(level: Int, entry: PDFFile.OutlineEntry)] = []
    var attachments: [PDFFile.Attachment] = []
    var links: [PDFLink] = []
    var data: Data?

    init(_ file: PDFFile) { self.file = file }

    static func from(_ context: UnsafeMutableRawPointer?) -> Reader {
        Unmanaged<Reader>.fromOpaque(context!).takeUnretainedValue()  // never nil: `run` passes the reader
    }

    static let receive: cqpdf_bytes = { context, bytes, count in
        from(context).data = bytes.map { Data(bytes: $0, count: count) } ?? Data()
    }

    func run(
        _ read: (OpaquePointer, UnsafeMutableRawPointer, UnsafeMutablePointer<cqpdf_status>) -> Bool
    ) throws(GraphicsError) {
        var status = cqpdf_status()
        guard read(file.document, Unmanaged.passUnretained(self).toOpaque(), &status) else {
            throw .pdf(file.label, file.path, status)
        }
    }
}
