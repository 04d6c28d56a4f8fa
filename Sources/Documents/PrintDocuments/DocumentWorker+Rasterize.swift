// Documents become page images.

public import PrintModel
import PrintRaster

extension DocumentWorker: DocumentWorking {
    /// The most pixels of one page: a page of grey takes 4 bytes a pixel while it is drawn, one in colour 10, and a worker
    /// has 1 GiB.
    private static let mostPixels = 60_000_000

    /// Makes pages of a prepared PDF into PWG raster, Apple raster or JPEG images.
    ///
    /// - Throws: `WorkError` when the document cannot be read, a page is too large, or a file cannot be written.
    public func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument {
        try PageRenderer().render(request, progress: progress)
    }

    /// Puts a document's pages on paper, as images.
    ///
    /// - Throws: `WorkError` when the document cannot be read, a page is too large, or an image cannot be written.
    public func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument {
        try RasterImageProcessor(maximumPixels: Self.mostPixels).rasterize(request, progress: progress)
    }
}
