// The printers that a requester reaches.

import PrintModel

/// The printers that a requester reaches, sees and manages, by the printers of its token and the policies of printers.
///
/// Administrators reach and see all printers; they manage printers without being in `managed`.
struct PrinterReach: Sendable {
    /// The printers of the token; nil for all printers.
    var limit: Set<String>?
    /// The printers that the requester cannot see, and of whose jobs it sees only its own.
    var hidden: Set<String> = []
    var managed: Set<String> = []

    func contains(_ printer: String) -> Bool { limit?.contains(printer) ?? true }

    func shows(_ printer: String) -> Bool { contains(printer) && !hidden.contains(printer) }

    /// Returns the restriction of a list of the jobs of all printers; nil for no restriction.
    func jobReach(of reader: String) -> JobReach? {
        limit == nil && hidden.isEmpty ? nil : JobReach(printers: limit, hidden: hidden, reader: reader)
    }
}
