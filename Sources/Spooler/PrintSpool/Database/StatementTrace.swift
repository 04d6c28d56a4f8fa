// Traces the SQL statements of spools, for tests of query plans.

/// A trace of the SQL statements of spools.
package enum StatementTrace {
    /// The closure that receives each SQL statement, without values, of the spools that were opened in this task; nil
    /// for no trace.
    @TaskLocal package static var note: (@Sendable (String) -> Void)?
}
