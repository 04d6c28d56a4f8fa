// The pages of a PDF, drawn by poppler onto cairo.
//
// PrintRaster turns PDF pages into pixels and pixels into PNG files, and looks at pixels: `PDFDocument` draws,
// `Bitmap` holds, `Bitmap+PNG` writes and reads, `Bitmap+Ink` and `Bitmap+Difference` look. `RasterImageProcessor` does
// with all of them what a printer does: it puts a document on paper. Everything is synchronous and meant for a worker process that serves one request: poppler parses hostile bytes.
//
// Poppler is under the GPL. What links this module is bound by that.

import CPoppler
import FoundationEssentials

/// A PDF file opened for drawing, its pages counting from 0.
///
///     let document = try PDFDocument(path: "report.pdf")
///     for page in 0..<document.pageCount {
///         try document.render(page: page, dpi: 100).writePNG(to: "\(page).png", dpi: 100)
///     }
///
/// It holds poppler's objects, so it stays in the isolation domain that opened it.
public final class PDFDocument {
    /// A page's size as shown: its crop box, turned by its rotation, in points (1/72 inch).
    public struct PageSize: Hashable, Sendable {
        /// The width in points.
        public let width: Double
        /// The height in points.
        public let height: Double

        /// A size of the given points.
        public init(width: Double, height: Double) {
            self.width = width
            self.height = height
        }
    }

    /// The file this was opened from.
    public let path: String
    /// The number of pages, at least 1.
    public let pageCount: Int

    /// What messages call the document: its path, or its name where the path is internal.
    let label: String
    /// The password that opened it; nil if it opened without one.
    let password: String?
    /// The document, where it is in memory.
    let bytes: [UInt8]?

    // The document lives as long as this object and no longer; poppler's objects are not safe to share.
    private let document: OpaquePointer
    private let userUnits: UserUnits
    private var separatedPage: (index: Int, document: PDFDocument)?
    var canvas: Canvas?
    /// Whether edges of text and graphics are drawn smooth.
    var isAntialiased = true
    /// The most pixels that are drawn at a time; a larger page is drawn in bands.
    var pixelsPerBand = Canvas.largestBand

    /// Opens a PDF.
    ///
    /// The password is tried only when the document does not open without one.
    ///
    /// - Throws: `unreadable`, `encrypted` (no password, or not the right one), or `empty`.
    public convenience init(path: String, password: String? = nil) throws(RasterError) {
        try self.init(path: path, password: password, label: "'\(path)'")
    }

    /// Opens a PDF that messages call `label`.
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

    /// Opens a PDF made of the file at `path`, which messages call `label`.
    ///
    /// Throws `unreadable`. It has no user units.
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

    /// The title the document gives itself, or `nil`.
    public var title: String? {
        guard let text = poppler_document_get_title(document) else { return nil }
        defer { g_free(text) }
        let title = String(cString: text)
        return title.isEmpty ? nil : title
    }

    /// The size of a page in points: crop box, rotation and user unit are taken into account.
    ///
    /// - Throws: `unreadable` if the page is damaged. An index that is not a page's is a programming error.
    public func pageSize(at index: Int) throws(RasterError) -> PageSize {
        try withPage(index) { page throws(RasterError) in
            var width = 0.0
            var height = 0.0
            poppler_page_get_size(page, &width, &height)
            guard width.isFinite, height.isFinite, width > 0, height > 0 else {
                throw .pageUnreadable(index, of: label, cause: "its size is \(width) × \(height) points")
            }
            let unit = userUnit(at: index)
            return PageSize(width: width * unit, height: height * unit)
        }
    }

    /// The text of a page in reading order, lines ended by newlines; empty if it has none.
    ///
    /// - Throws: `unreadable` if the page is damaged. An index that is not a page's is a programming error.
    public func text(at index: Int) throws(RasterError) -> String {
        try withPage(index) { page throws(RasterError) in
            guard let text = poppler_page_get_text(page) else { return "" }
            defer { g_free(text) }
            return String(cString: text)
        }
    }

    /// The size of one user space unit of a page in points; poppler leaves it out of account.
    func userUnit(at index: Int) -> Double { userUnits[index] }

    func withPage<T>(_ index: Int, _ body: (OpaquePointer) throws(RasterError) -> T) throws(RasterError) -> T {
        precondition((0..<pageCount).contains(index), "there is no page \(index) among \(pageCount) that count from 0")
        guard let page = poppler_document_get_page(document, Int32(index)) else {
            return try separated(index).withPage(0, body)
        }
        defer { g_object_unref(UnsafeMutableRawPointer(page)) }
        return try body(page)
    }

    /// A page as a document of one page; throws `unreadable`.
    ///
    /// Behind a page that it cannot read, poppler finds no page. libqpdf does.
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
    /// Tries without the password first: a document encrypted for its owner only refuses a wrong one.
    private static func open(
        path: String, password: String?, label: String
    ) throws(RasterError) -> (document: OpaquePointer, password: String?) {
        for attempt in password == nil ? [nil] : [nil, password] {
            var problem: UnsafeMutablePointer<GError>?
            let file = g_file_new_for_path(path)
            defer { g_object_unref(UnsafeMutableRawPointer(file)) }
            if let document = poppler_document_new_from_gfile(file, attempt, nil, &problem) {
                return (document, attempt)
            }
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
}
