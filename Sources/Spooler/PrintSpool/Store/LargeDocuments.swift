// Defines the storage of large documents in a database.

/// The contents of large documents in the database of a store.
///
/// A content never changes. Several documents can share a content. The store removes a content when it removes the last
/// document that uses the content.
protocol LargeDocuments: Sendable {
    /// Stores the content of a file, and returns the number of the content.
    ///
    /// The content is durable when the function returns. If no document refers to the content within a day,
    /// `SpoolTransaction.removeUnusedContents()` removes the content.
    func add(contentOfFile path: String) async throws -> Int

    /// Calls `receive` with the parts of a content, in order.
    ///
    /// Each part has at most 1 MiB. The call runs on another thread, and ends with the first error of `receive`.
    ///
    /// - Returns: Whether the content exists.
    func read(_ id: Int, receive: @escaping @Sendable ([UInt8]) throws -> Void) async throws -> Bool

    /// Removes a content that no document refers to, after the submission was refused.
    func discard(_ id: Int) async
}
