// A printer's file made of what a printer says of itself.

import FoundationEssentials
package import IPP
import PrintIPP
import PrintModel
import PrinterSimulator

/// A simulated printer made of what a real one says of itself.
///
///     let clone = try PrinterClone(of: answer[.printer]!, source: "ipp://printer.local/ipp/print")
///     clone.text       // a file for Simulators, with comments
///
/// What the printer says is hostile input like any other: absurd values are left out, and said so in a comment. What a
/// simulated printer does not play stands in comments at the end.
package struct PrinterClone: Sendable {
    /// Why there is no clone.
    package struct Failure: Error, CustomStringConvertible {
        /// One sentence for people.
        package let description: String
    }

    /// The text of the printer's file, which can be read as it is.
    package private(set) var text: String
    /// The printer's name in it.
    package let name: String
    /// What the simulated printer does not play, a line each.
    package private(set) var notes: [String]

    /// The attributes to ask a printer for: all there are, the database of its media among them.
    package static let requestedAttributes = ["all", "media-col-database"]

    /// Makes a file of a printer's attributes.
    ///
    /// - Parameters:
    ///   - attributes: what it answered to Get-Printer-Attributes.
    ///   - source: where that came from, for the file's first line.
    ///   - name: what the simulated one is to be called; nil for the printer's own name, as far as it can be one.
    /// - Throws: `Failure` when these are no attributes of a printer, or no medium is among them.
    package init(of attributes: AttributeGroup, source: String, name: String? = nil) throws(Failure) {
        var reader = CloneReader(attributes)
        guard
            ["printer-name", "printer-make-and-model", "media-supported", "media-col-database", "printer-state"]
                .contains(where: { attributes[$0] != nil })
        else {
            throw Failure(description: "\(source) says nothing of a printer: no name, no model, no media")
        }
        let name = name ?? Self.name(of: attributes)
        let media = reader.media()
        guard !media.values.isEmpty else {
            throw Failure(
                description:
                    "\(source) names no size of paper that can be simulated (media-col-database, media-supported)")
        }
        var file = PrinterFileText(about: [
            "A clone of \(attributes.string("printer-make-and-model") ?? "a printer"), made by 'printsim clone' of \(source).",
            "Simulators/README.md explains the keys; what is not said of the printer has its default.",
        ])
        self.name = name
        file.add("name", .text(name))
        file.add("info", .text(reader.text("printer-info") ?? name))
        file.add("makeAndModel", .text(reader.text("printer-make-and-model") ?? "Unknown printer"))
        file.add("location", reader.text("printer-location").map { .text($0) })
        file.add("kind", reader.kinds())
        file.gap()
        file.add("margins", media.margins)
        file.add("mediaTypes", media.types)
        file.add("media", .list(media.values))
        file.add("defaultMedia", media.byDefault)
        file.add("customMedia", media.custom)
        file.gap()
        let trays = reader.trays()
        file.add("trays", trays.isEmpty ? nil : .list(trays))
        file.add("cutter", reader.cutter(hasRoll: trays.contains { $0.line.contains("roll:") }))
        file.add("outputBins", reader.outputBins())
        reader.scalings()
        file.gap()
        file.add("sides", reader.sides())
        file.add("color", .bool(reader.isColor))
        file.add("qualities", reader.qualities())
        file.add("resolutions", reader.resolutions())
        file.add("formats", reader.formats())
        file.add("rasterTypes", reader.rasterTypes())
        file.add("sheetBack", reader.sheetBack())
        file.add("maxCopies", .whole(reader.maxCopies()))
        file.add("collates", .bool(reader.collates()))
        file.gap()
        file.add("pagesPerMinute", reader.pagesPerMinute().map { .whole($0) })
        file.add("speed", "×10", note: "How fast it really is, beside what it claims.")
        let supplies = reader.supplies()
        file.add(
            "supplies", supplies.isEmpty ? nil : .list(supplies),
            note: supplies.isEmpty ? nil : "Printers do not say how many sides a supply lasts; 'yield' is a guess.")
        notes = reader.notes + reader.rest()
        text = file.finished(notes)
        do throws(SimulatorError) {
            _ = try SimulatedPrinterDescription(json5: Data(text.utf8), file: "the clone")
        } catch {
            throw Failure(description: "what \(source) says makes no printer: \(error.message)")
        }
    }

    /// A name that a simulated printer can have.
    private static func name(of attributes: AttributeGroup) -> String {
        let said = attributes.string("printer-name") ?? attributes.string("printer-make-and-model") ?? ""
        var name = ""
        for character in said.unicodeScalars.prefix(100) {
            let isPlain = character.isASCII && (character.properties.isAlphabetic || ("0"..."9").contains(character))
            if isPlain || "-_.".unicodeScalars.contains(character) {
                name.unicodeScalars.append(character)
            } else if name.last != "-" {
                name += "-"
            }
        }
        while let first = name.first, !first.isLetter, !first.isNumber { name.removeFirst() }
        while name.last == "-" { name.removeLast() }
        return ConfiguredPrinter.isValidName(name) ? name : "clone"
    }
}
