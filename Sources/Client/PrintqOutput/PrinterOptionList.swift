// Formats the options of a printer for `printq printers options`.

package import IPP
import PrintModel

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
