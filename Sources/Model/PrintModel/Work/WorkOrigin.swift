// Identifies the printer and the owner for which work is done.

/// The printer and the owner of the job for which a worker processes documents.
///
/// A worker pool uses the origin so that many documents of one owner do not delay the documents of other owners.
public struct WorkOrigin: Hashable, Sendable, Codable {
    /// The name of the printer; empty for a preview.
    public var printer: String
    /// The name of the job's owner.
    public var owner: String

    /// Creates an origin from a printer and an owner.
    public init(printer: String, owner: String) {
        self.printer = printer
        self.owner = owner
    }
}
