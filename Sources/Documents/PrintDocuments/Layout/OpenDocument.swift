// A PDF that is open for reading.

import CQPDF
import DocumentFiles
import PrintModel

/// A PDF that is open for reading.
///
/// The document is closed when the last reference is released.
///
/// The document must not be used from several tasks at the same time, because libqpdf loads objects lazily.
final class OpenDocument {
    let handle: OpaquePointer
    let name: String
    /// Whether the document defines the size of its pages.
    ///
    /// An image file sometimes lacks a size.
    let hasSize: Bool
    /// Whether the pages are images or drawings.
    let isImage: Bool
    /// Descriptions of the changes that were necessary to open the document, one sentence each.
    private let earlierNotices: [String]

    /// Opens a document and repairs it if possible.
    ///
    /// - Parameters:
    ///   - notices: Descriptions of earlier changes to the document.
    ///   - hasSize: Whether the document defines the size of its pages.
    ///   - isImage: Whether the pages are images or drawings.
    /// - Throws: `WorkError` when the file does not exist, is not a PDF, or cannot be opened.
    init(
        _ document: InputDocument, notices: [String] = [], hasSize: Bool = true, isImage: Bool = false
    ) throws(WorkError) {
        let name = document.nameInMessages
        let hasHeader = try Self.check(document, name: name)
        earlierNotices = (document.conversion?.notices ?? []) + notices
        self.hasSize = hasSize && document.conversion?.hasSize != false
        self.isImage = isImage || document.conversion?.isImage == true
        var status = cqpdf_status()
        guard let handle = cqpdf_open(document.path, document.password, &status) else {
            guard hasHeader || status.code != CQPDF_DAMAGED else {
                throw .unsupported(nil, declared: .pdf, name: name)
            }
            throw .opening(name, status: status, passwordGiven: document.password?.isEmpty == false)
        }
        self.handle = handle
        self.name = name
    }

    deinit { cqpdf_close(handle) }

    var isEncrypted: Bool { cqpdf_is_encrypted(handle) }

    var title: String? { cqpdf_title(handle).map { String(cString: $0) } }

    /// Descriptions of the document's errors, and of the changes that were necessary to open the document, one sentence
    /// each.
    var notices: [String] {
        var first: UnsafePointer<CChar>?
        let count = cqpdf_complaints(handle, &first)
        guard count > 0, let first else { return earlierNotices }
        let others = count == 1 ? "" : " (and \(count - 1) more)"
        return earlierNotices + [
            "\(name) is damaged and was repaired as far as possible: \(String(cString: first))\(others)"
        ]
    }

    /// The number of missing pages.
    ///
    /// The page tree of the document lists a missing page, but the document does not contain the page itself.
    ///
    /// The value is valid after a call of `readPages`.
    ///
    /// A notice is printed in place of each missing page.
    var missingPages: Int { cqpdf_missing_pages(handle) }

    /// Returns the page numbers, counted from 1, of the pages that have printable annotations without an appearance.
    ///
    /// The caller must call `readPages` first.
    func pagesLackingAppearances(among pages: [Int]) -> [Int] {
        pages.filter { cqpdf_lacks_appearances(handle, $0 - 1) }
    }

    /// Returns the kind of the first printable annotation that cannot be drawn on a page.
    ///
    /// Returns nil if the page has no such annotation. The page number counts from 1.
    func undrawableAnnotation(ofPage page: Int) -> String? {
        cqpdf_undrawable_annotation(handle, page - 1).map { String(cString: $0) }
    }

    /// Writes a PDF that contains a copy of each given page, with only the annotations that have no appearance.
    ///
    /// Page numbers count from 1.
    func writeAnnotations(ofPages pages: [Int], to path: String) throws(WorkError) {
        var status = cqpdf_status()
        let indices = pages.map { $0 - 1 }
        guard cqpdf_write_annotations(handle, indices, indices.count, path, &status) else {
            throw .damaged(name, status: status)
        }
    }

    /// Lays a page of another document over a page, in place of the annotations without an appearance.
    ///
    /// The numbers of the two pages count from 1.
    ///
    /// - Parameter document: The index of the other document in the imposition plan.
    func setOverlay(ofPage page: Int, document: Int, page overlay: Int) {
        _ = cqpdf_set_overlay(handle, page - 1, UInt32(document), overlay - 1)
    }

    /// Returns the number of pages that the document declares, without reading the pages.
    func statedPageCount() throws(WorkError) -> Int {
        var status = cqpdf_status()
        var count = 0
        guard cqpdf_stated_page_count(handle, &count, &status) else { throw .damaged(name, status: status) }
        return count
    }

    /// The number of pages; valid after a call of `readPages`.
    private(set) var pageCount = 0

    /// Reads all pages and returns their number.
    func readPages() throws(WorkError) -> Int {
        var status = cqpdf_status()
        var count = 0
        guard cqpdf_page_count(handle, &count, &status) else { throw .damaged(name, status: status) }
        pageCount = count
        return count
    }

    /// Returns the visible size of the first page, or nil if there are no pages.
    func firstPageSize() throws(WorkError) -> Size? {
        var status = cqpdf_status()
        var geometry = cqpdf_geometry()
        guard cqpdf_first_geometry(handle, &geometry, &status) else {
            guard status.code == CQPDF_OK else { throw .damaged(name, status: status) }
            return nil
        }
        return PageGeometry(geometry).size
    }

    /// Returns the geometry of a page.
    ///
    /// The page number counts from 1.
    ///
    /// The caller must call `readPages` first.
    func geometry(ofPage page: Int) -> PageGeometry { PageGeometry(cqpdf_page_geometry(handle, page - 1)) }

    /// Returns whether a file has a PDF header in its first 1,024 bytes.
    ///
    /// A damaged PDF can lack its header. Therefore the function returns false for a file of unknown format that the
    /// client declared as a PDF.
    ///
    /// - Throws: `WorkError` for any other file without a PDF header.
    private static func check(_ document: InputDocument, name: String) throws(WorkError) -> Bool {
        let format = try document.sniffedFormat()
        if format == .pdf { return true }
        // A damaged PDF can lack its header. In that case, libqpdf decides whether the file is a PDF.
        guard format == nil, document.format == .pdf else {
            throw .unsupported(format, declared: document.format, name: name)
        }
        return false
    }
}

extension PageGeometry {
    init(_ geometry: cqpdf_geometry) {
        self.init(
            box: Rect(
                x: geometry.left, y: geometry.bottom, width: geometry.right - geometry.left,
                height: geometry.top - geometry.bottom),
            turns: Int(geometry.turns), userUnit: geometry.user_unit)
    }
}
