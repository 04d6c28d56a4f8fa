// The content of a controller: one of four kinds.

/// The content of a job.
///
/// A controller has at most one content.
enum PrintContent {
    case item(PrintingItem)
    case items([PrintingItem])
    case formatter(PrintFormatter)
    case renderer(PrintPageRenderer)

    /// Several items cannot have a page range.
    var allowsPageRange: Bool {
        if case .items = self { return false }
        return true
    }

    /// The renderer that draws the content.
    ///
    /// The value is `nil` for printing items. For a formatter, the renderer has no header and no footer.
    var renderer: PrintPageRenderer? {
        switch self {
        case .item, .items: return nil
        case .renderer(let renderer): return renderer
        case .formatter(let formatter):
            // A new renderer is used even if the formatter was added to another renderer meanwhile, because that
            // renderer has headers and footers.
            return PrintPageRenderer(drawing: formatter)
        }
    }
}

extension PrintPageRenderer {
    /// Creates a renderer without header and footer for a formatter, which keeps its start page.
    convenience init(drawing formatter: PrintFormatter) {
        self.init()
        printFormatters = [formatter]
    }
}
