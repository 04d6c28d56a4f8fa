// Completes an installation of LibreOffice that lacks files of the user interface.

import FoundationEssentials
import Glibc
import PrintModel

/// A folder of links to LibreOffice's folder `share`, with the files that the installation lacks.
///
/// LibreOffice creates some of its controls with a document, even without a user interface. The Debian packages with
/// names that end with `-nogui` lack the files that describe these controls. Without the files, LibreOffice cannot load
/// the documents.
struct ShareTree {
    /// The path of LibreOffice's folder, such as `/usr/lib/libreoffice`.
    let installation: String
    /// The path of the folder with the links.
    let folder: String
    /// The files that the installation lacks.
    private let missing: [SuppliedFile]

    init(installation: String, folder: String) {
        (self.installation, self.folder) = (installation, folder)
        missing = SuppliedFile.all.filter { file in
            access(installation + "/program/" + file.module.library, F_OK) == 0
                && access(installation + "/share/" + file.path, F_OK) != 0
        }
    }

    /// Whether the installation lacks a file.
    var isNeeded: Bool { !missing.isEmpty }

    /// The relative path from LibreOffice's folder to the folder of links (`BRAND_SHARE_SUBDIR`).
    var pathFromInstallation: String {
        installation.split(separator: "/").map { _ in "../" }.joined() + folder.dropFirst()
    }

    /// Creates the folder, the links and the missing files.
    func create() throws(WorkError) {
        try create("", with: missing.map { (names: $0.path.split(separator: "/")[...], content: $0.content) })
    }

    /// Creates a folder of the tree.
    ///
    /// - Parameters:
    ///   - path: The path of the folder in the tree: empty, or with a `/` at the front.
    ///   - files: The missing files, with their paths in the folder.
    private func create(
        _ path: String, with files: [(names: ArraySlice<Substring>, content: String)]
    ) throws(WorkError) {
        let copy = folder + path
        guard mkdir(copy, 0o755) == 0, chmod(copy, 0o755) == 0 else {
            throw OfficePlace.failed("creating '\(copy)'", errno)
        }
        let entries = Dictionary(grouping: files) { String($0.names.first ?? "") }
        let original = installation + "/share" + path
        for entry in (try? FileManager.default.contentsOfDirectory(atPath: original)) ?? [] where entries[entry] == nil
        {
            guard symlink(original + "/" + entry, copy + "/" + entry) == 0 else {
                throw OfficePlace.failed("linking '\(entry)'", errno)
            }
        }
        for (name, files) in entries {
            if files.count == 1, files[0].names.count == 1 {
                try write(files[0].content, to: copy + "/" + name)
            } else {
                try create(path + "/" + name, with: files.map { ($0.names.dropFirst(), $0.content) })
            }
        }
    }

    private func write(_ content: String, to path: String) throws(WorkError) {
        do { try Data(content.utf8).write(to: URL(filePath: path)) } catch {
            throw WorkError(
                .workerUnavailable, "cannot write an additional file for LibreOffice; check the free disk space",
                detail: "\(error)")
        }
        chmod(path, 0o644)
    }
}
