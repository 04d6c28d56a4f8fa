// Traces the SQL statements of spools, for tests of query plans.

/// A trace of the SQL statements of spools.
package enum StatementTrace {
    /// The closure that receives the text of each SQL statement, without values, if the spool was opened in this task.
    ///
    /// The property is nil if the statements are not traced.
    @TaskLocal package static var note: (@Sendable (String) -> Void)?
}
