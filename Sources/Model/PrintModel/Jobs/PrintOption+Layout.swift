// Lists the options for booklets, posters, and texts on pages.

extension PrintOption {
    /// The options for booklets, posters, and texts on pages.
    static let layoutOptions: [PrintOption] = [
        PrintOption(
            name: "imposition-template", aliases: ["booklet"], syntax: .keyword, consumer: .imposition,
            values: "none or signature", choices: .keywords(["none", "signature"]), byDefault: .text("none"),
            help: "Arrangement of the pages on sheets: none, or signature for a booklet to fold.",
            read: { $0.isBooklet.map { $0 ? "signature" : "none" } },
            write: { (ticket, text, _) throws(OptionError) in
                switch text.lowercased() {
                case "none", "false", "no", "off": ticket.isBooklet = nil
                case "signature", "true", "yes", "on": ticket.isBooklet = true
                default: throw .wrong("imposition-template", text, allowed: "none or signature")
                }
            }),
        .number(
            "printq-booklet-signature-size", ["booklet-signature-size"], \.bookletSignatureSheets,
            in: 0...Booklet.mostSignatureSheets, .imposition, choices: .upTo(Booklet.mostSignatureSheets),
            help: "Number of sheets that are folded together in a booklet; 0 for all sheets."),
        .keyword(
            "printq-booklet-binding", ["booklet-binding"], \.bookletBinding, .imposition,
            words: ["left": .leftEdge, "right": .rightEdge], help: "Edge at which a booklet is bound."),
        .keyword(
            "printq-booklet-sides", ["booklet-sides"], \.bookletSides, .imposition,
            help: "Printed sides of each booklet sheet."),
        PrintOption(
            name: "printq-poster", aliases: ["poster"], syntax: .keyword, consumer: .imposition,
            values: "none, or columns x rows such as 2x2", choices: .any,
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
            values: "a length such as 10mm or 0.5in", choices: .any, help: "Overlap of adjacent sheets of a poster.",
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
            values: pageNumberPositions.joined(separator: ", "), choices: .keywords(pageNumberPositions),
            help: "Position of page numbers.",
            read: { $0.pageNumbers?.rawValue },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.pageNumbers =
                    text.lowercased() == "none" ? nil : try keyword(text, of: "printq-page-numbers")
            }),
        .keyword(
            "printq-page-number-format", ["page-number-format"], \.pageNumberFormat, .imposition,
            words: ["n of m": .numberOfTotal, "n/m": .numberOfTotal],
            help: "Format of page numbers: n prints '1', n-of-m prints '1 / 5'."),
        shortText(
            "printq-watermark", ["watermark"], \.watermark, values: "a text", help: "Light gray text across each page."),
        .keyword(
            "printq-watermark-layer", ["watermark-layer"], \.watermarkLayer, .imposition, values: "'over' or 'under'",
            help: "Position of the watermark: over or under the content of the page."),
        shortText(
            "printq-page-header", ["page-header"], \.pageHeader,
            values: "a text; printq replaces {title}, {page}, {pages} and {date}",
            help: "Text at the upper edge of each page."),
    ]

    private static let pageNumberPositions = ["none"] + PageNumberPosition.allCases.map(\.rawValue)

    /// Returns an option whose value is a text of limited length.
    private static func shortText(
        _ name: String, _ aliases: [String], _ field: any WritableKeyPath<JobTicket, String?> & Sendable,
        values: String, help: String
    ) -> PrintOption {
        PrintOption(
            name: name, aliases: aliases, syntax: .name, consumer: .imposition, values: values,
            choices: .upTo(PageTexts.longestText), help: help, read: { $0[keyPath: field] },
            write: { (ticket, text, _) throws(OptionError) in
                ticket[keyPath: field] = try shortText(text, of: name)
            })
    }

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
