// Reads the document types that administrators register in the spool.

import FoundationEssentials
import Glibc
import PrintModel

/// The document types in the files `types/*.json5` of the spool.
struct RegisteredTypes {
    /// The types, in the order of the file names.
    private(set) var types: [DocumentType] = []
    /// The errors of the files that were not read, one sentence for each file.
    private(set) var errors: [DocumentTypeFileError] = []

    /// The maximum size of a file in bytes.
    private static let longestFile = 1 << 20

    /// Reads the files in the folder `types` of a spool.
    ///
    /// A file with an error is left out, so that an error does not stop the service.
    init(spool: String) {
        let folder = "\(spool)/types"
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
            throw DocumentTypeFileError("'\(path)' is not a file; remove it")
        }
        guard let data = FileManager.default.contents(atPath: path), data.count <= longestFile else {
            throw DocumentTypeFileError("cannot read '\(path)'; make it readable for printd")
        }
        return try DocumentType.registered(json5: data, file: path)
    }

    private static func check(_ path: String) throws(DocumentTypeFileError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw DocumentTypeFileError("cannot read '\(path)'; check the link") }
        let distrust = DocumentType.distrust(
            of: path, owner: status.st_uid, mode: status.st_mode, user: geteuid())
        if let distrust { throw distrust }
    }
}
