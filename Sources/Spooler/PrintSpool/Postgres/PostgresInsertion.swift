// Inserts several rows with one statement.

import PostgresClient

/// Rows that one statement inserts into a table.
struct PostgresInsertion {
    typealias Field = (column: String, type: PostgresArray.Element, value: (any PostgresParameter)?)

    private let table: String
    private var columns: [(name: String, type: PostgresArray.Element, values: [(any PostgresParameter)?])] = []

    init(into table: String) { self.table = table }

    /// The number of rows.
    var count: Int { columns.first?.values.count ?? 0 }

    /// Adds a row; all rows have the same columns in the same order.
    mutating func append(_ fields: [Field]) {
        if columns.isEmpty { columns = fields.map { ($0.column, $0.type, []) } }
        for (index, field) in fields.enumerated() { columns[index].values.append(field.value) }
    }

    /// The names of the columns, for the text of a statement.
    var names: String { columns.map(\.name).joined(separator: ", ") }

    /// Returns the placeholders of `parameters()`, for the text of a statement.
    ///
    /// - Parameter first: The number of the first placeholder.
    func placeholders(from first: Int = 1) -> String {
        columns.enumerated().map { "$\(first + $0)::\($1.type.arrayType)" }.joined(separator: ", ")
    }

    /// Returns an array with the values of each column.
    func parameters() throws -> [(any PostgresParameter)?] {
        try columns.map { try PostgresArray(PostgresSession.storable($0.values), of: $0.type) }
    }

    /// Adds the statement to a session, and removes the rows.
    mutating func enqueue(in session: PostgresSession) throws {
        guard count > 0 else { return }
        let sql = "INSERT INTO \(table) (\(names)) OVERRIDING SYSTEM VALUE SELECT * FROM unnest(\(placeholders()))"
        let parameters = try parameters()
        columns = []
        try session.connection.enqueue(sql, parameters)
    }
}
