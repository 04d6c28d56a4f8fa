// Provides a document worker that returns predefined results.

import FoundationEssentials
public import PrintModel
import Synchronization

/// A worker that makes empty page files, fails, or waits until it is canceled, without reading documents.
public final class ScriptedWorker: DocumentWorking {
    /// The behavior for all documents.
    public enum Script: Sendable {
        /// The pages to return.
        case pages([PageImage])
        /// The error to throw.
        case failure(WorkError)
        /// A wait for an hour or until cancellation.
        case untilCancelled
    }

    private let script: Mutex<Script>
    private let seen = Mutex<[RasterizeRequest]>([])

    /// Creates a worker with a behavior.
    public init(_ script: Script) { self.script = Mutex(script) }

    /// Creates a worker that returns the given number of plain pages for each document.
    public convenience init(pages: Int) { self.init(.pages((1...pages).map { Self.page($0) })) }

    /// Returns a page image of A4 at 100 dots per inch.
    public static func page(_ number: Int, clipped: [PageImage.Edge] = []) -> PageImage {
        PageImage(page: number, file: "page-000\(number).png", width: 827, height: 1169, clipped: clipped)
    }

    /// The requests so far.
    public var requests: [RasterizeRequest] { seen.withLock { $0 } }

    /// Follows the script.
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
            // The engine ignores these counts and computes them.
            return RasterizedDocument(
                pages: pages, documentPages: Array(repeating: script.count, count: documents),
                impressions: pages.count, sheets: pages.count)
        }
    }

    /// Throws an error, because a printer does not inspect documents.
    public func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary {
        throw WorkError(.workerUnavailable, "a printer does not inspect documents")
    }

    /// Throws an error, because a printer does not render documents.
    public func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument {
        throw WorkError(.workerUnavailable, "a printer does not render documents")
    }

    /// Throws an error, because a printer does not prepare documents.
    public func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument {
        throw WorkError(.workerUnavailable, "a printer does not prepare documents")
    }
}
