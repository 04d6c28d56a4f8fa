// A folder of a test's own.

import FoundationEssentials

/// A new empty folder, removed with all its files when the last reference to it goes.
///
///     let folder = try TemporaryFolder()
///     try pdf.write(to: folder.path("a.pdf"))
public final class TemporaryFolder: Sendable {
    /// The folder's absolute path.
    public let path: String

    /// Makes the folder under the system's temporary directory, or throws what the file system says.
    public init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("printq-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in this folder.
    public func path(_ name: String) -> String { "\(path)/\(name)" }
}
