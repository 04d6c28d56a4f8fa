// What a controller prints: one of four things.

/// The content of a job; there is never more than one.
enum PrintContent {
    case item(PrintingItem)
    case items([PrintingItem])
    case formatter(PrintFormatter)
    case renderer(PrintPageRenderer)

    /// Whether it can have a page range: several items cannot.
    var allowsPageRange: Bool {
        if case .items = self { return false }
        return true
    }

    /// What draws it, if it is drawn: a formatter has a renderer without header and footer.
    var renderer: PrintPageRenderer? {
        switch self {
        case .item, .items: return nil
        case .renderer(let renderer): return renderer
        case .formatter(let formatter):
            // Its own, even if it was added to another since: that one has headers and footers.
            let renderer = PrintPageRenderer()
            renderer.printFormatters = [formatter]
            return renderer
        }
    }
}
