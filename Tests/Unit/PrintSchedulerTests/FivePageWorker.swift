import AsyncPrimitives
import Foundation
import PrintModel
import Synchronization

/// A worker that makes a document of five pages from any document, unless the test sets another script.
final class FivePageWorker: DocumentWorking {
    private struct Script {
        var failures: [WorkError] = []
        var gate: Gate?
        /// The name of the document that waits at the gate; nil for the next document.
        var gatedName: String?
        var cancelCount = 0
        var documents: [String] = []
        var rendered: [RenderRequest] = []
        var remainingSeconds: [Double] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let script = Mutex(Script())

    /// The number of canceled preparations.
    var cancelCount: Int { script.withLock { $0.cancelCount } }
    var prepareCount: Int { documents.count }
    /// The names of the documents to prepare, in order.
    var documents: [String] { script.withLock { $0.documents } }

    /// The seconds that remained of 300 s for each document.
    var remainingSeconds: [Double] { script.withLock { $0.remainingSeconds } }

    /// Makes the next document fail.
    func fail(with error: WorkError) { script.withLock { $0.failures.append(error) } }

    /// Makes the next preparation wait at a gate, or the next preparation of the document with the given name.
    func set(_ gate: Gate, for name: String? = nil) { script.withLock { ($0.gate, $0.gatedName) = (gate, name) } }

    /// Waits until the given number of documents has arrived.
    func documents(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isSo = script.withLock { script in
                if script.documents.count >= count { return true }
                script.watchers.append((count, continuation))
                return false
            }
            if isSo { continuation.resume() }
        }
    }

    func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary {
        DocumentSummary(format: .pdf, pageCount: 1)
    }

    func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument {
        let (gate, content) = begin(request)
        if let gate {
            do throws(CancellationError) {
                try await gate.pass()
            } catch {
                script.withLock { $0.cancelCount += 1 }
                throw WorkError(.canceled, "canceled")
            }
        }
        let failure = script.withLock { $0.failures.isEmpty ? nil : $0.failures.removeFirst() }
        if let failure { throw failure }
        guard FileManager.default.createFile(atPath: request.output, contents: content) else {
            throw WorkError(.writeFailed, "no folder for '\(request.output)'")
        }
        let count = max(1, 5 - request.imposition.resumePoint.impressionsBefore)
        return PreparedDocument(impressions: count, sheets: count, pages: 5)
    }

    private func begin(_ request: PrepareRequest) -> (gate: Gate?, content: Data) {
        let name = request.documents.first?.name ?? ""
        let (gate, woken) = script.withLock { script -> (Gate?, [CheckedContinuation<Void, Never>]) in
            script.documents.append(name)
            script.remainingSeconds.append(WorkTime.current?.remaining(of: 300) ?? -1)
            let count = script.documents.count
            let woken = script.watchers.filter { $0.count <= count }.map(\.continuation)
            script.watchers.removeAll { $0.count <= count }
            guard script.gatedName ?? name == name else { return (nil, woken) }
            return (script.gate.take(), woken)
        }
        for continuation in woken { continuation.resume() }
        return (gate, Data(name.utf8))
    }

    func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument {
        script.withLock { $0.rendered.append(request) }
        for file in request.files {
            guard FileManager.default.createFile(atPath: file, contents: Data("pixels".utf8)) else {
                throw WorkError(.writeFailed, "no folder for '\(file)'")
            }
        }
        return RenderedDocument(bytes: request.offset + 6)
    }

    /// The render requests, in order.
    var rendered: [RenderRequest] { script.withLock { $0.rendered } }

    func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument {
        RasterizedDocument(pages: [], impressions: 0, sheets: 0)
    }
}
