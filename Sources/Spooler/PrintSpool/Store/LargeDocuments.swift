// Defines the storage of large documents in a database.

/// The contents of large documents in the database of a store.
///
/// Stored content never changes. Several documents can share the same content. The store removes the content together
/// with the last document that uses the content.
package protocol LargeDocuments: Sendable {
    /// Stores the content of a file, and returns the number of the content.
    ///
    /// The content is durable when the function returns. If no document refers to the content within a day,
    /// `SpoolTransaction.removeUnusedContents()` removes the content.
    func add(contentOfFile path: String) async throws -> Int

    /// Calls `receive` with the parts of stored content, in order.
    ///
    /// Each part has at most 1 MiB. `receive` runs on another thread. If `receive` throws an error, the function stops
    /// and rethrows the error.
    ///
    /// - Returns: Whether the content exists.
    func read(_ id: Int, receive: @escaping @Sendable ([UInt8]) throws -> Void) async throws -> Bool

    /// Removes stored content after its submission was refused, if no document refers to the content.
    func discard(_ id: Int) async
}
