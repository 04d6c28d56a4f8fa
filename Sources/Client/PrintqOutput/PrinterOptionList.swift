// Formats the options of a printer for `printq printers options`.

package import IPP
import SpoolerClient

/// The options of a printer with their defaults and choices.
package struct PrinterOptionList: Sendable {
    private let options: [OfferedOption]

    /// The printer attributes to request from printd.
    package static let attributeNames = ["printer-name"] + OfferedOption.attributeNames

    package init(_ group: AttributeGroup) { options = OfferedOption.all(in: group) }

    package var table: TextTable {
        var table = TextTable([.left("OPTION"), .left("DEFAULT"), .flexible("CHOICES")])
        for option in options { table.add([option.name, option.defaultValue, option.choices]) }
        return table
    }
}
