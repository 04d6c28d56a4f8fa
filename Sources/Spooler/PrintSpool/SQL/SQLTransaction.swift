// Defines the port between the SQL statements of the spool and a database engine.

import FoundationEssentials
package import GRDB
package import PostgresClient
package import PrintModel

/// A transaction or a snapshot of a database that runs SQL statements.
///
/// The extensions of this protocol contain the statements that both engines run, by subject. Each statement contains
/// its parameters as `$1`, `$2` and so on, and the first use of each parameter is in this order.
package protocol SQLTransaction: SpoolTransaction {
    associatedtype Row: SQLRow

    /// The engine of the database.
    static var dialect: SQLDialect { get }

    /// Runs a query, and returns the values that `read` makes from its rows.
    func rows<Value>(_ sql: String, _ parameters: [(any SQLValue)?], _ read: (Row) throws -> Value) throws -> [Value]

    /// Returns the integer in the first column of the first row; nil if the query returns no row or NULL.
    func integer(_ sql: String, _ parameters: [(any SQLValue)?]) throws -> Int?

    /// Returns the integers in the first column of a query's result.
    func integers(_ sql: String, _ parameters: [(any SQLValue)?]) throws -> [Int]

    /// Returns the Boolean value in the first column of the first row; nil if the query returns no row or NULL.
    func boolean(_ sql: String, _ parameters: [(any SQLValue)?]) throws -> Bool?

    /// Runs a statement that changes rows.
    ///
    /// The next query or the commit can throw the error of the statement.
    func run(_ sql: String, _ parameters: [(any SQLValue)?]) throws

    /// Runs a statement that changes rows, and returns the number of these rows.
    func change(_ sql: String, _ parameters: [(any SQLValue)?]) throws -> Int

    /// Returns the clause that locks the rows of a query until the end of the transaction; empty for a snapshot, and if
    /// the engine has only one writer.
    ///
    /// - Parameter strength: The kind of the lock, such as `UPDATE`.
    func lock(_ strength: String) -> String

    /// Returns the lease that the next update of a job stores; nil if the lease does not change.
    func takeNewLease(ofJob id: Int) -> PrinterLease?

    // The engines have different texts of the next queries. SQLite has no LATERAL joins, and its columns for times can
    // contain text in a damaged row. With EXISTS, PostgreSQL reads all jobs of the history.

    /// The query for the first waiting job of each owner at a printer.
    static var firstJobsByOwner: String { get }
    /// The query for the oldest job in progress, or for the head of the whole queue if no job is in progress.
    ///
    /// The parameter is the id of a job. If this job is not waiting, the query returns no row.
    static var strictWay: String { get }
    /// The query for jobs that are due, or whose times are too far in the future after the clock was set back.
    static var dueOrSetBack: String { get }
    /// The query for the next due time.
    static var nextDue: String { get }
    /// The text after `SELECT` that selects the highest sequence number of an event that was used.
    static var lastEvent: String { get }
    /// The text after `SELECT` that selects the highest sequence number of a removed event.
    static var purgedEvent: String { get }
}

extension SQLTransaction {
    package func lock(_ strength: String) -> String { "" }
    package func takeNewLease(ofJob id: Int) -> PrinterLease? { nil }

    func rows<Value>(_ sql: String, _ read: (Row) throws -> Value) throws -> [Value] { try rows(sql, [], read) }
    func integer(_ sql: String) throws -> Int? { try integer(sql, []) }
}

package protocol SQLValue: PostgresParameter {
    /// The value for SQLite.
    var databaseValue: DatabaseValue { get }
}

extension Int: SQLValue {}
extension Double: SQLValue {}
extension String: SQLValue {}
extension Bool: SQLValue {}
extension [UInt8]: SQLValue {
    package var databaseValue: DatabaseValue { Data(self).databaseValue }
}

/// A row of a result, whose columns are counted from 0.
///
/// Each function throws an error for a value of another type.
package protocol SQLRow {
    func int(_ column: Int) throws -> Int
    func optionalInt(_ column: Int) throws -> Int?
    func double(_ column: Int) throws -> Double
    func optionalDouble(_ column: Int) throws -> Double?
    func string(_ column: Int) throws -> String
    func optionalString(_ column: Int) throws -> String?
    func bool(_ column: Int) throws -> Bool
    func optionalBool(_ column: Int) throws -> Bool?
    func optionalBytes(_ column: Int) throws -> [UInt8]?

    func value(_ column: Int, _ kind: StoredKind) throws -> StoredValue

    /// Returns the error for a row of the table `jobs` that cannot be decoded.
    func unreadable(_ error: any Error, _ parts: JobParts) -> UnreadableJob
}

extension SQLRow {
    /// Calls `read`, and throws `UnreadableJob` if `read` throws an error.
    ///
    /// The row must have the column `id`.
    func job<Value>(_ parts: JobParts = .all, _ read: () throws -> Value) throws -> Value {
        do { return try read() } catch { throw unreadable(error, parts) }
    }
}

/// A query whose text and parameters depend on the request.
struct SQLQuery {
    var sql: String
    private(set) var parameters: [(any SQLValue)?]

    init(_ sql: String, _ parameters: [(any SQLValue)?] = []) { (self.sql, self.parameters) = (sql, parameters) }

    /// Adds a parameter, and returns the placeholder of the parameter for the text of the query, such as `$1`.
    ///
    /// The placeholders must be used in the order in which they were returned.
    mutating func bind(_ value: (any SQLValue)?) -> String {
        parameters.append(value)
        return "$\(parameters.count)"
    }
}
