// Creates a printer file from the attributes of a real printer.

import FoundationEssentials
package import IPP
import PrintIPP
import PrintModel
import PrinterSimulator

/// A simulated printer with the attributes of a real printer.
///
///     let clone = try PrinterClone(of: answer[.printer]!, source: "ipp://printer.local/ipp/print")
///     clone.text       // a file for Simulators, with comments
///
/// The attributes are untrusted input: out-of-range values are omitted and noted. Comments at the end of the file list
/// the features that a simulated printer does not support.
package struct PrinterClone: Sendable {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package private(set) var text: String
    package let name: String
    package private(set) var notes: [String]

    /// The attributes that the cloning program requests from a printer.
    ///
    /// The keyword `all` does not include the media database.
    package static let requestedAttributes = ["all", "media-col-database"]

    /// Creates a printer file.
    ///
    /// - Parameters:
    ///   - source: The origin of the attributes, for the first line of the file.
    ///   - name: The name of the simulated printer; if nil, the real printer's name with invalid characters replaced.
    /// - Throws: `Failure` if the attributes do not describe a printer or contain no paper size.
    package init(of attributes: AttributeGroup, source: String, name: String? = nil) throws(Failure) {
        var reader = CloneReader(attributes)
        guard
            ["printer-name", "printer-make-and-model", "media-supported", "media-col-database", "printer-state"]
                .contains(where: { attributes[$0] != nil })
        else {
            throw Failure(description: "\(source) has no printer attributes: no name, no model, no media")
        }
        let name = name ?? Self.name(of: attributes)
        let media = reader.media()
        guard !media.values.isEmpty else {
            throw Failure(
                description:
                    "\(source) has no supported paper size (media-col-database, media-supported)")
        }
        var file = PrinterFileText(about: [
            "A clone of \(attributes.string("printer-make-and-model") ?? "a printer"), created by 'printsim clone' "
                + "from \(source).",
            "Simulators/README.md explains the keys; a missing key has its default value.",
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
        file.add("speed", "×10", note: "The simulated speed, as a multiple of pagesPerMinute.")
        let supplies = reader.supplies()
        file.add(
            "supplies", supplies.isEmpty ? nil : .list(supplies),
            note: supplies.isEmpty ? nil : "Printers do not report the yield of a supply; 'yield' is an estimate.")
        notes = reader.notes + reader.rest()
        text = file.finished(notes)
        do throws(SimulatorError) {
            _ = try SimulatedPrinterDescription(json5: Data(text.utf8), file: "the clone")
        } catch {
            throw Failure(description: "cannot create a printer from \(source): \(error.message)")
        }
    }

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
