// What a worker leaves behind when it is ended in the middle.

import FoundationEssentials
import Glibc
import PrintModel

extension WorkerRequest {
    /// Removes what was to become the request's PDF: a worker makes it under a longer name in the same folder.
    ///
    /// Before the work begins as well: a worker that outlived its spooler must not finish its PDF over ours.
    func removeUnfinished() {
        guard case .prepare(let request) = self, let slash = request.output.lastIndex(of: "/") else { return }
        let folder = request.output[...slash]
        let name = request.output[request.output.index(after: slash)...]
        for file in (try? FileManager.default.contentsOfDirectory(atPath: String(folder))) ?? []
        where file.hasPrefix("\(name).") && file.hasSuffix(".partial") {
            unlink(folder + file)
        }
    }
}
