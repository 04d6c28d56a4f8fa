// Opens PDF files with poppler.
//
// PrintRaster converts PDF pages to pixels, and reads, writes and compares images. `PDFDocument` draws pages, `Bitmap`
// holds pixels, `Bitmap+PNG` writes and reads PNG files, `Bitmap+Ink` and `Bitmap+Difference` analyze pixels.
// `RasterImageProcessor` puts a document on paper, as a printer does. All functions are synchronous. Use them in a
// worker process that serves one request, because poppler parses untrusted data.
//
// Poppler is under the GPL, which also applies to programs that link this module.

import CPoppler
import FoundationEssentials

/// A PDF file that is open for drawing, with page numbers from 0.
///
///     let document = try PDFDocument(path: "report.pdf")
///     for page in 0..<document.pageCount {
///         try document.render(page: page, dpi: 100).writePNG(to: "\(page).png", dpi: 100)
///     }
///
/// The class holds poppler's objects, so an instance must stay in the isolation domain that created the instance.
public final class PDFDocument {
    /// The displayed size of a page: the rotated crop box, in points (1/72 inch).
    public struct PageSize: Hashable, Sendable {
        /// The width in points.
        public let width: Double
        /// The height in points.
        public let height: Double

        /// Creates a size from a width and a height in points.
        public init(width: Double, height: Double) {
            self.width = width
            self.height = height
        }
    }

    /// The path of the file from which the document was opened.
    public let path: String
    /// The number of pages, at least 1.
    public let pageCount: Int

    /// The name of the document in messages: the path, or the display name if the path is an internal path of printq.
    let label: String
    /// The password that opened the document; nil if no password was necessary.
    let password: String?
    /// The bytes of a document in memory; nil if the document is a file.
    let bytes: [UInt8]?

    // The document is freed with this object; poppler's objects are not thread-safe.
    private let document: OpaquePointer
    private let userUnits: UserUnits
    private var separatedPage: (index: Int, document: PDFDocument)?
    var canvas: Canvas?
    /// Whether the edges of text and graphics are antialiased.
    var isAntialiased = true
    /// The maximum number of pixels that are drawn at a time; a larger page is drawn in bands.
    package var pixelsPerBand = Canvas.largestBand

    /// Opens a PDF.
    ///
    /// The function uses the password only if the document does not open without a password.
    ///
    /// - Throws: `unreadable`, `encrypted` (the password is missing or wrong), or `empty`.
    public convenience init(path: String, password: String? = nil) throws(RasterError) {
        try self.init(path: path, password: password, label: "'\(path)'")
    }

    /// Opens a PDF with a display name for messages.
    init(path: String, password: String?, label: String) throws(RasterError) {
        let (document, usedPassword) = try Self.open(path: path, password: password, label: label)
        let count = Int(poppler_document_get_n_pages(document))
        guard count > 0 else {
            g_object_unref(UnsafeMutableRawPointer(document))
            throw .empty(label)
        }
        self.path = path
        self.label = label
        self.document = document
        self.password = usedPassword
        bytes = nil
        pageCount = count
        userUnits = UserUnits(path: path, password: usedPassword, pageCount: count)
    }

