// Provides a temporary folder for one test.

import FoundationEssentials

/// A new empty folder, which is removed with all its files when the last reference is released.
///
///     let folder = try TemporaryFolder()
///     try pdf.write(to: folder.path("a.pdf"))
public final class TemporaryFolder: Sendable {
    /// The folder's absolute path.
    public let path: String

    /// Creates the folder in the system's temporary directory.
    ///
    /// - Throws: The error of the file system.
    public init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("printq-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Returns the path of a file in this folder.
    public func path(_ name: String) -> String { "\(path)/\(name)" }
}
