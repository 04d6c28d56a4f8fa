// Lists the print options for plain text, with the names that CUPS uses where it has them.

extension PrintOption {
    /// The options for the conversion of text, in the order of the help text.
    static let textOptions: [PrintOption] = [
        PrintOption(
            name: "cpi", aliases: [], syntax: .number, consumer: .conversion, values: "1 to 72",
            help: "Characters per inch of plain text.",
            read: { $0.text?.charactersPerInch.map(text) },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.change(\.charactersPerInch, to: try density(text, of: "cpi"))
            }),
        PrintOption(
            name: "lpi", aliases: [], syntax: .number, consumer: .conversion, values: "1 to 72",
            help: "Lines per inch of plain text.",
            read: { $0.text?.linesPerInch.map(text) },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.change(\.linesPerInch, to: try density(text, of: "lpi"))
            }),
        PrintOption(
            name: "wrap", aliases: [], syntax: .boolean, consumer: .conversion, values: "true or false",
            help: "Wraps long lines of plain text (true), or cuts them off (false).",
            read: { $0.text?.wraps.map { "\($0)" } },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.change(\.wraps, to: try flag(text, of: "wrap"))
            }),
        PrintOption(
            name: "line-numbers", aliases: ["linenumbers"], syntax: .boolean, consumer: .conversion,
            values: "true or false", help: "Prints a number before each line of text.",
            read: { $0.text?.numbersLines.map { "\($0)" } },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.change(\.numbersLines, to: try flag(text, of: "line-numbers"))
            }),
        PrintOption(
            name: "prettyprint", aliases: ["pretty-print"], syntax: .boolean, consumer: .conversion,
            values: "true or false", help: "Prints the title, the date and page numbers above the text.",
            read: { $0.text?.hasHeader.map { "\($0)" } },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.change(\.hasHeader, to: try flag(text, of: "prettyprint"))
            }),
        PrintOption(
            name: "columns", aliases: [], syntax: .integer, consumer: .conversion, values: "1 to 8",
            help: "Number of columns of plain text on a page.",
            read: { $0.text?.columns.map(String.init) },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.change(\.columns, to: try number(text, in: 1...8, of: "columns"))
            }),
        PrintOption(
            name: "tab-width", aliases: ["tabwidth"], syntax: .integer, consumer: .conversion, values: "1 to 32",
            help: "Number of characters between tab stops.",
            read: { $0.text?.tabWidth.map(String.init) },
            write: { (ticket, text, _) throws(OptionError) in
                ticket.change(\.tabWidth, to: try number(text, in: 1...32, of: "tab-width"))
            }),
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
                ticket.change(\.encoding, to: text.lowercased())
            }),
    ]

    /// Parses a number of characters or lines per inch.
    private static func density(_ text: String, of option: String) throws(OptionError) -> Double {
        guard let value = Double(text), (1...72).contains(value) else {
            throw .wrong(option, text, allowed: "1 to 72")
        }
        return value
    }

    /// Returns a number as text, without trailing zeros after the decimal point.
    private static func text(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? String(number)
    }
}

extension JobTicket {
    /// Changes one option for the conversion of text.
    fileprivate mutating func change<Value>(_ option: WritableKeyPath<TextOptions, Value?>, to value: Value) {
        var options = text ?? TextOptions()
        options[keyPath: option] = value
        text = options
    }
}
