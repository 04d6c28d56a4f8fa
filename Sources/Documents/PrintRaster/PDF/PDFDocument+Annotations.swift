// Selects the annotations to print.

import CPoppler

extension PDFDocument {
    /// Sets the flags of a page's annotations so that a screen renderer draws all annotations that are printed, and no
    /// others.
    ///
    /// `poppler_page_render` draws annotations for a screen. Without this function, poppler draws annotations that are
    /// not printed, and omits print-only annotations. The function changes the flags in memory only. Links and the
    /// windows of notes are never printed.
    func showOnlyPrintedAnnotations(of page: OpaquePointer) {
        guard let list = poppler_page_get_annot_mapping(page) else { return }
        defer { poppler_page_free_annot_mapping(list) }
        var next: UnsafeMutablePointer<GList>? = list
        while let entry = next?.pointee {
            next = entry.next
            guard let mapping = entry.data?.assumingMemoryBound(to: PopplerAnnotMapping.self),
                let annotation = mapping.pointee.annot
            else { continue }
            let flags = AnnotationFlags(rawValue: poppler_annot_get_flags(annotation).rawValue)
            let type = poppler_annot_get_annot_type(annotation)
            let isPrinted = flags.isPrinted && type != POPPLER_ANNOT_LINK && type != POPPLER_ANNOT_POPUP
            let shown = isPrinted ? flags.subtracting(.noView) : flags.union(.hidden)
            poppler_annot_set_flags(annotation, PopplerAnnotFlag(rawValue: shown.rawValue))
        }
    }
}
