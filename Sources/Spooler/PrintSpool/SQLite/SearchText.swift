// Searches for text in columns, without regard to case.

package import GRDB

/// A text for which the spool searches in columns of the database.
///
/// SQLite's `LIKE` ignores the case of ASCII letters only. For a text with other letters, the query uses a slower SQL
/// function that this process defines.
package struct SearchText {
    private let text: String

    init(_ text: String) { self.text = text }

    /// Whether the text contains only ASCII characters.
    var isASCII: Bool { text.utf8.allSatisfy { $0 < 0x80 } }

    /// Returns the SQL condition that is true if a column contains the text.
    ///
    /// In PostgreSQL, letters outside ASCII require the rules of Unicode (ICU). The two forms of the small sigma are
    /// equal.
    ///
    /// - Parameter parameter: The placeholder of `argument`.
    func condition(on column: String, _ parameter: String, _ dialect: SQLDialect) -> String {
        switch (dialect, isASCII) {
        case (.sqlite, true): "\(column) LIKE \(parameter) ESCAPE '\\'"
        case (.sqlite, false): "\(Self.function)(\(column), \(parameter))"
        case (.postgres, true): "lower(\(column) COLLATE \"C\") LIKE \(parameter)"
        case (.postgres, false):
            "strpos(replace(lower(upper(\(column) COLLATE \"und-x-icu\")), 'ς', 'σ'), \(parameter)) > 0"
        }
    }

    /// Returns the value of the parameter of the condition.
    func argument(for dialect: SQLDialect) -> String {
        guard isASCII else {
            return dialect == .sqlite ? Self.folded(text) : Self.folded(text).replacing("ς", with: "σ")
        }
        let pattern = "%" + text.flatMap { "%_\\".contains($0) ? ["\\", $0] : [$0] } + "%"
        return dialect == .sqlite ? pattern : pattern.lowercased()
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
