// Formats the document types for `printq types`.

package import IPP
package import SpoolerClient

/// The document types of `printd`, with the reasons why some types cannot be printed.
package struct DocumentTypeList: Sendable {
    private let types: [AttributeGroup]

    /// The attributes to request from `printd`.
    package static let attributeNames = ["printq-document-types"]

    /// Creates the list from the attributes of `printd`.
    package init(_ server: AttributeGroup) {
        let values = server["printq-document-types"]?.values ?? []
        types = values.compactMap(\.collectionValue).map { AttributeGroup(.printer, $0.members) }
    }

    /// The document types as a table with one row per type.
    package var table: TextTable {
        var table = TextTable([.flexible("TYPE"), .flexible("EXTENSIONS"), .flexible("MEDIA TYPE"), .note("CONVERTER")])
        for type in types {
            // Source code has a hundred extensions; --json has all of them.
            let endings = type.strings("type-extensions")
            let shown = endings.prefix(4).joined(separator: " ") + (endings.count > 4 ? " …" : "")
            let formats = type.strings("type-formats")
            let unavailability = type.string("type-state-message").map { "not available: \($0)" }
            let converter = type.string("type-converter") ?? ""
            table.add([
                (type.string("type-name") ?? "").printable, shown.printable, (formats.first ?? "").printable,
                (unavailability ?? (converter == "none" ? "" : converter)).printable,
            ])
        }
        return table
    }

    /// The document types as JSON: an array of objects.
    package var json: JSONText { .array(types.map { JSONText($0.attributes) }) }
}
