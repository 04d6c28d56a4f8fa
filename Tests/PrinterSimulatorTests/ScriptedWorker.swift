// A worker that makes what a test tells it to, without reading anything.

import FoundationEssentials
import PrintModel
import Synchronization

/// Makes as many empty page files as the test says, or fails, or waits until it is cancelled.
final class ScriptedWorker: DocumentWorking {
    enum Script: Sendable {
        case pages([PageImage])
        case failure(WorkError)
        case untilCancelled
    }

    private let script: Mutex<Script>
    private let seen = Mutex<[RasterizeRequest]>([])

    init(_ script: Script) { self.script = Mutex(script) }

    /// A document of so many unremarkable pages.
    convenience init(pages: Int) { self.init(.pages((1...pages).map { Self.page($0) })) }

    static func page(_ number: Int, clipped: [PageImage.Edge] = []) -> PageImage {
        PageImage(page: number, file: "page-000\(number).png", width: 827, height: 1169, clipped: clipped)
    }

    var requests: [RasterizeRequest] { seen.withLock { $0 } }

    func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument {
        seen.withLock { $0.append(request) }
        switch script.withLock({ $0 }) {
        case .failure(let error): throw error
        case .untilCancelled:
            do { try await Task.sleep(for: .seconds(3600)) } catch {}
            throw WorkError(.canceled, "canceled")
        case .pages(let pages):
            let files = pages.map { "\(request.outputFolder)/\($0.file)" } + [request.sheets].compactMap(\.self)
            for file in files where !FileManager.default.createFile(atPath: file, contents: Data("x".utf8)) {
                throw WorkError(.writeFailed, "cannot write \(file)")
            }
            // The engine counts sides and sheets itself.
            return RasterizedDocument(pages: pages, impressions: pages.count, sheets: pages.count)
        }
    }

    func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary {
        throw WorkError(.workerUnavailable, "a printer inspects nothing")
    }

    func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument {
        throw WorkError(.workerUnavailable, "a printer prepares nothing")
    }
}
