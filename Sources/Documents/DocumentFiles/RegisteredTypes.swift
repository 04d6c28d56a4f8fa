// Reads the document types that administrators register in the spool.

import FoundationEssentials
import Glibc
public import PrintModel

/// The document types that are defined in files: `types/*.json5` in the spool and next to the configuration file.
public struct RegisteredTypes: Sendable {
    /// The document types, in the order of the folders and then of the file names.
    public private(set) var types: [DocumentType] = []
    /// The errors of the invalid files, one sentence per file.
    public private(set) var errors: [DocumentTypeFileError] = []

    /// The maximum size of a type file in bytes.
    private static let longestFile = 1 << 20

    /// Reads the document types in the folder `types` of a spool.
    public init(spool: String) { self.init(folders: ["\(spool)/types"]) }

    /// Reads the document types in several folders.
    ///
    /// The types have the order of the folders. The types of one folder have the order of the file names.
    ///
    /// The initializer skips invalid files, so an error does not stop the service. The initializer also skips folders
    /// that do not exist or that this process cannot access.
    public init(folders: [String]) {
        for folder in folders { read(folder) }
    }

    private mutating func read(_ folder: String) {
        guard access(folder, F_OK) == 0 else { return }
        do throws(DocumentTypeFileError) { try Self.check(folder) } catch {
            errors.append(error)
            return
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names.sorted() where name.hasSuffix(".json5") && !name.hasPrefix(".") {
            do throws(DocumentTypeFileError) { types += try Self.read("\(folder)/\(name)") } catch {
                errors.append(error)
            }
        }
    }

    private static func read(_ path: String) throws(DocumentTypeFileError) -> [DocumentType] {
        try check(path)
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw DocumentTypeFileError("'\(path)' is not a regular file; remove this entry from the folder")
        }
        guard let data = FileManager.default.contents(atPath: path), data.count <= longestFile else {
            throw DocumentTypeFileError(
                "'\(path)' is unreadable, or larger than \(longestFile >> 20) MiB; "
                    + "check the permissions and the size of the file")
        }
        return try DocumentType.registered(json5: data, file: path)
    }

    private static func check(_ path: String) throws(DocumentTypeFileError) {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw DocumentTypeFileError("cannot read '\(path)'; check its name and permissions")
        }
        let distrust = DocumentType.distrust(
            of: path, owner: status.st_uid, mode: status.st_mode, user: geteuid())
        if let distrust { throw distrust }
    }
}
