// Formats the papers of a printer for `printq papers`.

package import IPP
import PrintIPP
import PrintModel

/// The papers that a printer supports.
package struct PaperList: Sendable {
    private let capabilities: PrinterCapabilities

    /// The attributes to request.
    package static let attributeNames = ["printer-name"] + PrinterCapabilities.attributeNames

    /// Creates the list for the printer with these attributes.
    package init(_ group: AttributeGroup) { capabilities = PrinterCapabilities(attributes: group) }

    /// The papers as a table with one row per size.
    ///
    /// The default paper has a star.
    package var table: TextTable {
        var table = TextTable([
            .left(" "), .left("PAPER"), .left("IPP NAME"), .left("MARGINS"), .flexible("KIND"), .left("LOADED"),
        ])
        for papers in sizes {
            let media = papers[0].media
            table.add([
                media == capabilities.defaultMedia ? "*" : "", media.localizedName, media.name,
                Self.words(papers[0].margins), papers.compactMap(\.type).joined(separator: ", "),
                papers.contains(where: isLoaded) ? "yes" : "",
            ])
        }
        return table
    }

    private func isLoaded(_ paper: PrintPaper) -> Bool {
        capabilities.readyPapers.contains { ready in
            ready.media == paper.media && (ready.type == nil || paper.type == nil || ready.type == paper.type)
        }
    }

    /// The papers grouped by size and margins, in the printer's order.
    private var sizes: [[PrintPaper]] {
        struct Size: Hashable { var media: Media, margins: Margins }
        var order: [Size] = []
        let papers = Dictionary(grouping: capabilities.papers) { paper in
            let size = Size(media: paper.media, margins: paper.margins)
            if !order.contains(size) { order.append(size) }
            return size
        }
        return order.compactMap { papers[$0] }
    }

    /// The supported range of custom sizes, as a sentence; nil if the printer does not support custom sizes.
    package var customSizes: String? { capabilities.customMedia?.words }

    private static func words(_ margins: Margins) -> String {
        if margins == .zero { return "borderless" }
        let edges = [margins.top, margins.right, margins.bottom, margins.left]
        if edges.allSatisfy({ $0 == edges[0] }) { return "\(edges[0].millimeterWords) mm" }
        return edges.map(\.millimeterWords).joined(separator: " ") + " mm"
    }
}
