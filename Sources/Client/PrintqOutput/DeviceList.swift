// Formats found devices as a table or as JSON, and the description of a new printer.

package import IPP
import PrintIPP
import PrintModel
package import SpoolerClient

extension [FoundDevice] {
    package var table: TextTable {
        var table = TextTable([.left("URI"), .flexible("DESCRIPTION"), .flexible("MAKE AND MODEL"), .left("LOCATION")])
        for device in self { table.add([device.uri, device.info, device.makeAndModel, device.location]) }
        return table
    }

    /// The devices as JSON, with CUPS attribute names.
    package var json: JSONText { .array(map { JSONText($0.attributes) }) }
}

extension PaperList {
    /// Returns a description of a printer that the user can add: the model, formats, papers and state, one per line.
    package static func findings(_ group: AttributeGroup) -> String {
        let formats = group.strings("document-format-supported").map {
            $0.split(separator: "/").last.map(String.init) ?? $0
        }
        let papers = PrinterCapabilities(attributes: group).papers.map(\.media.localizedName)
        func list(_ words: [String]) -> String {
            var seen: Set<String> = []
            let unique = words.filter { seen.insert($0).inserted }
            return unique.count > 8 ? unique.prefix(8).joined(separator: ", ") + " …" : unique.joined(separator: ", ")
        }
        var lines = [group.string("printer-make-and-model") ?? "A printer"]
        if !formats.isEmpty { lines.append("formats: \(list(formats))") }
        if !papers.isEmpty { lines.append("papers: \(list(papers))") }
        if let words = group.string("printer-state-message"), !words.isEmpty { lines.append(words) }
        return lines.map { "  \($0.printable)\n" }.joined()
    }
}
