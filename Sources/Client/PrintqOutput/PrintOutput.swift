// Lists the files that a simulated printer wrote for a job.

import Glibc
package import IPP

/// The files in a job's output folder.
package struct PrintOutput: Sendable, Hashable {
    /// The path of the output folder.
    package let folder: String
    /// The file names in order, page images first.
    package let files: [String]

    /// Creates the list of the files in a job's output folder; nil if the job has no output folder.
    ///
    /// The list comes from printd (`printq-output-files`), because most users cannot read the folder of the system
    /// spooler. If printd sends no list, the initializer reads the output folder.
    package init?(_ job: AttributeGroup) {
        guard let folder = job.string("printq-output-folder"), !folder.isEmpty else { return nil }
        let files = job.strings("printq-output-files")
        if files.isEmpty { self.init(folder: folder) } else { self.init(folder: folder, files: files) }
    }

    /// Creates the list of the files in a folder.
    ///
    /// The list is empty if the folder cannot be read.
    package init(folder: String) {
        var names: [String] = []
        if let handle = opendir(folder) {
            defer { closedir(handle) }
            while let entry = readdir(handle) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if !name.hasPrefix(".") { names.append(name) }
            }
        }
        self.init(folder: folder, files: names)
    }

    /// Creates a list of files with the given names.
    package init(folder: String, files: [String]) {
        self.folder = folder
        // Names of pages above 9999 are longer, so shorter names sort first.
        let pages = files.filter(Self.isPage).sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }
        self.files = pages + files.filter { !Self.isPage($0) }.sorted()
    }

    /// The paths of the page images, in order.
    package var pagePaths: [String] { files.filter(Self.isPage).map { "\(folder)/\($0)" } }

    /// The folder and its files in short form: `page-0001.png … page-0100.png`.
    ///
    /// Without the requests as received (`request.ipp`), which only developers read.
    package var text: String {
        let pages = files.filter(Self.isPage)
        let others = files.filter { !Self.isPage($0) && !$0.hasSuffix(".ipp") }
        let shown = pages.count > 4 ? ["\(pages[0]) … \(pages[pages.count - 1])"] : pages
        return "\(folder)/\n" + (files.isEmpty ? "" : "  \((shown + others).joined(separator: "  "))\n")
    }

    private static func isPage(_ name: String) -> Bool { name.hasPrefix("page-") && name.hasSuffix(".png") }
}
