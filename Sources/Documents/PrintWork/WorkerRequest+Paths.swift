// Converts the paths of a request for the worker.

import Glibc
import PrintModel

extension WorkerRequest {
    /// The request for the worker, with absolute paths.
    var forWorker: WorkerRequest {
        var request = self
        request.files = files.map(
            { document in
                var document = document
                document.path = Self.absolute(document.path)
                return document
            }, other: Self.absolute)
        return request
    }

    private static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return String(cString: current) + (path == "." ? "" : "/" + path)
    }
}
