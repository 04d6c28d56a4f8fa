// What can be asked of a printer, for `printq printers options`.

package import IPP
package import PrintModel
package import SpoolerClient

/// The options of a printer: what it offers, and what its jobs get that do not say.
package struct PrinterOptionList: Sendable {
    private let rows: [(name: String, byDefault: String, choices: String)]

    /// The attributes to ask for.
    package static let attributeNames =
        ["printer-name"] + PrintOption.all.flatMap { ["\($0.name)-default", "\($0.name)-supported"] }

    /// The options of the printer with these attributes.
    package init(_ group: AttributeGroup) {
        rows = PrintOption.all.compactMap { option in
            let byDefault = group["\(option.name)-default"]
            let supported = group["\(option.name)-supported"]
            guard byDefault != nil || supported != nil else { return nil }
            let choices = supported?.values.compactMap { Self.text($0, of: option) } ?? []
            // IPP says only that there are pages, and how many priorities.
            let isPlain = supported?.first?.boolValue != nil || option.name == "job-priority"
            return (
                option.name,
                byDefault?.values.compactMap { Self.text($0, of: option) }.joined(separator: ",") ?? "",
                isPlain ? option.values : choices.joined(separator: " ")
            )
        }
    }

    /// The options as a table.
    package var table: TextTable {
        var table = TextTable([.left("OPTION"), .left("DEFAULT"), .flexible("CHOICES")])
        for row in rows { table.add([row.name, row.byDefault, row.choices]) }
        return table
    }

    /// A value as `-o` takes it.
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
    /// Options as a printer's defaults: what its jobs ask for that do not say; an empty value takes one away.
    ///
    /// - Throws: `SpoolerClientError` with `usage` for an option that does not exist or does not take its value.
    package func printerDefaults(now: UnixTime) throws(SpoolerClientError) -> [Attribute] {
        var attributes: [Attribute] = []
        for option in self {
            guard let known = PrintOption.named(option.name) else {
                throw SpoolerClientError(
                    .usage, "there is no option '\(option.name.printable)'; see 'printq submit --help'")
            }
            if !option.value.isEmpty { _ = try JobTicket([option], now: now) }
            attributes.append(Attribute("\(known.name)-default", .name(option.value)))
        }
        return attributes
    }
}
