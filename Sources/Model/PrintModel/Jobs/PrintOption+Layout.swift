// Lists the options for booklets, posters, and texts on pages.

extension PrintOption {
    /// The options for booklets, posters, and texts on pages.
    static let layoutOptions: [PrintOption] = [
        PrintOption(
            name: "imposition-template", aliases: ["booklet"], syntax: .keyword, consumer: .imposition,
            values: "none or signature",
            help: "Arrangement of the pages on sheets: none, or signature for a booklet to fold.",
            read: { $0.isBooklet.map { $0 ? "signature" : "none" } },
            write: { (ticket, text, _) throws(OptionError) in
                switch text.lowercased() {
                case "none", "false", "no", "off": ticket.isBooklet = nil
                case "signature", "true", "yes", "on": ticket.isBooklet = true
                default: throw .wrong("imposition-template", text, allowed: "none or signature")
                }
            }),
        PrintOption(
            name: "printq-booklet-signature-size", aliases: ["booklet-signature-size"], syntax: .integer,
            consumer: .imposition, values: "0 to \(Booklet.mostSignatureSheets)",
            help: "Number of sheets that are folded together in a booklet; 0 for all sheets.",
            read: { $0.bookletSignatureSheets.map(String.init) },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.bookletSignatureSheets = try number(
                    text, in: 0...Booklet.mostSignatureSheets, of: "printq-booklet-signature-size")
            }),
        PrintOption(
            name: "printq-booklet-binding", aliases: ["booklet-binding"], syntax: .keyword, consumer: .imposition,
            values: "left-edge or right-edge", help: "Edge at which a booklet is bound.",
            read: { $0.bookletBinding?.rawValue },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.bookletBinding = try keyword(
                    text, of: "printq-booklet-binding", words: ["left": .leftEdge, "right": .rightEdge])
            }),
        PrintOption(
            name: "printq-booklet-sides", aliases: ["booklet-sides"], syntax: .keyword, consumer: .imposition,
            values: "both, front or back", help: "Printed sides of each booklet sheet.",
            read: { $0.bookletSides?.rawValue },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.bookletSides = try keyword(text, of: "printq-booklet-sides")
            }),
        PrintOption(
            name: "printq-poster", aliases: ["poster"], syntax: .keyword, consumer: .imposition,
            values: "none, or columns x rows such as 2x2",
            help: "Columns and rows of sheets for each page of a poster.",
            read: { $0.poster?.grid },
            write: { (ticket, text, _) throws(OptionError) in
                if text.lowercased() == "none" { return ticket.poster = nil }
                guard let poster = Poster(text: text) else {
                    throw .wrong(
                        "printq-poster", text,
                        allowed:
                            "columns x rows, such as 2x2, 3x3 or 2x1, with at most \(Poster.counts.upperBound) "
                            + "columns and \(Poster.counts.upperBound) rows")
                }
                ticket.poster = poster
            }),
        PrintOption(
            name: "printq-poster-overlap", aliases: ["poster-overlap"], syntax: .keyword, consumer: .imposition,
            values: "a length such as 10mm or 0.5in", help: "Overlap of adjacent sheets of a poster.",
            read: { $0.posterOverlap.map { "\($0.millimeterWords)mm" } },
            write: { (ticket, text, _) throws(OptionError) in
                let isInches = text.hasSuffix("in")
                let digits = text.hasSuffix("mm") || isInches ? text.dropLast(2) : text[...]
                guard let value = Double(digits), (0...1000).contains(value) else {
                    throw .wrong("printq-poster-overlap", text, allowed: "a length such as 10mm or 0.5in")
                }
                ticket.posterOverlap = isInches ? .inches(value) : .millimeters(value)
            }),
        PrintOption(
            name: "printq-page-numbers", aliases: ["page-numbers"], syntax: .keyword, consumer: .imposition,
            values: "none, " + PageNumberPosition.allCases.map(\.rawValue).joined(separator: ", "),
            help: "Position of page numbers.",
            read: { $0.pageNumbers?.rawValue },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.pageNumbers =
                    text.lowercased() == "none" ? nil : try keyword(text, of: "printq-page-numbers")
            }),
        PrintOption(
            name: "printq-page-number-format", aliases: ["page-number-format"], syntax: .keyword,
            consumer: .imposition, values: "n or n-of-m",
            help: "Format of page numbers: n prints '1', n-of-m prints '1 / 5'.",
            read: { $0.pageNumberFormat?.rawValue },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.pageNumberFormat = try keyword(
                    text, of: "printq-page-number-format", words: ["n of m": .numberOfTotal, "n/m": .numberOfTotal])
            }),
        PrintOption(
            name: "printq-watermark", aliases: ["watermark"], syntax: .name, consumer: .imposition, values: "a text",
            help: "Light gray text across each page.",
            read: { $0.watermark },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.watermark = try shortText(text, of: "printq-watermark")
            }),
        PrintOption(
            name: "printq-watermark-layer", aliases: ["watermark-layer"], syntax: .keyword, consumer: .imposition,
            values: "'over' or 'under'", help: "Position of the watermark: over or under the content of the page.",
            read: { $0.watermarkLayer?.rawValue },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.watermarkLayer = try keyword(text, of: "printq-watermark-layer")
            }),
        PrintOption(
            name: "printq-page-header", aliases: ["page-header"], syntax: .name, consumer: .imposition,
            values: "a text; printq replaces {title}, {page}, {pages} and {date}",
            help: "Text at the upper edge of each page.",
            read: { $0.pageHeader },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.pageHeader = try shortText(text, of: "printq-page-header")
            }),
    ]

    /// Returns a text without line breaks; nil for an empty text.
    private static func shortText(_ text: String, of option: String) throws(OptionError) -> String? {
        guard text.utf8.count <= PageTexts.longestText else {
            throw .wrong(option, "\(text.prefix(20))…", allowed: "at most \(PageTexts.longestText) bytes of text")
        }
        let words = text.split {
            $0.isWhitespace || $0.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
        }
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}
