// Lists the print options for the conversion of text and Office documents, with the names that CUPS uses where it has them.

extension PrintOption {
    /// The options for the conversion of documents, in the order of the help text.
    static let textOptions: [PrintOption] = [
        density("cpi", \.textOptions.charactersPerInch, help: "Characters per inch of plain text."),
        density("lpi", \.textOptions.linesPerInch, help: "Lines per inch of plain text."),
        .flag(
            "wrap", [], \.textOptions.wraps, .conversion,
            help: "Wraps long lines of plain text (true), or cuts them off (false)."),
        .flag(
            "line-numbers", ["linenumbers"], \.textOptions.numbersLines, .conversion,
            help: "Prints a number before each line of text."),
        .flag(
            "prettyprint", ["pretty-print"], \.textOptions.hasHeader, .conversion,
            help: "Prints the title, the date and page numbers above the text."),
        .number(
            "columns", [], \.textOptions.columns, in: 1...8, .conversion,
            help: "Number of columns of plain text on a page."),
        .number(
            "tab-width", ["tabwidth"], \.textOptions.tabWidth, in: 1...32, .conversion,
            help: "Number of characters between tab stops."),
        PrintOption(
            name: "document-charset", aliases: ["charset"], syntax: .charset, consumer: .conversion,
            values: "a name such as utf-8, iso-8859-1 or shift_jis", help: "Character encoding of text.",
            read: { $0.text?.encoding },
            write: { (ticket, text, _) throws(OptionError) in
                let isName = text.utf8.allSatisfy {
                    $0 >= 0x30 && $0 <= 0x3A || $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || "-_.".utf8.contains($0)
                }
                guard isName, (1...40).contains(text.utf8.count) else {
                    throw .wrong(
                        "document-charset", text, allowed: "a name such as utf-8, iso-8859-1 or shift_jis")
                }
                ticket.textOptions.encoding = text.lowercased()
            }),
        .keyword(
            "printq-office", ["office"], \.textOptions.office, .conversion,
            help: "Content of Office documents: notes, hidden slides, one sheet, or comments."),
        PrintOption(
            name: "printq-sheets", aliases: ["sheets"], syntax: .name, consumer: .conversion, values: "1,3-4",
            help: "Visible sheets of a spreadsheet to print.",
            read: { $0.text?.sheets },
            write: { (ticket, text, _) throws(OptionError) in
                do throws(PageRangesError) {
                    ticket.textOptions.sheets = try PageRanges(text).description
                } catch {
                    throw .wrong("printq-sheets", text, because: error.explanation(of: text))
                }
            }),
    ]

    /// Returns an option whose value is a number of characters or lines per inch.
    private static func density(
        _ name: String, _ field: any WritableKeyPath<JobTicket, Double?> & Sendable, help: String
    ) -> PrintOption {
        PrintOption(
            name: name, aliases: [], syntax: .number, consumer: .conversion, values: "1 to 72", help: help,
            read: { $0[keyPath: field].map(text) },
            write: { (ticket, text, _) throws(OptionError) in
                guard let value = Double(text), (1...72).contains(value) else {
                    throw .wrong(name, text, allowed: "1 to 72")
                }
                ticket[keyPath: field] = value
            })
    }

    /// Returns a number as text, without trailing zeros after the decimal point.
    private static func text(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? String(number)
    }
}

extension JobTicket {
    /// The options for the conversion of text.
    fileprivate var textOptions: TextOptions {
        get { text ?? TextOptions() }
        set { text = newValue }
    }
}
