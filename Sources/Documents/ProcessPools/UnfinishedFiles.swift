// Removes files that interrupted workers leave behind.

import FoundationEssentials
import Glibc
package import PrintModel

/// The unfinished files of interrupted workers.
///
/// The name of an unfinished file consists of the name of the final file and a suffix, as in `sheets.pdf.….partial`.
/// The folder of a converter program also has such a name (`ConversionFolder`).
package enum UnfinishedFiles {
    /// Removes all unfinished files that belong to the given final paths.
    package static func remove(of paths: [String]) {
        let places = paths.compactMap { path in
            path.lastIndex(of: "/").map { (folder: path[...$0], name: path[path.index(after: $0)...]) }
        }
        for (folder, places) in Dictionary(grouping: places, by: \.folder) {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: String(folder))) ?? []
            for file in files where file.hasSuffix(".partial") && places.contains(where: { file.hasPrefix($0.name) }) {
                if unlink(folder + file) != 0, errno != ENOENT { ConversionFolder.remove(folder + file) }
            }
        }
    }
}

extension WorkerRequest {
    /// Removes unfinished files for the output PDF of a request.
    package func removeUnfinished() {
        switch task {
        case .convert, .prepare: UnfinishedFiles.remove(of: files.output?.file.map { [$0] } ?? [])
        default: break
        }
    }
}
