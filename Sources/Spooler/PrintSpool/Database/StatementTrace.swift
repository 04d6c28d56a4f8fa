// A trace of the statements of spools, for tests of their query plans.

/// The trace of the statements of spools.
package enum StatementTrace {
    /// Called with each statement that spools opened in this task run, without its arguments; nil for no trace.
    @TaskLocal package static var note: (@Sendable (String) -> Void)?
}
