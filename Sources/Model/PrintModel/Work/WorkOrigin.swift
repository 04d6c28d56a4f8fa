// Identifies the printer and the owner for which work is done.

/// The printer and the owner of the job for which a worker processes documents.
///
/// A worker pool uses the origin so that many documents of one owner do not delay the documents of other owners.
public struct WorkOrigin: Hashable, Sendable, Codable {
    /// The name of the printer; empty for a preview.
    package var printer: String
    package var owner: String

    package init(printer: String, owner: String) {
        self.printer = printer
        self.owner = owner
    }
}
