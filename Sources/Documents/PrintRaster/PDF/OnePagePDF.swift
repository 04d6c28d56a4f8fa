// Copies one page of a document to a new document.

import CQPDFReader
import Glibc

/// A namespace for functions that create one-page documents.
///
/// The Splash renderer draws these documents, because Splash cannot limit the drawing of a page to the printed
/// annotations.
enum OnePagePDF {
    /// Returns a document that contains only a copy of one page, with the annotations that are printed.
    ///
    /// Returns nil if libqpdf cannot read the file or copy the page. The copy includes the settings of optional
    /// content. The page number counts from 0.
    static func bytes(path: String, password: String?, page index: Int) -> [UInt8]? {
        QPDFReader.with { source in
            // In the result, bit 0 means warnings and bit 1 means errors.
            guard qpdf_read(source, path, password) & 2 == 0, index < Int(qpdf_get_num_pages(source)) else {
                return nil
            }
            let page = qpdf_get_page_n(source, index)
            guard qpdf_oh_is_dictionary(source, page) == QPDF_TRUE else { return nil }
            keepPrintedAnnotations(of: page, source)
            return QPDFReader.with { copy in
                guard qpdf_empty_pdf(copy) & 2 == 0, qpdf_add_page(copy, source, page, QPDF_TRUE) & 2 == 0 else {
                    return nil
                }
                copyOptionalContent(from: source, to: copy)
                return written(copy)
            }
        }
    }

    /// Removes the annotations that are not printed, and makes the printed annotations visible for screen renderers.
    private static func keepPrintedAnnotations(of page: qpdf_oh, _ source: qpdf_data) {
        let all = qpdf_oh_get_key(source, page, "/Annots")
        guard qpdf_oh_is_array(source, all) == QPDF_TRUE else { return }
        let printed = qpdf_oh_new_array(source)
        for index in 0..<qpdf_oh_get_array_n_items(source, all) {
            let annotation = qpdf_oh_get_array_item(source, all, index)
            guard qpdf_oh_is_dictionary(source, annotation) == QPDF_TRUE else { continue }
            let entry = qpdf_oh_get_key(source, annotation, "/F")
            let isNumber = qpdf_oh_is_integer(source, entry) == QPDF_TRUE
            let flags = AnnotationFlags(
                rawValue: isNumber ? UInt32(truncatingIfNeeded: qpdf_oh_get_int_value(source, entry)) : 0)
            let type = qpdf_oh_get_key(source, annotation, "/Subtype")
            let name = qpdf_oh_is_name(source, type) == QPDF_TRUE ? String(cString: qpdf_oh_get_name(source, type)) : ""
            guard flags.isPrinted, name != "/Link", name != "/Popup" else { continue }
            qpdf_oh_replace_key(
                source, annotation, "/F",
                qpdf_oh_new_integer(source, Int64(flags.subtracting(.noView).rawValue)))
            qpdf_oh_append_item(source, printed, annotation)
        }
        qpdf_oh_replace_key(source, page, "/Annots", printed)
    }

    private static func copyOptionalContent(from source: qpdf_data, to copy: qpdf_data) {
        var choice = qpdf_oh_get_key(source, qpdf_get_root(source), "/OCProperties")
        guard qpdf_oh_is_dictionary(source, choice) == QPDF_TRUE else { return }
        if qpdf_oh_is_indirect(source, choice) == QPDF_FALSE { choice = qpdf_make_indirect_object(source, choice) }
        let copied = qpdf_oh_copy_foreign_object(copy, source, choice)
        qpdf_oh_replace_key(copy, qpdf_get_root(copy), "/OCProperties", copied)
    }

    private static func written(_ copy: qpdf_data) -> [UInt8]? {
        guard qpdf_init_write_memory(copy) & 2 == 0 else { return nil }
        qpdf_set_decode_level(copy, qpdf_dl_none)
        qpdf_set_compress_streams(copy, QPDF_FALSE)
        guard qpdf_write(copy) & 2 == 0, let bytes = qpdf_get_buffer(copy) else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: qpdf_get_buffer_length(copy)))
    }
}

/// The flags of a PDF annotation (ISO 32000-1 §12.5.3).
struct AnnotationFlags: OptionSet {
    let rawValue: UInt32

    static let hidden = AnnotationFlags(rawValue: 1 << 1)
    static let print = AnnotationFlags(rawValue: 1 << 2)
    static let noView = AnnotationFlags(rawValue: 1 << 5)

    /// Whether printers print the annotation.
    var isPrinted: Bool { contains(.print) && !contains(.hidden) }
}
