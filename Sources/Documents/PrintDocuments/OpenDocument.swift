// A PDF that is open for reading.

import CQPDF
import PrintModel

/// A PDF open for reading, closed when the last reference to it goes.
///
/// Not for use from several tasks at once: libqpdf reads objects when they are first looked at.
final class OpenDocument {
    let handle: OpaquePointer
    let name: String
    /// Whether the document says how large its pages are; an image may not.
    let hasSize: Bool
    /// What was done to the document before it was opened here, a sentence each.
    private let earlierNotices: [String]

    /// Opens a document, repairing what can be repaired.
    ///
    /// - Parameters:
    ///   - notices: What was done to the document before.
    ///   - hasSize: Whether its pages are as large as the document says.
    /// - Throws: `WorkError` when there is no such file, it is no PDF, or it cannot be opened.
    init(_ document: InputDocument, notices: [String] = [], hasSize: Bool = true) throws(WorkError) {
        let name = WorkError.name(of: document)
        let hasHeader = try Self.check(document, name: name)
        earlierNotices = notices
        self.hasSize = hasSize
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

    /// What was wrong with the document, a sentence each; empty when nothing was.
    var notices: [String] {
        var first: UnsafePointer<CChar>?
        let count = cqpdf_complaints(handle, &first)
        guard count > 0, let first else { return earlierNotices }
        let others = count == 1 ? "" : " (and \(count - 1) more)"
        return earlierNotices + [
            "\(name) is damaged and was repaired as far as possible: \(String(cString: first))\(others)"
        ]
    }

    /// How many pages the document lists and does not have; after `readPages`.
    ///
    /// A notice is printed in place of each.
    var missingPages: Int { cqpdf_missing_pages(handle) }

    /// Those of some pages, counted from 1, with annotations that are printed and lack an appearance; after `readPages`.
    func pagesLackingAppearances(among pages: [Int]) -> [Int] {
        pages.filter { cqpdf_lacks_appearances(handle, $0 - 1) }
    }

    /// The kind of an annotation of a page, counted from 1, that is printed and of which nobody knows how to draw it; nil
    /// when there is none.
    func undrawableAnnotation(ofPage page: Int) -> String? {
        cqpdf_undrawable_annotation(handle, page - 1).map { String(cString: $0) }
    }

    /// Writes a PDF of pages, counted from 1, with nothing on them but the annotations that lack an appearance.
    func writeAnnotations(ofPages pages: [Int], to path: String) throws(WorkError) {
        var status = cqpdf_status()
        let indices = pages.map { $0 - 1 }
        guard cqpdf_write_annotations(handle, indices, indices.count, path, &status) else {
            throw .damaged(name, status: status)
        }
    }

    /// Lays a page of another document over a page, both counted from 1, in place of its annotations without appearance.
    func setOverlay(ofPage page: Int, document: Int, page overlay: Int) {
        _ = cqpdf_set_overlay(handle, page - 1, UInt32(document), overlay - 1)
    }

    /// The number of pages as the document gives it, without looking at each.
    func statedPageCount() throws(WorkError) -> Int {
        var status = cqpdf_status()
        var count = 0
        guard cqpdf_stated_page_count(handle, &count, &status) else { throw .damaged(name, status: status) }
        return count
    }

    /// Reads all pages and counts them.
    func readPages() throws(WorkError) -> Int {
        var status = cqpdf_status()
        var count = 0
        guard cqpdf_page_count(handle, &count, &status) else { throw .damaged(name, status: status) }
        return count
    }

    /// The size of the first page as it is seen; nil when there is none.
    func firstPageSize() throws(WorkError) -> Size? {
        var status = cqpdf_status()
        var geometry = cqpdf_geometry()
        guard cqpdf_first_geometry(handle, &geometry, &status) else {
            guard status.code == CQPDF_OK else { throw .damaged(name, status: status) }
            return nil
        }
        return PageGeometry(geometry).size
    }

    /// How a page, counted from 1, wants to be seen; after `readPages`.
    func geometry(ofPage page: Int) -> PageGeometry { PageGeometry(cqpdf_page_geometry(handle, page - 1)) }

    /// Refuses what is not a PDF file before libqpdf sees it.
    ///
    /// - Returns: Whether the file has the header of a PDF in its first 1,024 bytes.
    private static func check(_ document: InputDocument, name: String) throws(WorkError) -> Bool {
        let format = try document.sniffedFormat()
        if format == .pdf { return true }
        // A PDF may have lost its header: whether it is one shows when it is read.
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