    /// Opens a PDF in memory.
    ///
    /// The PDF was created from the file at `path`.
    ///
    /// The function ignores the user units of the pages.
    ///
    /// - Throws: `unreadable`.
    init(bytes: [UInt8], madeOf path: String, label: String) throws(RasterError) {
        var problem: UnsafeMutablePointer<GError>?
        let data = g_bytes_new(bytes, gsize(bytes.count))
        defer { g_bytes_unref(data) }
        guard let document = poppler_document_new_from_bytes(data, nil, &problem) else {
            defer { g_clear_error(&problem) }
            throw .unreadable(label, cause: problem?.pointee.message.map { String(cString: $0) })
        }
        self.path = path
        self.label = label
        self.document = document
        self.bytes = bytes
        password = nil
        pageCount = Int(poppler_document_get_n_pages(document))
        userUnits = UserUnits()
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(document))
    }

    /// The title in the document's metadata; `nil` if the document has no title.
    public var title: String? {
        guard let text = poppler_document_get_title(document) else { return nil }
        defer { g_free(text) }
        let title = String(cString: text)
        return title.isEmpty ? nil : title
    }

    /// Returns the size of a page in points.
    ///
    /// The crop box, the rotation and the user unit of the page determine the size.
    ///
    /// - Throws: `unreadable` if the page is damaged. An invalid index is a programming error.
    public func pageSize(at index: Int) throws(RasterError) -> PageSize {
        try withPage(index) { page throws(RasterError) in
            var width = 0.0
            var height = 0.0
            poppler_page_get_size(page, &width, &height)
            guard width.isFinite, height.isFinite, width > 0, height > 0 else {
                throw .pageUnreadable(index, of: label, cause: "invalid page size: \(width) × \(height) points")
            }
            let unit = userUnit(at: index)
            return PageSize(width: width * unit, height: height * unit)
        }
    }

    /// Returns the size of a page's user space unit in points.
    ///
    /// poppler ignores this unit.
    func userUnit(at index: Int) -> Double { userUnits[index] }

    func withDocument<T>(_ body: (OpaquePointer) -> T) -> T { body(document) }

    func withPage<T>(_ index: Int, _ body: (OpaquePointer) throws(RasterError) -> T) throws(RasterError) -> T {
        precondition((0..<pageCount).contains(index), "page index \(index) is out of range 0..<\(pageCount)")
        guard let page = poppler_document_get_page(document, Int32(index)) else {
            return try separated(index).withPage(0, body)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(page)) }
        return try body(page)
    }

    /// Returns a page as a one-page document.
    ///
    /// Poppler cannot find the pages that follow an unreadable page, but libqpdf can find these pages.
    ///
    /// - Throws: `unreadable`.
    private func separated(_ index: Int) throws(RasterError) -> PDFDocument {
        if let separatedPage, separatedPage.index == index { return separatedPage.document }
        guard pageCount > 1, bytes == nil,
            let copy = OnePagePDF.bytes(path: path, password: password, page: index),
            let document = try? PDFDocument(bytes: copy, madeOf: path, label: label), document.pageCount == 1
        else { throw .pageUnreadable(index, of: label, cause: nil) }
        separatedPage = (index, document)
        return document
    }
}

extension PDFDocument {
    /// Opens a document, first without the password.
    ///
    /// A document that has only an owner password opens without a password, but not with a wrong password.
    private static func open(
        path: String, password: String?, label: String
    ) throws(RasterError) -> (document: OpaquePointer, password: String?) {
        let content = mapped(path)
        defer { content.map { g_bytes_unref($0) } }
        for attempt in password == nil ? [nil] : [nil, password] {
            var problem: UnsafeMutablePointer<GError>?
            if let document = open(path, content, attempt, &problem) { return (document, attempt) }
            defer { g_clear_error(&problem) }
            guard let problem else { throw .unreadable(label, cause: nil) }
            let wantsPassword =
                problem.pointee.domain == poppler_error_quark()
                && problem.pointee.code == Int32(POPPLER_ERROR_ENCRYPTED.rawValue)
            guard wantsPassword else {
                throw .unreadable(label, cause: problem.pointee.message.map { String(cString: $0) })
            }
        }
        throw .encrypted(label, password: password)
    }

    /// Returns the memory-mapped content of a file; nil if the file cannot be mapped or is empty.
    ///
    /// From a file, poppler reads 256 bytes at a time, which is 400 system calls for a page of text.
    private static func mapped(_ path: String) -> OpaquePointer? {
        guard let file = g_mapped_file_new(path, 0, nil) else { return nil }
        defer { g_mapped_file_unref(file) }
        guard g_mapped_file_get_length(file) > 0 else { return nil }
        return g_mapped_file_get_bytes(file)
    }

    private static func open(
        _ path: String, _ content: OpaquePointer?, _ password: String?,
        _ problem: inout UnsafeMutablePointer<GError>?
    ) -> OpaquePointer? {
        // With a wrong password, poppler 22.12 crashes on a document in memory.
        if let content, password == nil { return poppler_document_new_from_bytes(content, nil, &problem) }
        let file = g_file_new_for_path(path)
        defer { g_object_unref(UnsafeMutableRawPointer(file)) }
        return poppler_document_new_from_gfile(file, password, nil, &problem)
    }
}
