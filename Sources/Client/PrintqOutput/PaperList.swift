// Formats the papers of a printer for `printq papers`.

package import IPP
import PrintIPP
import PrintModel
package import SpoolerClient

/// The papers that a printer supports.
package struct PaperList: Sendable {
    private let capabilities: PrinterCapabilities

    /// The printer attributes to request from printd.
    package static let attributeNames = ["printer-name"] + PrinterCapabilities.attributeNames

    package init(_ group: AttributeGroup) { capabilities = PrinterCapabilities(attributes: group) }

    /// The papers as a table with one row per size.
    ///
    /// A star marks the default paper.
    package var table: TextTable {
        var table = TextTable([
            .left(" "), .flexible("PAPER"), .left("IPP NAME"), .left("MARGINS"), .flexible("KIND"), .left("LOADED"),
        ])
        for papers in sizes {
            let media = papers[0].media
            table.add([
                media == capabilities.defaultMedia ? "*" : "", Self.names(of: media), media.name,
                Self.text(papers[0].margins), papers.compactMap(\.type).joined(separator: ", "),
                papers.contains(where: isLoaded) ? "yes" : "",
            ])
        }
        return table
    }

    /// All standard papers, as a table with the names that `--paper` and `-o media` accept.
    package static var allNames: TextTable {
        var table = TextTable([.flexible("PAPER"), .left("IPP NAME")])
        for media in Media.standard { table.add([names(of: media), media.name]) }
        return table
    }

    /// All standard papers, as JSON.
    package static var allNamesJSON: JSONText {
        .array(
            Media.standard.map {
                .object([("media", .string($0.name)), ("printq-media-names", .strings($0.commonNames))])
            })
    }

    /// Returns the common names of a medium: `Letter, na-letter`; the size if the medium has no common name.
    private static func names(of media: Media) -> String {
        media.commonNames.isEmpty ? media.localizedName : media.commonNames.joined(separator: ", ")
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
    package var customSizes: String? { capabilities.customMedia?.text }

    private static func text(_ margins: Margins) -> String {
        if margins == .zero { return "borderless" }
        let edges = [margins.top, margins.right, margins.bottom, margins.left]
        if edges.allSatisfy({ $0 == edges[0] }) { return "\(edges[0].millimeterWords) mm" }
        return edges.map(\.millimeterWords).joined(separator: " ") + " mm"
    }
}
