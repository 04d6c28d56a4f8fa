// A worker that makes what a test tells it to, without reading anything.

import FoundationEssentials
public import PrintModel
import Synchronization

/// Makes as many empty page files as the test says, or fails, or waits until it is cancelled.
public final class ScriptedWorker: DocumentWorking {
    /// What it does with every document.
    public enum Script: Sendable {
        /// It makes these pages.
        case pages([PageImage])
        /// It fails.
        case failure(WorkError)
        /// It goes on for an hour, unless it is cancelled.
        case untilCancelled
    }

    private let script: Mutex<Script>
    private let seen = Mutex<[RasterizeRequest]>([])

    /// A worker that follows a script.
    public init(_ script: Script) { self.script = Mutex(script) }

    /// A worker for which every document has so many unremarkable pages.
    public convenience init(pages: Int) { self.init(.pages((1...pages).map { Self.page($0) })) }

    /// A page image of A4 at 100 dots per inch.
    public static func page(_ number: Int, clipped: [PageImage.Edge] = []) -> PageImage {
        PageImage(page: number, file: "page-000\(number).png", width: 827, height: 1169, clipped: clipped)
    }

    /// What was asked for so far.
    public var requests: [RasterizeRequest] { seen.withLock { $0 } }

    /// Does what the script says.
    public func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument {
        seen.withLock { $0.append(request) }
        switch script.withLock({ $0 }) {
        case .failure(let error): throw error
        case .untilCancelled:
            do { try await Task.sleep(for: .seconds(3600)) } catch {}
            throw WorkError(.canceled, "canceled")
        case .pages(let script):
            let documents = request.others.count + 1
            var pages = script
            if documents > 1 {
                pages = (0..<documents).flatMap { _ in script }
                for index in pages.indices { pages[index].file = "page-000\(index + 1).png" }
            }
            let files = pages.map { "\(request.outputFolder)/\($0.file)" } + [request.sheets].compactMap(\.self)
            for file in files where !FileManager.default.createFile(atPath: file, contents: Data("x".utf8)) {
                throw WorkError(.writeFailed, "cannot write \(file)")
            }
            // The engine counts sides and sheets itself.
            return RasterizedDocument(
                pages: pages, documentPages: Array(repeating: script.count, count: documents),
                impressions: pages.count, sheets: pages.count)
        }
    }

    /// Refuses.
    public func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary {
        throw WorkError(.workerUnavailable, "a printer inspects nothing")
    }

    /// Refuses.
    public func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument {
        throw WorkError(.workerUnavailable, "a printer renders nothing for others")
    }

    /// Refuses.
    public func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument {
        throw WorkError(.workerUnavailable, "a printer prepares nothing")
    }
}
