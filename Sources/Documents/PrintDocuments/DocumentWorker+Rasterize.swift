// Converts documents to page images.

public import PrintModel
import PrintRaster

extension DocumentWorker: DocumentWorking {
    /// The maximum number of pixels in a page.
    ///
    /// During drawing, a gray pixel needs 4 bytes and a color pixel needs 10 bytes. A worker has 1 GiB of memory.
    private static let maximumPixelCount = 60_000_000

    /// Converts pages of a prepared PDF to PWG raster, Apple raster or JPEG.
    ///
    /// - Throws: `WorkError` when the document cannot be read, a page is too large, or a file cannot be written.
    public func render(
        _ request: RenderRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RenderedDocument {
        try PageRenderer().render(request, progress: progress)
    }

    /// Converts the printed pages of a document to images.
    ///
    /// - Throws: `WorkError` when the document cannot be read, a page is too large, or an image cannot be written.
    public func rasterize(
        _ request: RasterizeRequest, progress: @escaping @Sendable (WorkProgress) -> Void
    ) async throws(WorkError) -> RasterizedDocument {
        try RasterImageProcessor(maximumPixels: Self.maximumPixelCount).rasterize(request, progress: progress)
    }
}
