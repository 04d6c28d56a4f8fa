// Searches for text in columns, without regard to case.

package import GRDB

/// A text for which the spool searches in columns of the database.
///
/// SQLite's `LIKE` ignores the case of ASCII letters only. For a text with other letters, the query uses a slower SQL
/// function that this process defines.
package struct SearchText {
    private let text: String

    /// Creates a search for a text.
    init(_ text: String) { self.text = text }

    /// Whether the text contains only ASCII characters.
    var isASCII: Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    /// Returns the SQL condition that is true if a column contains the text.
    ///
    /// The only argument of the condition is `argument`.
    func condition(on column: String) -> String {
        isASCII ? "\(column) LIKE ? ESCAPE '\\'" : "\(Self.function)(\(column), ?)"
    }

    /// The SQL argument of the condition.
    var argument: String {
        guard isASCII else { return Self.folded(text) }
        return "%" + text.flatMap { "%_\\".contains($0) ? ["\\", $0] : [$0] } + "%"
    }

    private static let function = "printq_contains"

    /// Registers the SQL function for texts with non-ASCII characters on a database connection.
    package static func addFunction(to db: Database) {
        db.add(
            function: DatabaseFunction(function, argumentCount: 2, pure: true) { values in
                guard let text = String.fromDatabaseValue(values[0]), let part = String.fromDatabaseValue(values[1])
                else { return false }
                return folded(text).contains(part)
            })
    }

    /// Returns a text in a normalized form, so that comparisons ignore case.
    ///
    /// `ß` equals `SS`, and the two forms of the small sigma are equal, because the function first converts each letter
    /// to upper case.
    private static func folded(_ text: String) -> String { text.uppercased().lowercased() }
}
