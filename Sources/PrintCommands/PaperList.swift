// The papers of a printer, for `printq papers`.

package import IPP
import PrintIPP
import PrintModel

/// The papers that a printer can print on.
package struct PaperList: Sendable {
    private let capabilities: PrinterCapabilities

    /// The attributes to ask for.
    package static let attributeNames = ["printer-name"] + PrinterCapabilities.attributeNames

    /// The papers of the printer with these attributes.
    package init(_ group: AttributeGroup) { capabilities = PrinterCapabilities(attributes: group) }

    /// The papers as a table: the default one has a star, those that are loaded say so.
    package var table: TextTable {
        var table = TextTable([
            .left(" "), .left("PAPER"), .left("IPP NAME"), .left("MARGINS"), .flexible("KIND"), .left("LOADED"),
        ])
        for paper in capabilities.papers {
            let media = paper.media
            table.add([
                media == capabilities.defaultMedia ? "*" : "", media.localizedName, media.name,
                Self.words(paper.margins), paper.type ?? "",
                capabilities.readyPapers.contains { $0.media == media } ? "yes" : "",
            ])
        }
        return table
    }

    /// The sizes beyond the named ones, as a sentence; nil when there are none.
    package var customSizes: String? {
        guard let custom = capabilities.customMedia else { return nil }
        func size(_ width: Int, _ height: Int) -> String {
            "\(Self.millimeters(Length(hundredths: width))) × \(Self.millimeters(Length(hundredths: height)))"
        }
        let smallest = size(custom.width.lowerBound, custom.height.lowerBound)
        let largest = size(custom.width.upperBound, custom.height.upperBound)
        return "any size from \(smallest) to \(largest) mm, as --paper 100x62mm"
    }

    private static func words(_ margins: Margins) -> String {
        if margins == .zero { return "borderless" }
        let edges = [margins.top, margins.right, margins.bottom, margins.left]
        if edges.allSatisfy({ $0 == edges[0] }) { return "\(millimeters(edges[0])) mm" }
        return edges.map(millimeters).joined(separator: " ") + " mm"
    }

    private static func millimeters(_ length: Length) -> String {
        let (whole, rest) = length.hundredths.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return "\(whole)" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}
