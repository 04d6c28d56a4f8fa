// Provides a document worker that refuses every request.

public import PrintModel

/// A worker that fails every request with the same error.
public struct RefusingWorker: DocumentWorking {
    private let error: WorkError

    /// Creates a worker.
    ///
    /// - Parameter code: The code of the error. Canceled requests are not failures of the worker.
    public init(_ code: WorkError.Code = .canceled) { error = WorkError(code, code.rawValue) }

    /// Throws the error.
    public func inspect(_ document: InputDocument) async throws(WorkError) -> DocumentSummary { throw error }

    /// Throws the error.
    public func prepare(
        _ request: PrepareRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> PreparedDocument { throw error }

    /// Throws the error.
    public func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument { throw error }

    /// Throws the error.
    public func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument { throw error }
}
