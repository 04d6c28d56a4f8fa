// What a PDF has beyond what cairo draws.

/// Added by libqpdf once cairo has written the pages.
struct PDFExtras {
    var boxes: [(page: Int, boxes: PageBoxes, bounds: Rect)] = []

    func isNeeded(for info: DocumentInfo) -> Bool { false }

    func add(to path: String, named name: String, info: DocumentInfo) throws(GraphicsError) {}
}
