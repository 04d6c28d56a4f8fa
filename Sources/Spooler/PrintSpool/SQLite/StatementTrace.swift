// Traces the SQL statements of spools, for tests of query plans.

/// A trace of the SQL statements of spools.
package enum StatementTrace {
    /// The closure that receives each SQL statement of the spools that this task opens.
    ///
    /// The statements contain placeholders instead of values. The closure is nil if the statements are not traced.
    @TaskLocal package static var note: (@Sendable (String) -> Void)?
}
