// Formats the options of a printer for `printq printers options`.

package import IPP
package import PrintModel
package import SpoolerClient

/// The options of a printer with their defaults and choices.
package struct PrinterOptionList: Sendable {
    private let rows: [(name: String, byDefault: String, choices: String)]

    /// The printer attributes to request from printd.
    package static let attributeNames =
        ["printer-name"] + PrintOption.all.flatMap { ["\($0.name)-default", "\($0.name)-supported"] }

    package init(_ group: AttributeGroup) {
        rows = PrintOption.all.compactMap { option in
            let byDefault = group["\(option.name)-default"]
            let supported = group["\(option.name)-supported"]
            guard byDefault != nil || supported != nil else { return nil }
            let choices = supported?.values.compactMap { Self.text($0, of: option) } ?? []
            // For these options, IPP reports only a boolean or a count, so show the values from the table of options.
            let isPlain = supported?.first?.boolValue != nil || option.name == "job-priority"
            return (
                option.name,
                byDefault?.values.compactMap { Self.text($0, of: option) }.joined(separator: ",") ?? "",
                isPlain ? option.values : choices.joined(separator: " ")
            )
        }
    }

    /// The options that have a default, with their default values in the syntax of `-o`.
    var defaults: [(name: String, value: String)] {
        rows.compactMap { $0.byDefault.isEmpty ? nil : ($0.name, $0.byDefault) }
    }

    package var table: TextTable {
        var table = TextTable([.left("OPTION"), .left("DEFAULT"), .flexible("CHOICES")])
        for row in rows { table.add([row.name, row.byDefault, row.choices]) }
        return table
    }

    /// Returns a value in the syntax of `-o`; nil if this syntax does not support the value.
    private static func text(_ value: Value, of option: PrintOption) -> String? {
        switch value {
        case .enumeration(let number): option.word(for: Int(number))
        case .integer(let number): "\(number)"
        case .range(let range): "\(range.lower)-\(range.upper)"
        case .boolean(let flag): "\(flag)"
        default: value.stringValue
        }
    }
}

extension [OptionText] {
    /// Returns the printer attributes that set the given options as the printer's defaults.
    ///
    /// An option with an empty value removes the printer's default.
    ///
    /// - Throws: `SpoolerClientError` with `usage` for an unknown option or an invalid value.
    package func printerDefaults(now: UnixTime) throws(SpoolerClientError) -> [Attribute] {
        var attributes: [Attribute] = []
        for option in self {
            // The ticket throws for an unknown option. An empty value, which removes a default, is not checked.
            if !option.value.isEmpty || PrintOption.named(option.name) == nil {
                _ = try JobTicket([option], now: now)
            }
            guard let known = PrintOption.named(option.name) else {
                throw SpoolerClientError(
                    .usage, "'\(option.name.printable)' has no default; write the option as NAME=VALUE")
            }
            attributes.append(Attribute("\(known.name)-default", .name(option.value)))
        }
        return attributes
    }
}
