// Whom work on a document is done for.

/// The printer and the owner that a request is made for, so that many documents of one do not delay the documents of others.
public struct WorkOrigin: Hashable, Sendable, Codable {
    /// The name of the printer.
    public var printer: String
    /// The name of the job's owner.
    public var owner: String

    /// An origin.
    public init(printer: String, owner: String) {
        self.printer = printer
        self.owner = owner
    }
}
