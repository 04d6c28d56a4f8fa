// Converts the paths of a request for the worker.

import Glibc
import PrintModel

extension WorkerRequest {
    /// The request for the worker, with absolute paths, and without the owner and the printer of the job.
    var forWorker: WorkerRequest {
        switch self {
        case .probe: return self
        case .inspect(let document): return .inspect(Self.absolute(document))
        case .identify(let document): return .identify(Self.absolute(document))
        case .convert(var request):
            request.document = Self.absolute(request.document)
            request.output = Self.absolute(request.output)
            request.origin = nil
            return .convert(request)
        case .prepare(var request):
            request.documents = request.documents.map(Self.absolute)
            request.output = Self.absolute(request.output)
            request.origin = nil
            // The layout matters only for converted documents.
            if request.documents.allSatisfy({ $0.conversion == nil }) { request.conversion = nil }
            return .prepare(request)
        case .render(var request):
            request.document = Self.absolute(request.document)
            request.folder = request.folder.map(Self.absolute)
            request.partFile = request.partFile.map(Self.absolute)
            request.origin = nil
            return .render(request)
        case .rasterize(var request):
            request.document = Self.absolute(request.document)
            request.others = request.others.map(Self.absolute)
            request.outputFolder = Self.absolute(request.outputFolder)
            request.sheets = request.sheets.map(Self.absolute)
            request.origin = nil
            return .rasterize(request)
        case .view(var request):
            for index in request.documents.indices {
                request.documents[index].document = Self.absolute(request.documents[index].document)
            }
            request.folder = request.folder.map(Self.absolute)
            return .view(request)
        }
    }

    private static func absolute(_ document: InputDocument) -> InputDocument {
        var document = document
        document.path = absolute(document.path)
        return document
    }

    private static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return String(cString: current) + "/" + path
    }
}
