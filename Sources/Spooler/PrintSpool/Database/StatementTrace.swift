// What a spool asks its database, for whoever wants to know how it is answered.

/// Listens to the statements of spools.
package enum StatementTrace {
    /// Called with each statement that spools opened in this task run, its values left out; nil listens to none.
    @TaskLocal package static var note: (@Sendable (String) -> Void)?
}
