// The pool as one who works on documents.

public import PrintModel

extension WorkerPool: DocumentWorking {
    /// Says what a document is.
    public func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary {
        guard case .inspected(let summary) = try await perform(.inspect(document)) else { throw Self.mismatch }
        return summary
    }

    /// Converts and imposes documents into one PDF for a printer.
    public func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument {
        guard case .prepared(let document) = try await perform(.prepare(request), progress: progress) else {
            throw Self.mismatch
        }
        return document
    }

    /// Makes pages of a prepared PDF into what a printer takes that takes no PDF.
    public func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument {
        try await RenderWork(pool: self, request: request, progress: progress).run()
    }

    /// Turns a document into page images, as a simulated printer would put them on paper.
    public func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument {
        try await PageImageWork(pool: self, request: request, progress: progress).run()
    }
}
