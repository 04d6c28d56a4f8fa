// Files that workers leave behind when they are ended in the middle.

import FoundationEssentials
import Glibc
import PrintModel

/// Files under construction, which have longer names in the folders of the files that they become: `sheets.pdf.….partial`.
enum UnfinishedFiles {
    /// Removes all files under construction whose names begin as those of the paths do.
    static func remove(of paths: [String]) {
        let places = paths.compactMap { path in
            path.lastIndex(of: "/").map { (folder: path[...$0], name: path[path.index(after: $0)...]) }
        }
        for (folder, places) in Dictionary(grouping: places, by: \.folder) {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: String(folder))) ?? []
            for file in files where file.hasSuffix(".partial") && places.contains(where: { file.hasPrefix($0.name) }) {
                unlink(folder + file)
            }
        }
    }
}

extension WorkerRequest {
    /// Removes what was to become the request's PDF.
    ///
    /// Before the work begins as well: a worker that outlived its spooler must not finish its PDF over ours.
    func removeUnfinished() {
        if case .prepare(let request) = self { UnfinishedFiles.remove(of: [request.output]) }
    }
}
